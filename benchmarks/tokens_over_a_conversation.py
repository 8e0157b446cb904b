"""How many tokens memory adds to a conversation of fifty rounds, and whether the prompt's prefix stays stable.

    python benchmarks/tokens_over_a_conversation.py [--rounds 50]

Prints the share that memory blocks take of all prompt tokens sent, and the share of each prompt that a provider's
cache could reuse from the one before (the common prefix, in characters).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from stores import ScriptedModel, orca_with, says, sentence

from orca_core.model.events import Injected
from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest

ANSWER = (
    "先看容器的端口映射，再看日志。If the port is taken, change compose.yaml and start the service again; "
    "then run the tests once more and compare what the log says with the last run. " * 3
)


def common_length(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


async def measure(home: Path, rounds: int) -> None:
    model = ScriptedModel(says(ANSWER))
    orca = await orca_with(home, 300, model=model)
    chance = random.Random(3)
    memory_tokens = prompt_tokens = 0
    reusable = []
    previous = ""
    for number in range(rounds):
        question = f"docker 部署报错，第 {number} 次: {sentence(number, chance)}，应该怎么改配置？"
        async for event in orca.chat.turn(TurnRequest((Span(question),), SessionById("long", may_be_new=True))):
            if isinstance(event, Injected):
                memory_tokens += event.injection.tokens
                prompt_tokens += event.injection.prompt_tokens
        prompt = "\x00".join(model.last_prompt())
        if previous:
            reusable.append(common_length(previous, prompt) / len(previous))
        previous = prompt
    print(f"{rounds} rounds, every one of them technical, 300 memories")
    share = memory_tokens / prompt_tokens
    print(f"tokens of memory {memory_tokens}, of all prompts {prompt_tokens}: {share:.1%}  (< 15 %)")
    median = sorted(reusable)[len(reusable) // 2]
    print(f"prefix shared with the prompt before: median {median:.1%}, least {min(reusable):.1%}")
    await orca.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.rounds))


if __name__ == "__main__":
    main()

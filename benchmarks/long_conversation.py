"""How many tokens the prompts of a long conversation take, with the running summary and without it.

    python benchmarks/long_conversation.py [--rounds 200] [--plot docs/long-conversation.svg]

The memory agent is the demo's: it sums up by cutting, so the figures show the machinery, not a model's talent. Printed:
tokens of the prompt at some rounds, folds, turns whose prompt did not begin with the one before, and what extraction
and summaries cost per 50 rounds (by the rules' estimate).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from itertools import pairwise
from pathlib import Path

from plots import line_plot
from stores import ScriptedModel, orca_with, says, turn

from orca_core.demo.demo_agent import DemoAgent
from orca_core.model.learning import RunKind
from orca_core.model.llm import ChatMessage, ChatRequest
from orca_core.rules.text import token_count
from orca_core.settings import MemoryAgentSettings, Settings, SummarizeSettings

TOPICS = "端口 compose.yaml postgres 容器 日志 索引 备份 迁移 缓存 网关 证书 队列 部署 回滚 监控".split()


def question(number: int, chance: random.Random) -> str:
    one, other = chance.sample(TOPICS, 2)
    return f"第{number}个问题：{one} 和 {other} 之间的配置怎么改，第 {number} 步才不出错？我用 {one} 的默认设置。"


def answer(number: int, chance: random.Random) -> str:
    pairs = [chance.sample(TOPICS, 2) for _ in range(8)]
    return "".join(f"先检查 {one} 的设置，第 {number} 步再重启 {other}。" for one, other in pairs)


class Answers(ScriptedModel):
    """Another answer each time."""

    def __init__(self) -> None:
        chance = random.Random(7)
        super().__init__(*(says(answer(number, chance)) for number in range(1000)))


async def talk(home: Path, rounds: int, *, folds: bool) -> tuple[list[ChatRequest], list[tuple[str, int]], int]:
    """(requests, (kind, estimated tokens) of each run of the memory agent, folds)"""
    settings = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(enabled=folds)))
    model = Answers()
    orca = await orca_with(home, 0, model=model, agent=DemoAgent(), settings=settings)
    chance = random.Random(20)
    for number in range(1, rounds + 1):
        await turn(orca, question(number, chance), session_id="long")
        await orca.worker.drain()
    costs = []
    count = 0
    for run in await orca.runs.runs(10_000):
        exchange = (await orca.runs.show(run.id)).exchange
        said = tuple(ChatMessage(message.role, message.content) for message in exchange)
        costs.append((run.kind.value, token_count.estimate_messages(said)))
        count += run.kind is RunKind.SUMMARIZE
    await orca.aclose()
    return model.requests, costs, count


def unsteady(requests: list[ChatRequest]) -> int:
    """How many prompts do not begin with the one before, but for its last message."""
    return sum(
        after.messages[: len(before.messages) - 1] != before.messages[:-1] for before, after in pairwise(requests)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        requests, costs, folds = asyncio.run(talk(Path(one), arguments.rounds, folds=True))
        plain, _, _ = asyncio.run(talk(Path(other), arguments.rounds, folds=False))
    with_summary = [token_count.estimate_messages(request.messages) for request in requests]
    without = [token_count.estimate_messages(request.messages) for request in plain]
    for number in range(24, arguments.rounds, 25):
        print(f"round {number + 1:4}   with summary {with_summary[number]:7,}   without {without[number]:7,}")
    print(f"folds {folds}, prompts that did not begin with the one before {unsteady(requests)}")
    print(f"all prompts together: {sum(with_summary) / sum(without):.0%} of the tokens without a summary")
    for kind in RunKind:
        spent = sum(cost for name, cost in costs if name == kind.value)
        print(f"{kind.value:10} {spent * 50 / arguments.rounds:8,.0f} tokens per 50 rounds")
    if arguments.plot:
        series = {"without summary": without, "with running summary": with_summary}
        arguments.plot.write_text(line_plot(series, x="round", y="prompt tokens"), encoding="utf-8")


if __name__ == "__main__":
    main()

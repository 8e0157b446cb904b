"""Does the right memory reach a technical turn? Forty pairs of a memory and a question, Chinese and English.

One user's store holds all forty memories and fifty others. Each question is asked as a later round of a session.
Prints the share of turns whose memory is in a slot, what else came along, and how often a turn that no memory can
help gets one all the same. `--show` prints each miss and each piece of noise.

    python benchmarks/recall_on_technical_turns.py [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from orca_core.adapters import open_engine
from orca_core.config.file import read_settings
from orca_core.domain.recall import Injection
from orca_core.engine import Engine
from orca_core.flows.turn.sources import RecallRequest

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


async def injected_for(engine: Engine, question: str) -> Injection:
    request = RecallRequest(
        text=question,
        session_id="benchmark",
        first_round=False,
        visible_rounds=frozenset(),
        prompt_tokens=4000,
    )
    return await engine.recall.recall(request)


async def measure(home: Path, show: bool) -> None:
    engine = await open_engine(read_settings({"ORCA_HOME": str(home)}), environ={})
    pairs = rows("technical_turns.jsonl")
    for text in [pair["memory"] for pair in pairs] + [row["text"] for row in rows("other_memories.jsonl")]:
        await engine.memories.add(text)
    await engine.worker.tidy()

    triggered = hits = noise = slots = 0
    for pair in pairs:
        injection = await injected_for(engine, pair["question"])
        relevant = [item for item in injection.injected if item.reason not in ("standing", "pinned")]
        others = [item for item in relevant if item.content != pair["memory"]]
        triggered += any(rule.startswith("technical") or rule == "recall" for rule in injection.rules)
        is_hit = any(item.content == pair["memory"] for item in injection.injected)
        hits += is_hit
        slots += len(relevant)
        noise += len(others)
        if show and (not is_hit or others):
            why = next((item for item in injection.dropped if item.content == pair["memory"]), None)
            print(f"{'hit ' if is_hit else 'MISS'} {pair['question']}\n     rules {injection.rules}")
            print(f"     wanted {pair['memory']!r}", f"({why.reason} {why.parts})" if why else "")
            print("".join(f"     also {item.content!r} {item.parts}\n" for item in others), end="")

    unrelated = rows("unrelated_turns.jsonl")
    disturbed = 0
    for row in unrelated:
        injection = await injected_for(engine, row["question"])
        others = [item for item in injection.injected if item.reason not in ("standing", "pinned")]
        disturbed += bool(others)
        if show and others:
            print(f"NOISE {row['question']}\n", [(item.content, item.parts) for item in others])

    print(f"turns seen as technical           {triggered / len(pairs):6.1%}  ({triggered} of {len(pairs)})")
    print(f"turns with the right memory       {hits / len(pairs):6.1%}  ({hits} of {len(pairs)})")
    print(f"other memories among the relevant {noise / max(slots, 1):6.1%}  ({noise} of {slots})")
    print(f"unrelated turns with any memory   {disturbed / len(unrelated):6.1%}  ({disturbed} of {len(unrelated)})")
    await engine.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print each miss and each piece of noise")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.show))


if __name__ == "__main__":
    main()

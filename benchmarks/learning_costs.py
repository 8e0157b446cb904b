"""What the runs of learning cost on sets of conversations: calls, tokens, and how many facts are verified.

    python benchmarks/learning_costs.py tests/data/trust/fourth tests/data/trust/third tests/data/episodes/final

Each conversation of a set of facts has a home of its own with its known memories; its rounds are said, and learnt from
in one run by a memory agent that proposes what the set proposes. Each session of a set of episodes is read for what the
set says was done. The verifier is the same model and says yes to all, which costs no less than any other answer. A line
for each job of the ledger, whose tokens are estimated (`rules.text.token_count`): prompts and answers in full.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakes.clocks import StillClock
from fakes.turns import turn
from sets.episodes import sessions_of
from sets.facts import conversations_in

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import EpisodesRead, Extraction
from orca_core.model.learning import Wanted
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, Span, TextDelta
from orca_core.orca import Orca
from orca_core.settings import ExtractSettings, MemoryAgentSettings, Settings
from orca_core.store.sqlite.store import open_stores

SETTINGS = Settings(memory_agent=MemoryAgentSettings(extract=ExtractSettings(batch_size=50)))
"""A session is read in one run, after its end."""
ALL = "all"
QUESTION = re.compile(r'"fact": (\d+)')


class Told(NamedTuple):
    """A session: what the user said and was answered, what was known before, and what an agent proposes of it."""

    rounds: Sequence[tuple[Sequence[Span], str]]
    known: Sequence[str]
    proposed: Mapping[str, object]


class Cost(NamedTuple):
    """What one run cost, by the job that asked; how many facts were proposed, and about how many the verifier was
    asked."""

    calls: Counter[str]
    tokens: Counter[str]
    proposed: int
    asked: int


class Agent:
    """Answers the user, proposes what a set proposes, and says yes to whatever it is asked as a verifier."""

    provider = model = "sets"
    endpoint = "http://sets/v1"
    context_tokens = 64_000
    is_demo = False

    def __init__(self, told: Told) -> None:
        self._answers = [answer for _, answer in told.rounds]
        self._proposed = json.dumps(told.proposed, ensure_ascii=False)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        yield TextDelta(self._said(request))
        yield Completed(Finish.STOP)

    def _said(self, request: ChatRequest) -> str:
        if not request.json_object:
            return self._answers.pop(0)
        asked = QUESTION.findall(request.messages[-1].content)
        return _yes(request.messages[-1].content) if asked else self._proposed

    async def aclose(self) -> None:
        return None


def _yes(material: str) -> str:
    """An answer as the verifier's prompt asks for it, with the quote as its words."""
    facts = json.loads(material)["facts"]
    answers = [
        {"fact": each["fact"], "words": each.get("quote", ""), "why": "said so plainly", "says_so": True, "known": None}
        for each in facts
    ]
    return json.dumps({"answers": answers}, ensure_ascii=False)


@asynccontextmanager
async def opened(home: Path, agent: Agent) -> AsyncGenerator[Orca, None]:
    stores = await open_stores(home / "orca.db", scope=SETTINGS.profile, must_exist=False)
    orca = Orca(
        SETTINGS,
        stores,
        model=lambda: agent,
        agent=lambda: agent,
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=StillClock(),
    )
    try:
        yield orca
    finally:
        await orca.aclose()


async def cost_of(told: Told, home: Path) -> Cost:
    """What one run about a session costs; what the session itself cost is no part of it."""
    async with opened(home, Agent(told)) as orca:
        for text in told.known:
            await orca.memories.add(text)
        await orca.worker.tidy()
        await orca.worker.aclose()  # nothing is learnt before all of it is said
        for spans, _ in told.rounds:
            await turn(orca, *spans)
        job = orca.learning.facts if "facts" in told.proposed else orca.learning.episodes
        events = [event async for event in job.run(Wanted(everything=True)) if event.state != "running"]
        spent = await orca.runs.spent()
    calls, tokens = Counter[str](), Counter[str]()
    for each in spent:
        calls[each.job] += each.calls
        tokens[each.job] += each.tokens
    [proposed] = told.proposed.values()
    return Cost(calls, tokens, len(proposed), sum(map(_asked, events)))  # type: ignore[arg-type]


def _asked(event: Extraction | EpisodesRead) -> int:
    return 0 if event.verification is None else event.verification.asked


def conversations(folder: Path) -> list[Told]:
    return [
        Told(
            [(each.spans, each.assistant) for each in conversation.rounds],
            conversation.known,
            {"facts": [dict(fact.item) for fact in conversation.facts]},
        )
        for conversation in conversations_in(folder)
    ]


def sessions(folder: Path) -> list[Told]:
    return [
        Told([(each.spans, each.assistant) for each in session.rounds], (), {"episodes": list(session.proposed)})
        for of_file in sessions_of(folder).values()
        for session in of_file
    ]


def table(costs: Sequence[Cost]) -> list[str]:
    """A line for each job, and one for all: calls on the average and tokens in the median of a run, and all of both."""
    jobs = sorted({job for each in costs for job in each.calls})
    lines = [f"{'':22}{'calls a run':>12}{'all':>7}{'tokens a run':>14}{'all':>9}"]
    for name in [*jobs, ALL]:
        calls, tokens = [_of(each.calls, name) for each in costs], [_of(each.tokens, name) for each in costs]
        of_a_run = f"{statistics.mean(calls):12.2f}{sum(calls):7,}{statistics.median(tokens):14,.0f}{sum(tokens):9,}"
        lines.append(f"{name:22}{of_a_run}")
    return lines


def _of(counted: Counter[str], job: str) -> int:
    return counted.total() if job == ALL else counted[job]


async def measured(told: Sequence[Told]) -> list[Cost]:
    costs = []
    for each in told:
        with tempfile.TemporaryDirectory() as home:
            costs.append(await cost_of(each, Path(home)))
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    for folder in parser.parse_args().folders:
        told = conversations(folder) if (folder / "poisoned.json").is_file() else sessions(folder)
        costs = asyncio.run(measured(told))
        proposed, asked = sum(each.proposed for each in costs), sum(each.asked for each in costs)
        print(f"{folder}: {len(costs)} runs, {proposed} proposed, the verifier asked about {asked}")
        print("\n".join(table(costs)))


if __name__ == "__main__":
    main()

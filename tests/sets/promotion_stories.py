"""Stories of acts over two weeks, played through an Orca with what an agent said of each act; and what became of it."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, Step, answers, asked_about, says, to_promote
from fakes.turns import turn
from msgspec import Struct, field

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.learning import Wanted
from orca_core.model.llm import ChatRequest, ModelEvent, Source, Span
from orca_core.model.memories import State
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.rules.feedback.promotion import UNPROVEN
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores

BEGUN = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
CARELESS_ONE_IN = 20
"""A careless verifier errs in one of so many answers."""


class Came(Struct, frozen=True):
    """What became of one thing that the agent said in a story, in whatever words: on how many days it said so, whether
    any wording lives, or waits, and whether all that wait are held for a person."""

    story: str
    what: str
    days: int
    lives: bool
    waits: bool
    is_held: bool = False

    @property
    def is_invented(self) -> bool:
        return self.what.startswith(("i", "x"))


class Played(Struct):
    """One story as it goes: the words of each thing, and the days on which they were said."""

    words: dict[str, set[str]] = field(default_factory=dict)
    days: dict[str, set[int]] = field(default_factory=dict)

    def note(self, event: dict[str, Any]) -> None:
        answer = event.get("answer")
        if answer:
            self.words.setdefault(answer["is"], set()).add(answer["content"])
            self.days.setdefault(answer["is"], set()).add(event["day"])


class Asked(Struct, frozen=True):
    """A statement that the verifier is asked about: of which story, at which of its acts, before it goes live by acts
    or as a query states it, and what it is by the truth of the story (`p1`; an invention `i1`; a text's own wish
    `x`)."""

    story: str
    place: int
    statement: str
    what: str

    @property
    def is_true(self) -> bool:
        return not self.what.startswith(("i", "x"))


Reader = Callable[[Asked], bool]


class Question(Struct, frozen=True):
    """What the verifier was asked, and about which statements, number by number."""

    asked: tuple[Asked, ...]
    request: ChatRequest


def right(asked: Asked) -> bool:
    """A verifier that knows the truth of the story."""
    return asked.is_true


def careless(seed: int) -> Reader:
    """One that errs in one of twenty answers, the same ones each time."""

    def says(asked: Asked) -> bool:
        errs = zlib.crc32(f"{seed} {asked.story} {asked.statement}".encode()) % CARELESS_ONE_IN == 0
        return asked.is_true is not errs

    return says


def recorded(path: Path) -> Reader:
    """What a model answered once; it says no to what it was not asked."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    said = {(row["story"], row["place"], row["statement"]): row["says_so"] for row in rows}
    return lambda asked: bool(said.get((asked.story, asked.place, asked.statement), False))


class SaysOfActs(ScriptedModel):
    """The memory agent: it finds no facts, and says of the act at hand what the story has. As verifier it says what a
    reader does. `asked` keeps what it was asked so."""

    def __init__(self, story: dict[str, Any], reader: Reader) -> None:
        super().__init__(says('{"facts": []}'))
        self.answer: dict[str, Any] | None = None
        self.place = 0
        self.asked: list[Question] = []
        self._story = story
        self._reader = reader
        told = [each["answer"] for each in story["events"] if each["answer"]]
        self._is = {each["content"]: str(each["is"]) for each in told}

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        if to_promote(request) is not None or asked_about(request, "fact"):
            script = self._verified(request)
        elif '{"preferences":' in request.messages[0].content:
            told = [] if self.answer is None else [{"action": 1, **self.answer}]
            script = says(json.dumps({"preferences": told}, ensure_ascii=False))
        else:
            script = self._next(request)
        for event in script:
            assert not isinstance(event, Exception)
            assert not callable(event)
            yield event

    def _verified(self, request: ChatRequest) -> Sequence[Step]:
        noted = [each["says"] for each in json.loads(request.messages[-1].content)["facts"]]
        about = tuple(Asked(self._story["name"], self.place, each, self._is[each]) for each in noted)
        self.asked.append(Question(about, request))
        return answers(*map(self._reader, about))


async def play(
    story: dict[str, Any],
    database: Path,
    reader: Reader = right,
    asked: list[Question] | None = None,
) -> list[Came]:
    """Each act is read as soon as it is done; what supports it is looked at each day."""
    clock, agent, played = StillClock(BEGUN), SaysOfActs(story, reader), Played()
    model = ScriptedModel()
    stores = await open_stores(database, scope="me", must_exist=False)
    orca = Orca(
        Settings(),
        stores,
        model=lambda: model,
        agent=lambda: agent,
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=clock,
    )
    try:
        for place, event in enumerate(story["events"]):
            _pass_time(clock, BEGUN + timedelta(days=event["day"], minutes=place))
            agent.place = place
            await _act(orca, event, model, agent)
            played.note(event)
        _pass_time(clock, clock.now() + timedelta(days=1))
        await orca.worker.drain()
        if asked is not None:
            asked += agent.asked
        return [each async for each in _outcomes(orca, story["name"], played)]
    finally:
        await orca.aclose()


def _pass_time(clock: StillClock, until: datetime) -> None:
    clock.advance(max(0.0, (until - clock.now()).total_seconds()))


async def _act(orca: Orca, event: dict[str, Any], model: ScriptedModel, agent: SaysOfActs) -> None:
    about: dict[str, Any] = {"data": event.get("data") or {}, "tool": event.get("tool", "")}
    if event.get("round"):
        about["round"] = await _said(orca, event, model)
    agent.answer = event["answer"]
    recorded = await orca.feedback.actions.record(event["act"], event["session"], **about)
    assert recorded is not None
    async for _ in orca.learning.feedback.run(Wanted(everything=True)):
        pass
    await orca.worker.drain()


async def _said(orca: Orca, event: dict[str, Any], model: ScriptedModel) -> int:
    """The number of the round that the act is about."""
    spans = [Span(each["text"], Source(each["source"])) for each in event["round"]["user"]]
    model.scripts = [says(event["round"]["assistant"])]
    events = await turn(orca, *spans, session_id=event["session"])
    [done] = [each for each in events if each.event == "done"]
    return int(done.round)


async def _outcomes(orca: Orca, name: str, played: Played) -> AsyncGenerator[Came, None]:
    views = (await orca.memories.page(ListQuery("all"))).records
    memories = {view.memory.content: view.memory for view in views}
    for what, words in sorted(played.words.items()):
        became = [memories[text] for text in words if text in memories]
        lives = any(each.state is State.LIVE for each in became)
        waits = [each.held_because for each in became if each.state is State.CANDIDATE]
        is_held = not lives and bool(waits) and UNPROVEN not in waits
        yield Came(name, what, len(played.days[what]), lives, bool(waits), is_held)


def stories_in(path: Path) -> Iterator[dict[str, Any]]:
    yield from json.loads(path.read_text("utf-8"))

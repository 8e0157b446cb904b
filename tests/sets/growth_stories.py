"""Stories of acts over two weeks, played through an engine with what an agent said of each act; and what became of it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, Step, answers, asked_about, contrasted, says, shown
from fakes.turns import turn
from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.domain.growth.contrast import ChooseCandidate, ContrastBatch, DueCandidates
from orca_core.domain.learning import Wanted
from orca_core.domain.memories import State
from orca_core.domain.messages import ChatRequest, ModelEvent, Source, Span
from orca_core.domain.queries import ListQuery
from orca_core.domain.stores.growth import ContrastStore
from orca_core.embeddings.cached import CachedEmbedder
from orca_core.embeddings.local import LocalEmbedder
from orca_core.engine import Engine
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.settings import Settings
from orca_core.storage.sqlite.store import open_stores

BEGUN = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
AN_HOUR = timedelta(hours=1)


class Came(Struct, frozen=True):
    """What became of one thing that the agent said in a story, in whatever words: on how many days it said so, and
    whether any wording lives, or waits for a person."""

    story: str
    what: str
    days: int
    lives: bool
    waits: bool

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


Answers = Mapping[str, bool | str]
"""What a model said as second reader, once, by the story, the place of the act, and what was noted; and what it said
(for, against, neither) of the act at a place beside what was to go live: `STORY/promotion/CONTENT/PLACE`."""
NOTED = ("claim", "fact")


class Question(Struct, frozen=True):
    """What a second reader was asked: by which keys its answers are stored, number by number."""

    keys: tuple[str, ...]
    request: ChatRequest


class SaysOfActs(ScriptedModel):
    """The memory agent: it finds no facts, and says of the act at hand what the story has. As second reader it says
    what a model said, and confirms all else: that an act shows what the story has of it, and nothing of what it has
    not. `asked` keeps what it was asked so."""

    def __init__(self, story: dict[str, Any], said: Answers) -> None:
        super().__init__(says('{"facts": []}'))
        self.answer: dict[str, Any] | None = None
        self.place = 0
        self.places: dict[int, int] = {}
        self.read_against: tuple[int, ...] = ()
        """The acts of the contrast that was claimed last."""
        self.asked: list[Question] = []
        self._story = story
        self._said = said

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        noun = next((each for each in NOTED if asked_about(request, each)), None)
        if (statement := contrasted(request)) is not None:
            script = self._contrasted(request, statement)
        elif noun is not None:
            script = self._second(request, noun)
        elif '{"preferences":' in request.messages[0].content:
            told = [] if self.answer is None else [{"action": 1, **self.answer}]
            script = says(json.dumps({"preferences": told}, ensure_ascii=False))
        else:
            script = self._next(request)
        for event in script:
            assert not isinstance(event, Exception)
            assert not callable(event)
            yield event

    def _second(self, request: ChatRequest, noun: str) -> Sequence[Step]:
        noted = json.loads(request.messages[-1].content)[f"{noun}s"]
        keys = tuple(f"{self._story['name']}/{self.place}/{each['says']}" for each in noted)
        self.asked.append(Question(keys, request))
        return answers(*[self._said.get(key, True) is True for key in keys], noun=noun)

    def _contrasted(self, request: ChatRequest, statement: str) -> Sequence[Step]:
        places = [self.places[act] for act in self.read_against]
        keys = tuple(f"{self._story['name']}/promotion/{statement}/{place}" for place in places)
        self.asked.append(Question(keys, request))
        shows = [self._said.get(key, self._borne_by(place, statement)) for key, place in zip(keys, places, strict=True)]
        return shown(*map(str, shows))

    def _borne_by(self, place: int, statement: str) -> str:
        """What the story has of an act: that it shows this, in whatever words."""
        events = self._story["events"]
        words = {each["answer"]["is"] for each in events if each["answer"] and each["answer"]["content"] == statement}
        answer = events[place]["answer"]
        return "for" if answer is not None and answer["is"] in words else "neither"


class NotesActs:
    """The store's contrasts; tells the agent which acts it is to be shown, which the question does not name."""

    def __init__(self, contrasts: ContrastStore, agent: SaysOfActs) -> None:
        self._contrasts = contrasts
        self._agent = agent
        self.finish = contrasts.finish
        self.next_at = contrasts.next_at

    async def claim(self, due: DueCandidates, choose: ChooseCandidate) -> ContrastBatch | None:
        batch = await self._contrasts.claim(due, choose)
        if batch is not None:
            self._agent.read_against = tuple(each.act.id for each in batch.acts)
        return batch


async def play(
    story: dict[str, Any],
    database: Path,
    said: Answers | None = None,
    asked: list[Question] | None = None,
) -> list[Came]:
    """Each act is read as soon as it is done; what supports it is looked at each day."""
    clock, agent, played = StillClock(BEGUN), SaysOfActs(story, said or {}), Played()
    model = ScriptedModel()
    stores = await open_stores(database, scope="me", must_exist=False, rules=JOURNAL_RULES)
    stores = replace(stores, contrasts=NotesActs(stores.contrasts, agent))
    engine = Engine(
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
            await _act(engine, event, model, agent)
            played.note(event)
        _pass_time(clock, clock.now() + timedelta(days=1))
        await engine.worker.drain()
        if asked is not None:
            asked += agent.asked
        return [each async for each in _outcomes(engine, story["name"], played)]
    finally:
        await engine.aclose()


def _pass_time(clock: StillClock, until: datetime) -> None:
    clock.advance(max(0.0, (until - clock.now()).total_seconds()))


async def _act(engine: Engine, event: dict[str, Any], model: ScriptedModel, agent: SaysOfActs) -> None:
    about: dict[str, Any] = {"data": event.get("data") or {}, "tool": event.get("tool", "")}
    if event.get("round"):
        about["round"] = await _said(engine, event, model)
    agent.answer = event["answer"]
    recorded = await engine.growth.actions.record(event["act"], event["session"], **about)
    assert recorded is not None
    agent.places[recorded.action.id] = agent.place
    async for _ in engine.growth.reading.run(Wanted(everything=True)):
        pass
    await engine.worker.drain()


async def _said(engine: Engine, event: dict[str, Any], model: ScriptedModel) -> int:
    """The number of the round that the act is about."""
    spans = [Span(each["text"], Source(each["source"])) for each in event["round"]["user"]]
    model.scripts = [says(event["round"]["assistant"])]
    events = await turn(engine, *spans, session_id=event["session"])
    [done] = [each for each in events if each.event == "done"]
    return int(done.round)


async def _outcomes(engine: Engine, name: str, played: Played) -> AsyncGenerator[Came, None]:
    views = (await engine.memories.page(ListQuery("all"))).views
    states = {view.memory.content: view.memory.state for view in views}
    for what, words in sorted(played.words.items()):
        became = [states.get(text) for text in words]
        yield Came(name, what, len(played.days[what]), State.LIVE in became, State.CANDIDATE in became)


def stories_in(path: Path) -> Iterator[dict[str, Any]]:
    yield from json.loads(path.read_text("utf-8"))

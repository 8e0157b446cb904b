"""Working lives and the turns that were written for them, as the benchmarks of recall read them.

A folder holds `memories.jsonl` {store, id, text, type, date, session, cues} and `turns.jsonl` {store, turn, kind, lang
…}; `episodes.jsonl` {store, id, trigger, target, steps, outcome, outcome_summary, tags, date} what each person worked
on. Each store is the memory of one person, and a database of its own. In `data/technical/` cues were written by who had
seen the memories alone (nothing reads them any more), turns by who had seen no rule. Rules are tuned on both halves.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.config.config_file import read_settings
from orca_core.model.episodes import Episode
from orca_core.model.llm import Clock, Embedder
from orca_core.model.memories import MemoryType, NewMemory, Origin
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.open import make_embedder, make_reranker
from orca_core.orca import Orca
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.work.record_texts import episode_text
from orca_core.settings import LOCAL, MEANING, EmbeddingSettings, Settings
from orca_core.store.sqlite.store import open_stores

Row = Mapping[str, object]
HOUR_OF_A_SESSION = time(9, tzinfo=UTC)


class Turn(Struct, frozen=True):
    """What a person types, and the memories (by their names) that it should bring; of a changed fact the newer one."""

    text: str
    kind: str
    lang: str
    wanted: frozenset[str] = frozenset()
    link: str = ""
    older: str = ""


class Life(Struct):
    """One store: its memories in the order in which they were told, and its turns."""

    name: str
    memories: list[Row] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    episodes: list[Row] = field(default_factory=list)


class TheDayAfter:
    """A clock that stands still, a day after the last memory."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return 0.0


def read_lives(folder: Path) -> list[Life]:
    lives: dict[str, Life] = {}
    for row in _rows(folder / "memories.jsonl"):
        lives.setdefault(str(row["store"]), Life(str(row["store"]))).memories.append(row)
    for row in _rows(folder / "turns.jsonl"):
        lives[str(row["store"])].turns.append(_turn(row))
    for life in lives.values():
        life.memories.sort(key=lambda row: (str(row["date"]), str(row["id"])))
    return [lives[name] for name in sorted(lives)]


def with_episodes(lives: Sequence[Life], path: Path) -> list[Life]:
    """The same lives, each with what was worked on in it."""
    rows = list(_rows(path))
    return [replace(life, episodes=[row for row in rows if row["store"] == life.name]) for life in lives]


def _rows(path: Path) -> Iterator[Row]:
    yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def _turn(row: Row) -> Turn:
    named = row.get("wanted") or row.get("topic_ids") or ([row["newer"]] if "newer" in row else [])
    assert isinstance(named, list)
    return Turn(
        text=str(row["turn"]),
        kind=str(row["kind"]),
        lang=str(row["lang"]),
        wanted=frozenset(named),
        link=str(row.get("link", "")),
        older=str(row.get("older", "")),
    )


async def orca_of(life: Life, home: Path, *, embedding: str) -> tuple[Orca, dict[int, str]]:
    """An Orca on the store of this life, and the name of each memory by its number."""
    settings = settings_with(embedding)
    stores = await open_stores(home / f"{life.name}.db", scope="me", must_exist=False)
    names: dict[int, str] = {}
    last = datetime.now(UTC)
    for row in life.memories:
        last = datetime.combine(datetime.fromisoformat(str(row["date"])), HOUR_OF_A_SESSION)
        session = str(row["session"])
        new = NewMemory(clean_memory(str(row["text"])), MemoryType(str(row["type"])), origin=Origin(session_id=session))
        addition = await stores.memories.add(new, OperationHeader(Actor.USER, "add", last, session))
        names[addition.memory.id] = str(row["id"])
    for row in life.episodes:
        episode = _episode(row)
        last = max(last, episode.created_at)
        await stores.records[EPISODE].add(episode, OperationHeader(Actor.EXTRACTION, "episodes", episode.created_at))
    clock: Clock = TheDayAfter(last.replace(hour=23))

    def embedder() -> Embedder:
        return make_embedder(settings, os.environ, stores)

    no_model = _no_model
    reranker = (lambda: make_reranker(settings, os.environ)) if settings.rerank.provider else None
    orca = Orca(settings, stores, model=no_model, agent=no_model, embedder=embedder, reranker=reranker, clock=clock)
    await orca.worker.tidy()
    return orca, names


def settings_with(embedding: str) -> Settings:
    """The settings with `local` or `meaning`; with any other word those of the configuration, its reranker included."""
    if embedding in (LOCAL, MEANING):
        return Settings(embedding=EmbeddingSettings(provider=embedding))
    return read_settings(os.environ).settings


def _episode(row: Row) -> Episode:
    at = datetime.combine(datetime.fromisoformat(str(row["date"])), HOUR_OF_A_SESSION)
    trigger, target, outcome = str(row["trigger"]), str(row["target"]), Outcome(str(row["outcome"]))
    steps, tags = _texts(row["steps"]), _texts(row["tags"])
    text = episode_text(trigger=trigger, target=target, steps=steps, outcome=outcome, tags=tags, at=at)
    return Episode(
        id=0,
        uid=str(row["id"]),
        text=text,
        trigger_summary=trigger,
        created_at=at,
        updated_at=at,
        aged_from=at,
        target=target,
        steps=steps,
        outcome=outcome,
        outcome_summary=str(row["outcome_summary"]),
        tags=tags,
    )


def _texts(listed: object) -> tuple[str, ...]:
    assert isinstance(listed, list)
    return tuple(map(str, listed))


def _no_model() -> object:
    raise AssertionError("no model is asked here")


def forty_pairs() -> list[Life]:
    """The forty pairs, fifty other memories and twenty turns that nothing can help, as one life."""
    data = Path(__file__).parent / "data"
    [pairs, others, unrelated] = (
        list(_rows(data / f"{name}.jsonl")) for name in ("technical_turns", "other_memories", "unrelated_turns")
    )
    texts = [*(str(row["memory"]) for row in pairs), *(str(row["text"]) for row in others)]
    life = Life("pairs")
    for number, text in enumerate(texts):
        life.memories.append(
            {"id": f"m{number}", "text": text, "type": "fact", "date": "2026-11-01", "session": f"s{number}"}
        )
    life.turns = [Turn(str(row["question"]), "pair", "", frozenset({f"m{number}"})) for number, row in enumerate(pairs)]
    life.turns += [Turn(str(row["question"]), "hopeless", "") for row in unrelated]
    return [life]

"""Decide what a person may do to an episode, to knowledge or a guide: actions, checked fields with the text that
follows from them, and the orders of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, ChangeOne, DecideWork, Episode, EpisodeSort, KnowledgeSort, W, WorkRecord
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES, Knowledge, TargetRenamed
from orca_core.model.memories import ArchivedBecause, Fields, State, Status
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, Editable, Kind, RecordType, timestamp
from orca_core.model.tasks import Task
from orca_core.rules.memory.memory_curation import ALL, LIVE, checked_tags, status_of_work
from orca_core.rules.work import record_texts
from orca_core.rules.work.record_texts import episode_text, knowledge_text
from orca_core.rules.work.retention import age_of, importance

LIVES: Fields = {"state": State.LIVE.value, "held_because": None, "archived_because": None, "archived_at": None}
"""What a record is that a person accepted or brought back."""


class Accessible(Protocol):
    @property
    def access_count(self) -> int: ...


def status_of(record: WorkRecord) -> Status:
    """The status that people see."""
    return status_of_work(record.state)


def is_live(record: WorkRecord) -> bool:
    return record.state is State.LIVE


def states_of_status(status_word: str) -> tuple[str, ...]:
    """Return what a store looks for: a status, `live` or `all`. Raises InvalidInput."""
    if status_word == ALL:
        return tuple(state.value for state in State)
    for state in State:
        if status_word == status_of_work(state) or (status_word == LIVE and state is State.LIVE):
            return (state.value,)
    known = ", ".join([LIVE, ALL, *map(status_of_work, State)])
    raise InvalidInput(template="no such status: {found}", hint="one of {known}", found=status_word, known=known)


def change_each(change: ChangeOne[W]) -> DecideWork[W]:
    """The same action on every record."""
    return lambda records: {record.id: change(record) for record in records}


def pin(kind: Kind) -> ChangeOne[WorkRecord]:
    """Nothing but a person changes a pinned record, and it is not forgotten."""

    def change(record: WorkRecord) -> Fields:
        if record.state is not State.LIVE:
            raise _refused(kind, record, "pinned", hint="orca {kind} restore {id} brings it back")
        return {"pinned": True}

    return change


def unpin(record: WorkRecord) -> Fields:
    return {"pinned": False} if record.pinned else {}


def archive(at: datetime) -> ChangeOne[WorkRecord]:
    """Archive by hand: only a hand restores it, and it is not deleted with what faded. A pinned record is unpinned."""

    def change(record: WorkRecord) -> Fields:
        if record.state is State.ARCHIVED and record.archived_because is ArchivedBecause.HAND:
            return {}
        return {
            "state": State.ARCHIVED.value,
            "archived_because": ArchivedBecause.HAND.value,
            "archived_at": timestamp(at),
            "pinned": False,
        }

    return change


def restore(kind: Kind) -> ChangeOne[WorkRecord]:
    """Live again, whatever put it away; what it came of must stand."""

    def change(record: WorkRecord) -> Fields:
        if record.state is State.CANDIDATE:
            raise _refused(kind, record, "restored", hint="orca {kind} accept {id} lets it live")
        if record.archived_because is ArchivedBecause.UNDONE:  # what it came of was taken back with it
            raise _refused(kind, record, "restored", hint="its making was taken back: orca memory redo does that again")
        return {} if record.state is State.LIVE else LIVES

    return change


def accept(kind: Kind, shown: Mapping[int, str] | None = None) -> ChangeOne[WorkRecord]:
    """A candidate becomes live. `shown` are the texts that were approved: one that has changed since is refused."""
    approved = shown or {}

    def change(record: WorkRecord) -> Fields:
        if record.state is not State.CANDIDATE:
            raise _refused(kind, record, "accepted", hint="orca {kind} list --status candidate lists the candidates")
        if approved.get(record.id, record.text) != record.text:
            raise InvalidInput(
                template="{kind} {id} was changed since it was shown",
                hint="look at it again",
                kind=kind.name,
                id=f"{kind.letter}{record.id}",
            )
        return LIVES

    return change


def reject(kind: Kind) -> ChangeOne[WorkRecord]:
    """Not to be made again of the same. Why it was held stays readable."""

    def change(record: WorkRecord) -> Fields:
        if record.state is not State.CANDIDATE:
            raise _refused(kind, record, "rejected", hint="orca {kind} list --status candidate lists the candidates")
        return {"state": State.REJECTED.value}

    return change


def count_access(record: Accessible, at: datetime) -> Fields:
    """Return what it changes of a record that it was put before the model or returned to who asked for it: counted
    once, however often a turn or a request shows it."""
    return {"access_count": record.access_count + 1, "last_accessed": timestamp(at)}


def list_conditions(query_states: Sequence[str], **columns: str | bool) -> dict[str, tuple[Any, ...]]:
    """The columns that a list asks for; those that are empty count nothing."""
    where: dict[str, tuple[Any, ...]] = {"state": tuple(query_states)}
    where |= {name: (int(value) if isinstance(value, bool) else value,) for name, value in columns.items() if value}
    return where


def _refused(kind: Kind, record: WorkRecord, what: str, hint: str) -> InvalidInput:
    return InvalidInput(
        template="{kind} {id} is {status}, it can not be {what}",
        hint=hint,
        kind=kind.name,
        id=f"{kind.letter}{record.id}",
        status=status_of(record).value,
        what=what,
    )


MAX_TARGET_CHARS = 200


def edit(of: RecordType[W], given: Mapping[str, Any]) -> ChangeOne[W]:
    """The checked changes of the fields that a person gives, by the names of `RecordType.editable`; None is not given.
    Raises InvalidInput."""
    changes = {
        about.field: checked_field(about, given[name])
        for name, about in of.editable.items()
        if given.get(name) is not None
    }
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda record: with_text(record, changes)


def checked_field(about: Editable, given: Any) -> Any:
    """What a person wrote into a field, cleaned, as a plain value. Raises InvalidInput."""
    what = about.what or about.label
    if about.are_tags:
        return list(checked_tags(given))
    if about.is_list:
        cleaned = [_full(what, each, about.most) for each in given]
        if len(cleaned) > about.most_items:
            raise InvalidInput(
                template="{found} {what}, at most {most}", found=len(cleaned), what=about.label, most=about.most_items
            )
        return cleaned
    if about.type is not str:
        return record_texts.checked_word(given, tuple(about.type), what=what).value
    return record_texts.checked_text(given, what=what, most=about.most, may_be_empty=not about.is_needed)


def with_text(record: Any, changes: Fields) -> Fields:
    """The changes, with the text that an episode or knowledge is found by then."""
    if isinstance(record, Episode):
        return {**changes, "text": text_of(EPISODES.changed(record, changes))}
    then = KNOWLEDGES.changed(record, changes)
    text = knowledge_text(topic=then.topic, content=then.content, key_points=then.key_points, target=then.target)
    return {**changes, "text": text, **({"held_because": None} if record.state is State.LIVE else {})}


def with_search_text(episode: Episode) -> Episode:
    """The episode with the text that follows from its fields."""
    return replace(episode, text=text_of(episode))


def text_of(episode: Episode) -> str:
    """Return what an episode is found by."""
    return episode_text(
        trigger=episode.trigger_summary,
        target=episode.target,
        steps=episode.steps,
        outcome=episode.outcome,
        tags=episode.tags,
        at=episode.created_at,
    )


def target_of(name: str) -> str:
    """The name of what was worked on, cleaned. Raises InvalidInput where it is too long."""
    return record_texts.checked_text(name, what="target", most=MAX_TARGET_CHARS)


def new_name(target: str) -> str:
    """The name that a target gets. Raises InvalidInput."""
    return _full("target", target, MAX_TARGET_CHARS)


def check_renamed(old: str, renamed: TargetRenamed) -> None:
    """Raises InvalidInput where nothing has the old name."""
    if renamed.operation is None:
        raise InvalidInput(
            template="no target is called {found}", hint="orca knowledge target list shows them", found=old
        )


def retarget(record: Episode | Knowledge | Task, target: str) -> Fields:
    """Its target, with the text that it is found by then."""
    match record:
        case Episode():
            return with_text(record, {"target": target})
        case Knowledge():
            text = knowledge_text(
                topic=record.topic, content=record.content, key_points=record.key_points, target=target
            )
            return {"target": target, "text": text}
    return {"target": target}


def _full(name: str, given: str, most: int) -> str:
    """A text that may not be empty."""
    return record_texts.checked_text(given, what=name, most=most, may_be_empty=False)


_SHARED = {"used": ("-last_accessed", "-id"), "accesses": ("-access_count", "-id"), "id": ("id",)}
_ORDERS: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    EPISODE: {
        **_SHARED,
        EpisodeSort.NEW.value: ("-created_at", "-id"),
        EpisodeSort.OLD.value: ("created_at", "id"),
        EpisodeSort.IMPORTANCE.value: ("id",),
        EpisodeSort.TARGET.value: ("target", "-id"),
    },
    KNOWLEDGE: {
        **_SHARED,
        KnowledgeSort.NEW.value: ("-updated_at", "-id"),
        KnowledgeSort.OLD.value: ("updated_at", "id"),
        KnowledgeSort.CONFIDENCE.value: ("-confidence", "-id"),
        KnowledgeSort.TARGET.value: ("target", "-id"),
        KnowledgeSort.TOPIC.value: ("topic", "-id"),
    },
    GUIDE: {
        **_SHARED,
        KnowledgeSort.NEW.value: ("-updated_at", "-id"),
        KnowledgeSort.OLD.value: ("updated_at", "id"),
        KnowledgeSort.TARGET.value: ("target", "-id"),
    },
}


def sort_columns(kind: Kind, sort: str) -> tuple[str, ...]:
    """The columns that a store sorts by, downwards behind a minus. Raises InvalidInput."""
    orders = _ORDERS[kind]
    if sort not in orders:
        known = ", ".join(orders)
        raise InvalidInput(template="no such order: {found}", hint="one of {known}", found=sort, known=known)
    return orders[sort]


def by_importance(episodes: Sequence[Episode], now: datetime) -> list[Episode]:
    """The most important first, among equals the newest: what is forgotten first comes last."""
    return sorted(episodes, key=lambda each: (importance(age_of(each), now), each.aged_from, each.id), reverse=True)

"""What a hand may do to an episode or to knowledge: each action goes from the record to the fields that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from orca_core.model.episodes import ChangeOne, DecideWork, W, WorkRecord
from orca_core.model.errors import InvalidInput
from orca_core.model.memories import ArchivedBecause, Fields, State, Status
from orca_core.model.records import Kind, timestamp
from orca_core.rules.memory.status import ALL, LIVE, status_of_work

LIVES: Fields = {"state": State.LIVE.value, "held_because": None, "archived_because": None, "archived_at": None}
"""What a record is that a person accepted or brought back."""


class Accessible(Protocol):
    @property
    def access_count(self) -> int: ...


def status_of(record: WorkRecord) -> Status:
    """The status that people see."""
    return status_of_work(record.state)


def lives(record: WorkRecord) -> bool:
    return record.state is State.LIVE


def states(status_word: str) -> tuple[str, ...]:
    """What a store looks for: a status, `live` or `all`. Raises InvalidInput."""
    if status_word == ALL:
        return tuple(state.value for state in State)
    for state in State:
        if status_word == status_of_work(state) or (status_word == LIVE and state is State.LIVE):
            return (state.value,)
    known = ", ".join([LIVE, ALL, *map(status_of_work, State)])
    raise InvalidInput(template="no such status: {found}", hint="one of {known}", found=status_word, known=known)


def each(change: ChangeOne[W]) -> DecideWork[W]:
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


def accessed(record: Accessible, at: datetime) -> Fields:
    """What it changes of a record that it was put before the model or returned to who asked for it: counted once,
    however often a turn or a request shows it."""
    return {"access_count": record.access_count + 1, "last_accessed": timestamp(at)}


def wheres(query_states: Sequence[str], **columns: str | bool) -> dict[str, tuple[Any, ...]]:
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

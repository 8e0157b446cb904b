"""Cases of settling: a fact, the memories that it meets, and what it comes to."""

from __future__ import annotations

from fakes.proposals import learnt
from msgspec import Struct

from orca_core.model.learning import Known, Proposal
from orca_core.model.memories import Added, ArchivedBecause, Memory, State
from orca_core.model.operations import Change
from orca_core.rules.learning.resolve import settle


def archived(id: int, content: str, because: str, **fields: object) -> Memory:
    return learnt(id, content, state=State.ARCHIVED, archived_because=ArchivedBecause(because), **fields)


def waiting(id: int, content: str, why: str = "unread", **fields: object) -> Memory:
    return learnt(id, content, state=State.CANDIDATE, held_because=why, **fields)


def rejected(id: int, content: str, why: str | None = None, **fields: object) -> Memory:
    return learnt(id, content, state=State.REJECTED, held_because=why, **fields)


class Case(Struct, frozen=True):
    """What is expected: `stored` is the new memory's state, `known` the id of what says it already."""

    name: str
    proposal: Proposal
    known: tuple[Memory, ...] = ()
    hand: tuple[Change, ...] = ()
    heard: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()
    since: frozenset[int] = frozenset()
    stored: str = ""
    held: str | None = None
    supersedes: tuple[int, ...] = ()
    outdated_by: int | None = None
    moot: tuple[int, ...] = ()
    would_replace: int | None = None
    listed: tuple[int, ...] = ()
    confirms: int | None = None
    outcome: Added | None = None
    becomes: str = ""
    archives: tuple[int, ...] = ()
    dropped: str = ""


def check(case: Case) -> None:
    """Settle the case's fact, and compare what it comes to."""
    heard = case.heard | case.undone
    known = Known(case.known, case.hand, heard, case.undone, case.since)
    settled = settle(case.proposal, known)
    again, stored = settled.again, settled.store

    assert (settled.reason, settled.supersedes, settled.outdated_by) == (
        case.dropped,
        case.supersedes,
        case.outdated_by,
    )
    assert (tuple(memory_id for memory_id, _ in settled.undecided), settled.moot) == (case.listed, case.moot)
    assert (stored.state.value if stored else "") == case.stored
    if stored is not None:
        assert (stored.held_because, stored.would_replace) == (case.held, case.would_replace)
    assert (again.outcome if again else None) == case.outcome
    if again is not None:
        assert (settled.known, again.archives) == (case.confirms, case.archives)
        before = {memory.id: memory.state.value for memory in case.known}[settled.known]
        assert again.changes.get("state", before) == (case.becomes or "live")
        if case.held:
            assert again.changes["held_because"] == case.held
        if case.would_replace:
            assert again.changes["would_replace"] == case.would_replace
        if not case.becomes:
            assert again.changes == {}

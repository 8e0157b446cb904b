"""Which time a clause speaks of: now, after a change, or the past or a plan."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core import words
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import read_clauses


def says_so_now(text: str) -> bool:
    """Whether a clause tells of a change that has happened."""
    not_now = words.pattern("time.not_now")
    return any(_tells_of_a_change(clause) and not not_now.search(clause) for clause in _clauses(text))


def is_of_another_time(text: str) -> bool:
    """Whether it speaks of the past or of a plan, and nowhere says how things are now."""
    clauses, not_now = list(_clauses(text)), words.pattern("time.not_now")
    if not any(not_now.search(clause) for clause in clauses):
        return False
    return not any(_is_of_now(clause) for clause in clauses)


def tells_of_an_end(text: str) -> bool:
    """Whether typed words tell that something of the speaker's no longer holds, seriously, now."""
    return any(clause.ends and _is_said_now(clause) for clause in read_clauses(text))


def _is_said_now(clause: Clause) -> bool:
    return (
        clause.mood is Mood.STATED
        and clause.time is Time.NOW
        and clause.frame is Frame.NONE
        and clause.subject not in (Subject.ANOTHER, Subject.ASSISTANT)
    )


def _is_of_now(clause: str) -> bool:
    if words.pattern("time.not_now").search(clause):
        return False
    return words.pattern("time.now").search(clause) is not None or _tells_of_a_change(clause)


def _tells_of_a_change(clause: str) -> bool:
    telling = words.pattern("time.no_change").sub(" ", clause)
    return words.pattern("comparing.change").search(telling) is not None


def _clauses(text: str) -> Iterator[str]:
    for clause in words.pattern("time.clause_end").split(text):
        if clause.strip():
            yield clause

"""Which time a clause speaks of: now, after a change, or the past or a plan."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core import words
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.text.terms import content_words


def says_so_now(text: str) -> bool:
    """Whether a clause tells of a change that has happened."""
    not_now = words.pattern("time.not_now")
    return any(_tells_of_a_change(clause) and not not_now.search(clause) for clause in _texts(text))


def is_of_another_time(text: str) -> bool:
    """Whether it speaks of the past or of a plan, and nowhere says how things are now."""
    clauses, not_now = list(_texts(text)), words.pattern("time.not_now")
    if not any(not_now.search(clause) for clause in clauses):
        return False
    return not any(_is_of_now(clause) for clause in clauses)


def tells_of_an_end(text: str, of: str) -> bool:
    """Whether typed words tell that something no longer holds, seriously, now: of the speaker, or of whom a fact
    speaks that stands on them."""
    return any(clause.ends and _is_said_now(clause, of) for clause in read_clauses(text))


def tells_of_a_change(text: str, of: str) -> bool:
    """Whether typed words tell that something has changed, seriously, now: of the speaker, or of whom a fact speaks."""
    return bool(changes_told(text, of))


def changes_told(text: str, of: str) -> list[Clause]:
    """The clauses that tell of such a change."""
    told = (clause for clause in read_clauses(text) if _is_said_now(clause, of))
    return [clause for clause in told if clause.changes or says_so_now(clause.text)]


def _is_said_now(clause: Clause, of: str) -> bool:
    if clause.mood is not Mood.STATED or clause.time is not Time.NOW or clause.frame is not Frame.NONE:
        return False
    if clause.subject is Subject.ANOTHER:  # "my manager is Ann now" changes what is known of the manager
        who = content_words(clause.who)
        return bool(who) and who <= content_words(of)
    return clause.subject is not Subject.ASSISTANT


def _is_of_now(clause: str) -> bool:
    if words.pattern("time.not_now").search(clause):
        return False
    return words.pattern("time.now").search(clause) is not None or _tells_of_a_change(clause)


def _tells_of_a_change(clause: str) -> bool:
    telling = words.pattern("time.no_change").sub(" ", clause)
    return words.pattern("comparing.change").search(telling) is not None


def _texts(text: str) -> Iterator[str]:
    return (clause.text for clause in read_clauses(text))

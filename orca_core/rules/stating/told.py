"""What a text states in earnest: not what is asked, supposed, quoted or said in play."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core import words
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame, Mood
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.clauses.splitting import MASK
from orca_core.rules.learning.agent.parsing import MIN_FACT_CHARS, max_fact_chars
from orca_core.rules.stating import clauses
from orca_core.rules.stating.clauses import Statement
from orca_core.rules.text.languages import language_of


def statements_in(text: str, opened: Frame = Frame.NONE) -> Iterator[Statement]:
    """What a typed text states of its speaker, each no longer than a fact may be. `opened` is a frame that an earlier
    message left open."""
    for told in _told(text, opened):
        said = _without_request(told.strip(" 。.!！；;，,\n…"))
        for statement in _statements(said):
            if MIN_FACT_CHARS <= len(statement.content) <= max_fact_chars(language_of(statement.content)):
                yield statement


def _told(text: str, opened: Frame) -> Iterator[str]:
    """What each sentence says in earnest: its clauses that follow each other, without what is asked, supposed, quoted
    or said in play."""
    masked = splitting.masked(text)
    run: list[Clause] = []
    for clause in read_clauses(text, opened):
        goes_on = run and run[-1].sentence == clause.sentence and MASK not in masked[run[-1].end : clause.start]
        if run and not (goes_on and _is_told(clause)):
            yield text[run[0].start : run[-1].end]
            run = []
        if _is_told(clause):
            run.append(clause)
    if run:
        yield text[run[0].start : run[-1].end]


def _is_told(clause: Clause) -> bool:
    return clause.mood not in (Mood.ASKED, Mood.SUPPOSED) and clause.frame in (Frame.NONE, Frame.POSSIBLE)


def _statements(said: str) -> Iterator[Statement]:
    """A wish of how to be answered stays as it was said; all else is read clause by clause."""
    if remembered_type(said) is MemoryType.INSTRUCTION and not clauses.is_a_task(said):
        yield Statement(said, said)
    else:
        yield from clauses.statements(said)


def _without_request(said: str) -> str:
    """The clause without "remember that", so that it matches the memory that was stored at once."""
    for opening in ("remember.to_the_end_of_the_line", "remember.to_the_end_of_the_sentence"):
        if match := words.pattern(opening).match(said):
            return said[match.end() :].strip(" ：:，,")
    return said

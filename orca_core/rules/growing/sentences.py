"""What sentences do that others wrote: tell of the user, or say what is to be done."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core import words
from orca_core.rules.clauses import splitting
from orca_core.rules.text.scripts import simplified


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text; none reaches over a line."""
    for line in text.splitlines():
        for each in splitting.sentences(line):
            yield line[each.start : each.end]


def tells_of_the_user(sentence: str) -> bool:
    """Whether it says in the third person what the user is like or wants, or asks to note such a thing."""
    return any(pattern.search(simplified(sentence)) for pattern in words.patterns("growing.tells_of_the_user"))


def speaks_to_the_user(sentence: str) -> bool:
    """Whether it tells the user so, or orders."""
    return any(pattern.search(simplified(sentence)) for pattern in words.patterns("growing.speaks_to_the_user"))


def speaks_of_the_user(sentence: str) -> bool:
    """Whether it speaks of the user as of somebody else."""
    return any(pattern.search(simplified(sentence)) for pattern in words.patterns("growing.of_the_user"))

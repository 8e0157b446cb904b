"""Names of records: what kind a record is of, and which one of its kind."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

from msgspec import Struct


class Kind(Struct, frozen=True, order=True):
    """A kind of record. `name` is what is stored, `letter` what a block, a citation and a list of ids show."""

    name: str
    letter: str


MEMORY = Kind("memory", "m")
SUMMARY = Kind("summary", "s")
EPISODE = Kind("episode", "e")
KNOWLEDGE = Kind("knowledge", "k")
TASK = Kind("task", "w")
"""No search finds it and no answer cites it, but a block shows the current one."""
GUIDE = Kind("guide", "g")
"""What was learnt of one tool."""
CALL = Kind("call", "c")
"""A call of a tool: noted where an exchange with the memory agent shows it."""
ACTION = Kind("action", "a")
SUPPORT = Kind("support", "b")
"""Acts, and what speaks for a memory: found by no search, shown in no block."""


class Ref(Struct, frozen=True, order=True):
    """One record, wherever it is spoken of. Its text is what the model is shown: `m7`, `s41`."""

    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"{self.kind.letter}{self.id}"


def memory_ref(memory_id: int) -> Ref:
    return Ref(MEMORY, memory_id)


def summary_ref(summary_id: int) -> Ref:
    return Ref(SUMMARY, summary_id)


def plain_ref(ref: Ref) -> int | str:
    """A reference as JSON has it and a list shows it: a memory is a bare number, anything else its text."""
    return ref.id if ref.kind == MEMORY else str(ref)


class Kinds:
    """The kinds that are known: from what is stored or written back to their references. Raises ValueError where two
    could be taken for each other."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._all = tuple(kinds)
        self._by_letter = {kind.letter: kind for kind in self._all}
        self._by_name = {kind.name: kind for kind in self._all}
        if not len(self._by_letter) == len(self._by_name) == len(self._all):
            raise ValueError("two kinds share a name or a letter")
        for kind in self._all:  # `M7` is read as `m7`, `m21` as a memory: one small letter is told from any other
            if len(kind.letter) != 1 or kind.letter not in ascii_lowercase:
                raise ValueError(f"the letter of a kind is one from a to z, not {kind.letter!r}")

    @property
    def letters(self) -> str:
        return "".join(self._by_letter)

    def named(self, name: str) -> Kind:
        """A kind that is no longer registered keeps its name: what is stored of it can be read."""
        return self._by_name.get(name) or Kind(name, name)

    def ref(self, plain: int | str) -> Ref:
        """From `plain_ref`, or from a reference's own text."""
        if isinstance(plain, int):
            return Ref(MEMORY, plain)
        letter = plain.rstrip("0123456789")
        return Ref(self._by_letter.get(letter) or Kind(letter, letter), int(plain[len(letter) :]))


BUILT_IN_KINDS = Kinds((MEMORY, SUMMARY, EPISODE, KNOWLEDGE, TASK, GUIDE))
"""Those that a block may show."""

"""Names of records: what kind a record is of, and which one of its kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """A kind of record. `name` is what is stored, `letter` what a block, a citation and a list of ids show."""

    name: str
    letter: str


MEMORY = Kind("memory", "m")
SUMMARY = Kind("summary", "s")


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """One record, wherever it is spoken of. Its text is what the model is shown: `m7`, `s41`."""

    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"{self.kind.letter}{self.id}"


def memory_ref(memory_id: int) -> Ref:
    return Ref(MEMORY, memory_id)


def summary_ref(summary_id: int) -> Ref:
    return Ref(SUMMARY, summary_id)

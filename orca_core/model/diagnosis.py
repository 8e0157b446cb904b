"""What the doctor looks at, finds and mends, and what a run of upkeep did."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.errors import OrcaError, StoreBusy
from orca_core.model.recall import Level
from orca_core.model.record_types import Ref

CheckState = Literal["ok", "warn", "fail"]


NAMED = 5
"""In so many places at most it is named."""


class FindingEvidence(Struct, frozen=True):
    """Something in which it was found: a record, a file, and a few words of it, clean and short; `what` is wrong with
    it, a phrase of the catalogue; and the command that mends or shows just this one."""

    ref: Ref | None = None
    text: str = ""
    what: str = ""
    command: str = ""


class Finding(Struct, frozen=True):
    """What one check found, and what to do about it. Both are sentences of the catalogue, to be filled with the fields;
    `evidence` names a few of what it was found in, of `found` altogether. Not `is_known` where something stood in the
    way of looking: it says nothing about the thing."""

    name: str
    state: CheckState
    detail_template: str
    fix_template: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    is_known: bool = True
    evidence: tuple[FindingEvidence, ...] = ()
    found: int = 0

    def named(self, evidence: Sequence[FindingEvidence], found: int = 0) -> Finding:
        """With the first of the evidence, of `found` altogether."""
        return replace(self, evidence=tuple(evidence[:NAMED]), found=found)

    @property
    def more(self) -> int:
        """How many it was found in beside those that are named."""
        return max(0, self.found - len(self.evidence))

    @property
    def detail(self) -> str:
        """What was found, in English."""
        return self.detail_template.format(**self.fields)

    @property
    def fix(self) -> str:
        """What to do about it, in English; empty where nothing is to be done."""
        return self.fix_template.format(**self.fields)


def failed(name: str, state: CheckState, error: OrcaError, fix: str = "") -> Finding:
    """What an error says, as something that was found."""
    is_known = not isinstance(error, StoreBusy)
    return Finding(name, state, error.sentence_template, error.way_out_template or fix, error.fields, is_known)


RepairState = Literal["done", "would", "left", "failed"]


class Repair(Struct, frozen=True):
    """Something that was mended, would be, is left to a person, or could not be mended. `name` is that of the check
    which finds it; `operation` is what an undo takes."""

    name: str
    state: RepairState
    detail_template: str
    fields: Mapping[str, object] = field(default_factory=dict)
    operation: int | None = None

    def by(self, operation: int | None) -> Repair:
        """With the operation that did it."""
        return replace(self, operation=operation)

    @property
    def detail(self) -> str:
        """What was done, in English."""
        return self.detail_template.format(**self.fields)


def failed_repair(name: str, error: OrcaError) -> Repair:
    """What could not be mended, and why."""
    return Repair(name, "failed", error.sentence_template, error.fields)


class Says:
    """Words what one check found or mended: sentences of the catalogue, to be filled with the fields."""

    def __init__(self, name: str) -> None:
        self._name = name

    def ok(self, detail: str, fix: str = "", /, **fields: object) -> Finding:
        return Finding(self._name, "ok", detail, fix, fields)

    def warns(self, detail: str, fix: str = "", /, **fields: object) -> Finding:
        return Finding(self._name, "warn", detail, fix, fields)

    def fails(self, detail: str, fix: str = "", /, **fields: object) -> Finding:
        return Finding(self._name, "fail", detail, fix, fields)

    def repaired(self, state: RepairState, detail: str, /, **fields: object) -> Repair:
        return Repair(self._name, state, detail, fields)


class Leave(Struct, frozen=True):
    """What is allowed to who mends: only to say what it would do, and to have the memory agent asked, which costs."""

    is_dry: bool = False
    may_ask: bool = False


class Check(Struct, frozen=True):
    """One thing that the doctor looks at: `run` says what it found; `mend` mends unasked what can be mended without
    loss, or says what it would do, and returns None where there is nothing to do."""

    name: str
    run: Callable[[Says], Awaitable[Finding]]
    mend: Callable[[Says, Leave], Awaitable[Repair | None]] | None = None


class Diagnosis(Struct, frozen=True):
    """What was found; behind `repairs`, what is left of it."""

    level: Level
    checks: tuple[Finding, ...]
    repairs: tuple[Repair, ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of what could not be looked at."""
        return tuple(check.name for check in self.checks if not check.is_known)

    @property
    def left(self) -> tuple[str, ...]:
        """The names of what is not as it should be, each once."""
        return tuple(dict.fromkeys(check.name for check in self.checks if check.state != "ok"))

    @property
    def is_healthy(self) -> bool:
        return all(check.state != "fail" for check in self.checks)


class StoreHealth(Struct, frozen=True):
    """What `doctor` and `stats` say of the database."""

    path: str
    schema: int
    bytes: int
    integrity: str
    long_term_readable: bool
    journal_mode: str
    counts: dict[str, int]


class UpkeepJob(msgspec.Struct, frozen=True):
    """One job of it; `failure` says why it could not be done, empty where it was."""

    name: str
    failure: str = ""


class UpkeepRun(msgspec.Struct, frozen=True):
    """All jobs. Where not `is_wiped`, another program reads the database, and deleted text still waits to be wiped."""

    jobs: tuple[UpkeepJob, ...]
    is_wiped: bool

    @property
    def failed(self) -> bool:
        return any(each.failure for each in self.jobs)

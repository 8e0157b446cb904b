"""What `doctor` finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from orca_core.domain.dataclass import dataclass
from orca_core.domain.errors import OrcaError, StoreBusy
from orca_core.domain.recall import Level
from orca_core.domain.refs import Ref

CheckState = Literal["ok", "warn", "fail"]


NAMED = 5
"""In so many places at most it is named."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something in which it was found: a record, a file, and a few words of it, clean and short; `what` is wrong with
    it, a phrase of the catalogue; and the command that mends or shows just this one."""

    ref: Ref | None = None
    text: str = ""
    what: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: what was found, and what to do about it. Both are sentences of the catalogue, to be filled
    with the fields; `evidence` names a few of what it was found in, of `found` altogether. Not `is_known` where
    something stood in the way of looking: it says nothing about the thing."""

    name: str
    state: CheckState
    detail_template: str
    fix_template: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    is_known: bool = True
    evidence: tuple[Evidence, ...] = ()
    found: int = 0

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


def failed_check(name: str, state: CheckState, error: OrcaError, fix: str = "") -> Check:
    """What an error says, as something that was found."""
    is_known = not isinstance(error, StoreBusy)
    return Check(name, state, error.sentence_template, error.way_out_template or fix, error.fields, is_known)


RepairState = Literal["done", "would", "left", "failed"]


@dataclass(frozen=True, slots=True)
class Repair:
    """Something that was mended, would be, is left to a person, or could not be mended. `name` is that of the check
    which finds it; `operation` is what an undo takes."""

    name: str
    state: RepairState
    detail_template: str
    fields: Mapping[str, object] = field(default_factory=dict)
    operation: int | None = None

    @property
    def detail(self) -> str:
        """What was done, in English."""
        return self.detail_template.format(**self.fields)


def failed_repair(name: str, error: OrcaError) -> Repair:
    """What could not be mended, and why."""
    return Repair(name, "failed", error.sentence_template, error.fields)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found; behind `repairs`, what is left of it."""

    level: Level
    checks: tuple[Check, ...]
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


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What `doctor` and `stats` say of the database."""

    path: str
    schema: int
    bytes: int
    integrity: str
    long_term_readable: bool
    journal_mode: str
    counts: dict[str, int]

"""What `doctor` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from orca_core.domain.recall import Level

CheckState = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: `detail` is what was found, `fix` what to do about it."""

    name: str
    state: CheckState
    detail: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    level: Level
    checks: tuple[Check, ...]

    @property
    def is_healthy(self) -> bool:
        return all(check.state != "fail" for check in self.checks)

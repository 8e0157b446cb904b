"""What a run of upkeep did."""

from __future__ import annotations

import msgspec


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

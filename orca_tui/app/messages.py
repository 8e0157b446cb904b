"""What the bridge tells the screen. Frozen, one direction: bridge → screen → widgets."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.domain.errors import OrcaError
from orca_core.domain.events import Event, Failed


class EngineReady(Message):
    """The database is open."""


@dataclass
class EngineFailed(Message):
    """The database can't be opened."""

    error: OrcaError


@dataclass
class TurnEvent(Message):
    """An event of the turn that runs."""

    event: Event


@dataclass
class TurnRefused(Message):
    """The turn could not begin."""

    error: OrcaError


class TurnEnded(Message):
    """Nothing more comes of the turn."""


@dataclass
class Learnt(Message):
    """Something was learnt, or tried, in the background."""

    event: Event


class ChangedBehind(Message):
    """Something changed that nobody here did: another process wrote into the database, or too much to be told."""


@dataclass
class WorkFailed(Message):
    """Something that was asked of the engine, in a group of work, went wrong."""

    error: OrcaError | Failed
    group: str


@dataclass
class WorkMended(Message):
    """What failed last in this group of work did well now."""

    group: str

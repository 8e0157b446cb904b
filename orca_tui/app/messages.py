"""Messages of the bridge to the screen. Frozen; they go one way: bridge → screen → widgets; one goes up, to the app."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.model.errors import OrcaError
from orca_core.model.events import Embedded, Event, Failed


class TakesKeys(Message):
    """The prompt is there and has the focus."""


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
    """The turn has ended."""


@dataclass
class Learnt(Message):
    """An event of learning in the background."""

    event: Event


@dataclass
class VectorsMade(Message):
    """How far embedding in the background is."""

    event: Embedded


class ChangedBehind(Message):
    """Another process or a chore wrote into the database, or live events were dropped."""


@dataclass
class WorkFailed(Message):
    """Work of a group that was asked of the engine failed."""

    error: OrcaError | Failed
    group: str


@dataclass
class WorkMended(Message):
    """Work of a group that failed last has succeeded."""

    group: str

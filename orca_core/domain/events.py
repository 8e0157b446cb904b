"""Events: one turn is one stream of them. Nothing here decides."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from msgspec import Struct, field

from orca_core.domain.causes import Cause
from orca_core.domain.growth.events import ActsRead, Contrasted, GuideMade
from orca_core.domain.learning import Learnt
from orca_core.domain.memories import Memory, Status
from orca_core.domain.messages import Cost, Finish, Usage
from orca_core.domain.recall import Citation, Injection, Level, References
from orca_core.domain.refs import Ref
from orca_core.domain.second_reading import SecondReading


class LevelChanged(Struct, frozen=True):
    """Memory fell or rose to a level; None where nothing stands in its way any more."""

    event: ClassVar[str] = "level"
    level: Level
    cause: Cause | None


class Remembered(Struct, frozen=True):
    """A memory was written at once, because the user asked. `outcome` is an `Added` value."""

    event: ClassVar[str] = "remembered"
    memory: Memory
    outcome: str
    status: Status


class ForgetProposed(Struct, frozen=True):
    """The user asked to forget something: these memories would be archived, if they say so."""

    event: ClassVar[str] = "forget"
    proposed: tuple[int, ...]


class Injected(Struct, frozen=True):
    event: ClassVar[str] = "injected"
    injection: Injection


class Queued(Struct, frozen=True):
    """The model's server is alive but has not begun to answer."""

    event: ClassVar[str] = "queued"
    detail: str


class Delta(Struct, frozen=True):
    """A piece of the answer as it is shown: without citations."""

    event: ClassVar[str] = "delta"
    text: str


class Reasoning(Struct, frozen=True):
    """A piece of what the model thinks. `takes_back`: it is all that came as the answer so far, and was none."""

    event: ClassVar[str] = "reasoning"
    text: str
    takes_back: bool = False


class Reply(Struct, frozen=True):
    """The whole answer. `note` says something about how it ended, in the provider's words; `cost` is None where nobody
    named a price."""

    event: ClassVar[str] = "reply"
    text: str
    citations: tuple[Citation, ...]
    finish: Finish
    usage: Usage | None
    seconds: float
    note: str = ""
    cost: Cost | None = None


class Referenced(Struct, frozen=True):
    event: ClassVar[str] = "references"
    references: References


class WeightMoved(Struct, frozen=True):
    event: ClassVar[str] = "weight"
    ref: Ref
    before: float
    after: float
    status: Status


class Archived(Struct, frozen=True):
    event: ClassVar[str] = "archived"
    id: int


class Extraction(Struct, frozen=True):
    """How a run of the memory agent goes. `queued`: another Orca leads and will see to it; then `run` is 0.
    `rounds` are those that it reads, `next_at` when a failed one is tried again, `second_reading` what a second reader
    made of its facts."""

    event: ClassVar[str] = "extraction"
    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    rounds: tuple[int, ...] = ()
    learnt: Learnt = field(default_factory=Learnt)
    error: str = ""
    next_at: datetime | None = None
    second_reading: SecondReading | None = None


class Folded(Struct, frozen=True):
    """The rounds up to `through` of a long conversation now stand in its running summary; or they do not, by
    `error`."""

    event: ClassVar[str] = "summary"
    run: int
    session_id: str
    through: int
    error: str = ""


class CuesWritten(Struct, frozen=True):
    """These memories have got their cues; or none has, by `error`."""

    event: ClassVar[str] = "cues"
    ids: tuple[int, ...]
    error: str = ""


class Consolidated(Struct, frozen=True):
    """How a run that makes knowledge of `episodes` on a target goes: which `knowledge` it made or renewed, as which
    `version`; `held_because` says why that waits for a person, `lacking` what of it stands in no episode. `next_at` is
    when a failed one is tried again. `queued`: another Orca leads and will see to it; then `run` is 0."""

    event: ClassVar[str] = "knowledge"
    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    target: str = ""
    episodes: tuple[int, ...] = ()
    knowledge: int | None = None
    version: int = 0
    held_because: str | None = None
    lacking: tuple[str, ...] = ()
    error: str = ""
    next_at: datetime | None = None


class EpisodesRead(Struct, frozen=True):
    """How a reading of an ended session for episodes goes: which it `made`, and which it told on (`changed`), by their
    numbers; some of them may be candidates. `next_at` is when a failed one is tried again, `second_reading` what a
    second reader made of them."""

    event: ClassVar[str] = "episodes"
    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    rounds: tuple[int, ...] = ()
    made: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    error: str = ""
    next_at: datetime | None = None
    second_reading: SecondReading | None = None


class Promoted(Struct, frozen=True):
    """A candidate went live by what acts show, as nobody has stated it; or none could, by `error`."""

    event: ClassVar[str] = "promoted"
    id: int | None
    content: str = ""
    operation: int | None = None
    error: str = ""


class Resting(Struct, frozen=True):
    """Background work that asks the memory agent rests until the day ends: `used` of its `limit` of tokens are used."""

    event: ClassVar[str] = "resting"
    used: int
    limit: int
    until: datetime


class Embedded(Struct, frozen=True):
    """Many texts are embedded in the background: so many have a vector by now, of the whole that can have one. The last
    of these events has both alike."""

    event: ClassVar[str] = "embedded"
    have: int
    whole: int


class Failed(Struct, frozen=True):
    """Something failed; the turn goes on where it can. `kind`, `template` and `fields` are an OrcaError's own, for
    the catalogue; `message` and `hint` the same in English."""

    event: ClassVar[str] = "error"
    kind: str
    message: str
    hint: str
    template: str
    hint_template: str
    fields: dict[str, object]


class Saved(Struct, frozen=True):
    """A round whose save had failed is saved now."""

    event: ClassVar[str] = "saved"
    session_id: str
    round: int


class Done(Struct, frozen=True):
    """The turn is over: always the last event."""

    event: ClassVar[str] = "done"
    session_id: str
    round: int


Event = (
    LevelChanged
    | Remembered
    | ForgetProposed
    | Injected
    | Queued
    | Delta
    | Reasoning
    | Reply
    | Referenced
    | WeightMoved
    | Archived
    | Extraction
    | Folded
    | CuesWritten
    | EpisodesRead
    | ActsRead
    | GuideMade
    | Contrasted
    | Consolidated
    | Promoted
    | Resting
    | Embedded
    | Failed
    | Saved
    | Done
)

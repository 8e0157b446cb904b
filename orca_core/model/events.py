"""Events: one turn is one stream of them. Nothing here decides.

All that changes comes in one feed: stored changes (`OperationMade`) in the order of the operations, each once, from
any `after` on: the number of an operation is the cursor from which a listener resumes. All other events are live."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.learning import LearntFacts, Verification
from orca_core.model.llm import Cost, Finish, Usage
from orca_core.model.memories import Memory, Status
from orca_core.model.operations import Change, Operation
from orca_core.model.recall import Citation, Injection, Level, LookUp, References
from orca_core.model.record_types import Cause, Ref


class TaggedEvent(Struct, frozen=True, tag_field="event"):
    """One kind of event: its tag names it, in JSON too."""

    @property
    def event(self) -> str:
        """The name of its kind."""
        return str(self.__struct_config__.tag)


class LevelChanged(TaggedEvent, frozen=True, tag="level"):
    """Memory fell or rose to a level; None where nothing stands in its way any more."""

    level: Level
    cause: Cause | None


class Remembered(TaggedEvent, frozen=True, tag="remembered"):
    """A memory was written at once, because the user asked. `outcome` is an `Added` value."""

    memory: Memory
    outcome: str
    status: Status


class ForgetProposed(TaggedEvent, frozen=True, tag="forget"):
    """The user asked to forget something: these memories would be archived, if they say so."""

    proposed: tuple[int, ...]


class Injected(TaggedEvent, frozen=True, tag="injected"):
    injection: Injection


class LookingUp(TaggedEvent, frozen=True, tag="looking_up"):
    """The model asks what is remembered; `LookedUp` follows."""

    query: str


class LookedUp(TaggedEvent, frozen=True, tag="looked_up"):
    """What the model was given for its query."""

    lookup: LookUp


class Queued(TaggedEvent, frozen=True, tag="queued"):
    """The model's server is alive but has not begun to answer."""

    detail: str


class Delta(TaggedEvent, frozen=True, tag="delta"):
    """A piece of the answer as it is shown: without citations."""

    text: str


class Reasoning(TaggedEvent, frozen=True, tag="reasoning"):
    """A piece of what the model thinks. `takes_back`: it is all that came as the answer so far, and was none."""

    text: str
    takes_back: bool = False


class Reply(TaggedEvent, frozen=True, tag="reply"):
    """The whole answer. `note` says something about how it ended, in the provider's words; `cost` is None where nobody
    named a price."""

    text: str
    citations: tuple[Citation, ...]
    finish: Finish
    usage: Usage | None
    seconds: float
    note: str = ""
    cost: Cost | None = None


class Referenced(TaggedEvent, frozen=True, tag="references"):
    references: References


class WeightMoved(TaggedEvent, frozen=True, tag="weight"):
    ref: Ref
    before: float
    after: float
    status: Status
    is_taken_back: bool = False
    """Whether this takes back what the attempt before this one did: the turn itself did not move it."""


class Archived(TaggedEvent, frozen=True, tag="archived"):
    id: int


class Extraction(TaggedEvent, frozen=True, tag="extraction"):
    """How a run of the memory agent goes. `queued`: another Orca leads and will see to it; then `run` is 0.
    `rounds` are those that it reads, `next_at` when a failed one is tried again, `verification` what the verifier
    made of its facts."""

    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    rounds: tuple[int, ...] = ()
    learnt: LearntFacts = field(default_factory=LearntFacts)
    error: str = ""
    next_at: datetime | None = None
    verification: Verification | None = None


class SummaryFolded(TaggedEvent, frozen=True, tag="summary"):
    """The rounds up to `through` of a long conversation now stand in its running summary; or they do not, by
    `error`."""

    run: int
    session_id: str
    through: int
    error: str = ""


class Consolidated(TaggedEvent, frozen=True, tag="knowledge"):
    """How a run that makes knowledge of `episodes` on a target goes: which `knowledge` it made or renewed, as which
    `version`; `held_because` says why that waits for a person, `lacking` what of it stands in no episode. `next_at` is
    when a failed one is tried again. `queued`: another Orca leads and will see to it; then `run` is 0."""

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


class EpisodesRead(TaggedEvent, frozen=True, tag="episodes"):
    """How a reading of an ended session for episodes goes: which it `made`, and which it told on (`changed`), by their
    numbers; some of them may be candidates. `next_at` is when a failed one is tried again, `verification` what the
    verifier made of them."""

    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    rounds: tuple[int, ...] = ()
    made: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    error: str = ""
    next_at: datetime | None = None
    verification: Verification | None = None


class Promoted(TaggedEvent, frozen=True, tag="promoted"):
    """A candidate went live by what acts show, as nobody has stated it; or none could, by `error`."""

    id: int | None
    content: str = ""
    operation: int | None = None
    error: str = ""


class Resting(TaggedEvent, frozen=True, tag="resting"):
    """Background work that asks the memory agent rests until the day ends: `used` of its `limit` of tokens are used."""

    used: int
    limit: int
    until: datetime


class Embedded(TaggedEvent, frozen=True, tag="embedded"):
    """Many texts are embedded in the background: so many have a vector by now, of the whole that can have one. The last
    of these events has both alike."""

    have: int
    whole: int


class Failed(TaggedEvent, frozen=True, tag="error"):
    """Something failed; the turn goes on where it can. `kind`, `template` and `fields` are an OrcaError's own, for
    the catalogue; `message` and `hint` the same in English."""

    kind: str
    message: str
    hint: str
    template: str
    hint_template: str
    fields: dict[str, object]


class Saved(TaggedEvent, frozen=True, tag="saved"):
    """A round whose save had failed is saved now."""

    session_id: str
    round: int


class Done(TaggedEvent, frozen=True, tag="done"):
    """The turn is over: always the last event."""

    session_id: str
    round: int


class ActsRead(TaggedEvent, frozen=True, tag="acts"):
    """How a reading of acts of a session goes: which memories these `supported`, which of them it `made`, and how many
    preferences were `dropped`. `next_at` is when a failed one is tried again, `verification` what the verifier
    made of them. `queued`: another Orca leads and will see to it; then `run` is 0. With a `candidate` these acts were
    read for whether they let it live."""

    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    acts: tuple[int, ...] = ()
    supported: tuple[int, ...] = ()
    made: tuple[int, ...] = ()
    dropped: int = 0
    error: str = ""
    next_at: datetime | None = None
    verification: Verification | None = None
    candidate: int | None = None


class GuideMade(TaggedEvent, frozen=True, tag="guide"):
    """How a run that writes the guide of a `tool` by so many of its `calls` goes: which `guide` it made or renewed, as
    which `version`; `held_because` says why that waits for a person, or is not kept at all (`secret`), `lacking` what
    of it does, `left_out` which sentences the verifier refused, which are not in it. `next_at` is when a failed one is
    tried again, `verification` what the verifier made of it.
    `queued`: another Orca leads and will see to it."""

    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    tool: str = ""
    calls: int = 0
    guide: int | None = None
    version: int = 0
    held_because: str | None = None
    lacking: tuple[str, ...] = ()
    error: str = ""
    next_at: datetime | None = None
    verification: Verification | None = None
    left_out: tuple[str, ...] = ()


Event = (
    LevelChanged
    | Remembered
    | ForgetProposed
    | Injected
    | LookingUp
    | LookedUp
    | Queued
    | Delta
    | Reasoning
    | Reply
    | Referenced
    | WeightMoved
    | Archived
    | Extraction
    | SummaryFolded
    | EpisodesRead
    | ActsRead
    | GuideMade
    | Consolidated
    | Promoted
    | Resting
    | Embedded
    | Failed
    | Saved
    | Done
)

J = TypeVar("J", Injection, Injection | None)


def injection_after(before: J, event: Event) -> J | Injection:
    """What memory put before the model in a turn, once this has happened: look-ups add to it."""
    match event:
        case Injected(injection):
            return injection
        case LookedUp(lookup) if before is not None:
            return replace(before, lookups=(*before.lookups, lookup))
    return before


MOST_CHANGES = 1000
"""So many changes of one operation are told: an import may have a hundred thousand. Chosen by hand."""


class OperationMade(TaggedEvent, frozen=True, tag="operation"):
    """An operation and its changes, whoever made it: a person, a turn, learning, in this process or another. Of more
    than MOST_CHANGES the first are told."""

    operation: Operation
    changes: tuple[Change, ...]


class ChangedElsewhere(TaggedEvent, frozen=True, tag="elsewhere"):
    """Another process wrote into the database: what is shown of chats, runs and waiting rounds may be out of date."""


class Missed(TaggedEvent, frozen=True, tag="missed"):
    """A listener was too slow, and this many live events were dropped for it."""

    count: int


FeedEvent = Event | OperationMade | ChangedElsewhere | Missed


class StreamNotice(Struct, frozen=True):
    """One event of the stream. `cursor` is the operation to resume after; `session_id` is the chat of a turn's
    event."""

    cursor: int
    event: FeedEvent
    session_id: str = ""

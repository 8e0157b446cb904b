"""What is learnt in the background: batches of rounds, what a memory agent proposes, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from orca_core.model.dialogues import Round
from orca_core.model.memories import Memory, MemoryType, Status
from orca_core.model.messages import Role, Usage
from orca_core.model.verifying import Verification


class RunKind(StrEnum):
    """What Orca's own runs learn. A kind of a program's own has a word of its own."""

    EXTRACT = "extract"
    SUMMARIZE = "summarize"
    CONSOLIDATE = "consolidate"
    EPISODES = "episodes"
    ACTIONS = "actions"
    GUIDES = "guides"
    VERIFY = "verify"
    """Of candidates about which the verifier had not answered."""


class RunState(StrEnum):
    """How a run stands. Four outcomes, never mixed up: facts (`done`), `none`, `unreadable`, `failed`."""

    RUNNING = "running"
    DONE = "done"
    NONE = "none"
    UNREADABLE = "unreadable"
    FAILED = "failed"


OPEN_STATES = (RunState.UNREADABLE, RunState.FAILED)
"""States of a run whose rounds still wait: tried again at `next_at`, parked where there is none."""


class Batch(Struct, frozen=True):
    """Rounds that one run reads, for the `tries`-th time: a try counts from its claim on. `left` more of the session
    were due and did not fit; `is_again` where they had been read before; `summary` is what a fold goes on from."""

    run: int
    kind: str
    session_id: str
    rounds: tuple[Round, ...]
    tries: int
    left: int = 0
    is_again: bool = False
    summary: str = ""


class UnverifiedBatch(Batch, frozen=True):
    """Candidates that the verifier is asked about once more, with the rounds that they stand on."""

    candidates: tuple[int, ...] = ()


class Wanted(Struct, frozen=True):
    """What to learn from now: rounds of `ended` sessions beside what is due anyway; with `everything` all that waits,
    also what failed a moment ago; only what is of `session_id`, or about one `target`, where that is given. Somebody
    looks at the `inbox`: what the verifier has not answered about is asked about once more. `again`: what was read of
    the session once more, and nothing else."""

    ended: tuple[str, ...] = ()
    session_id: str | None = None
    everything: bool = False
    target: str | None = None
    inbox: bool = False
    again: bool = False


class Due(Struct, frozen=True):
    """Which rounds are to be read now: of sessions that have `batch_size` of them, that ended (another was begun
    since, or nothing was said `idle_since`, or they are in `ended`), or `everything`; only `session_id`'s where it is
    given, at most `most` of them, and of no run in `besides`, which was tried just now."""

    now: datetime
    batch_size: int
    idle_since: datetime
    ended: tuple[str, ...] = ()
    session_id: str | None = None
    everything: bool = False
    most: int | None = None
    besides: tuple[int, ...] = ()


class ProposedFact(Struct, frozen=True):
    """A fact as the memory agent gave it, within the rules of form; nothing says yet that it is true.

    `replace` names a known memory that it takes the place of, `retract` one that no longer holds. `about` (user,
    theirs, other) and `when` (now, past, planned, wish) are the agent's own labels; empty where it gave none. A bare
    fact has nothing but `retract`; its content says so in words. `has_hidden` tells that something that nobody sees was
    taken out of the content."""

    content: str
    type: MemoryType
    tags: tuple[str, ...]
    confidence: float
    quote: str = ""
    replace: str = ""
    retract: str = ""
    about: str = ""
    when: str = ""
    has_hidden: bool = False


class DroppedFact(Struct, frozen=True):
    """A fact that was not taken, and why."""

    content: str
    reason: str


class Reading(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    facts: tuple[ProposedFact, ...]
    dropped: tuple[DroppedFact, ...]


Choose = Callable[[Sequence[Round]], int]
"""How many of the oldest rounds one run takes (`rules.learning.agent.transcripts.how_many_fit`)."""


WaitS = Callable[[int], float]
"""How many seconds to wait after so many failures in a row (`rules.learning.queue.backlog.look_again_s`)."""


class StoredFact(Struct, frozen=True):
    """A fact that is a memory now, with the known memories nearest to it. A store does not know its `status`."""

    memory: Memory
    similar: tuple[int, ...]
    status: Status | None = None


class Learnt(Struct, frozen=True):
    """What a run changed, in one operation (None where nothing changed)."""

    stored: tuple[StoredFact, ...] = ()
    confirmed: tuple[int, ...] = ()
    replaced: tuple[tuple[int, int], ...] = ()
    candidates: tuple[StoredFact, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    operation: int | None = None


class AgentMessage(Struct, frozen=True):
    """One message between Orca and the memory agent; `in_verification` where the verifier was asked."""

    role: Role
    content: str
    at: datetime
    model: str = ""
    usage: Usage | None = None
    in_verification: bool = False


class RunEnd(Struct, frozen=True):
    """How a try at a run ended: when, what was said in it, which memories and `episodes` it was shown, and what the
    verifier made of its facts (None where nobody was asked)."""

    at: datetime
    exchange: tuple[AgentMessage, ...] = ()
    shown: tuple[int, ...] = ()
    verification: Verification | None = None
    episodes: tuple[int, ...] = ()


class Run(Struct, frozen=True):
    """A run as it is on record. `result` names memories by id: stored (with similar), confirmed, replaced …
    A consolidation reads `episodes` on a `target`, no rounds of a session; the target of a run of acts is the candidate
    that they are to let live."""

    id: int
    kind: str
    session_id: str
    rounds: tuple[int, ...]
    state: RunState
    tries: int
    started_at: datetime
    ended_at: datetime | None = None
    next_at: datetime | None = None
    operation: int | None = None
    error: str = ""
    result: RunResult | None = None
    target: str = ""
    episodes: tuple[int, ...] = ()

    @property
    def is_parked(self) -> bool:
        """Tried as often as it may be: only a person starts it again."""
        return self.state in OPEN_STATES and self.next_at is None

    @property
    def found_nothing(self) -> bool:
        """Read to its end, and nothing came of it that anyone would look for."""
        return self.state is RunState.NONE and self.operation is None and not self.error


class RunResult(Struct, frozen=True):
    """What a run did, by the memories' numbers: their texts are in the memories alone. What is `retracted` an older
    version archived without a successor."""

    stored: tuple[int, ...] = ()
    confirmed: tuple[int, ...] = ()
    replaced: tuple[tuple[int, int], ...] = ()
    retracted: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    similar: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    verification: Verification | None = None
    knowledge: tuple[int, ...] = ()
    episodes: tuple[int, ...] = ()
    guides: tuple[int, ...] = ()
    supported: tuple[int, ...] = ()


class Queue(Struct, frozen=True):
    """What waits to be learnt. `next_at` is when the earliest failed run is tried again; a chat is learnt from when
    `learns_at` of its rounds wait, 0 where nobody said."""

    waiting: Mapping[str, int]
    running: int = 0
    failing: int = 0
    parked: int = 0
    next_at: datetime | None = None
    last_success: datetime | None = None
    last_error: str = ""
    learns_at: int = 0

    @property
    def rounds(self) -> int:
        return sum(self.waiting.values())


class Lesson(Struct, frozen=True):
    """One run, what was said in it, and the memories that it names, as they are now (those that still exist)."""

    run: Run
    exchange: tuple[AgentMessage, ...]
    memories: dict[int, Memory]

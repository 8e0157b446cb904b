"""What is learnt in the background: which rounds are read next, what a memory agent proposes, how it is verified and
settled, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from orca_core.model.llm import Role, Usage
from orca_core.model.memories import Memory, MemoryType, NewMemory, SaidAgain, Status
from orca_core.model.operations import Change
from orca_core.model.sessions import Round


class Subject(StrEnum):
    """Tells of what kind the statements are that the verifier reads: each kind has criteria of its own."""

    FACTS = "facts"
    EPISODES = "episodes"
    FEEDBACK = "feedback"
    GUIDES = "guides"


class KnownNote(Struct, frozen=True):
    """Something that is known already, by the number of its memory."""

    id: int
    text: str


class Statement(Struct, frozen=True):
    """What somebody noted of the user: in words, with what was typed of it, the rounds that it stands on (none: any),
    and the known notes that are nearest to it."""

    says: str
    quote: str = ""
    rounds: tuple[int, ...] = ()
    known: tuple[KnownNote, ...] = ()


class Relation(StrEnum):
    """How a statement stands to a known note: it says the same, or the note no longer holds now that it does."""

    SAME = "same"
    REPLACES = "replaces"


class VerifierAnswer(Struct, frozen=True):
    """What the verifier says of one statement: whether the user says so, in which of their words, and how it stands to
    which known note. A `known` without a relation does not occur."""

    says_so: bool
    words: str = ""
    known: int | None = None
    relation: Relation | None = None
    why: str = ""

    def names(self, relation: Relation) -> int | None:
        """The known note that stands so to the statement."""
        return self.known if self.relation is relation else None


class VerifierFailure(StrEnum):
    """Why nothing was verified: the verifier could not be asked, was not understood, or has no tokens left today."""

    FAILED = "failed"
    UNREADABLE = "unreadable"
    NO_TOKENS = "no_tokens"


class Verification(Struct, frozen=True):
    """How a run's statements were verified: so many were asked about, so many refused, so many not answered. With a
    `failure` none was answered, and `error` says what went wrong."""

    asked: int
    refused: int = 0
    unanswered: int = 0
    failure: VerifierFailure | None = None
    error: str = ""

    def with_another(self, other: Verification) -> Verification:
        """Both verifications of one run as one."""
        return Verification(
            self.asked + other.asked,
            self.refused + other.refused,
            self.unanswered + other.unanswered,
            self.failure or other.failure,
            self.error or other.error,
        )


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


class FactReading(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    facts: tuple[ProposedFact, ...]
    dropped: tuple[DroppedFact, ...]


Choose = Callable[[Sequence[Round]], int]
"""How many of the oldest rounds one run takes (`rules.learning.transcripts.how_many_fit`)."""


WaitS = Callable[[int], float]
"""How many seconds to wait after so many failures in a row (`rules.learning.run_schedule.retry_wait_s`)."""


class StoredFact(Struct, frozen=True):
    """A fact that is a memory now, with the known memories nearest to it. A store does not know its `status`."""

    memory: Memory
    similar: tuple[int, ...]
    status: Status | None = None


class LearntFacts(Struct, frozen=True):
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


class RunView(Struct, frozen=True):
    """One run, what was said in it, and the memories that it names, as they are now (those that still exist)."""

    run: Run
    exchange: tuple[AgentMessage, ...]
    memories: dict[int, Memory]


class Proposal(Struct, frozen=True):
    """A judged fact on its way into the store, with the known memories nearest to it, nearest first. `same` is the
    memory that says it already, `replaces` the one that no longer holds now that it does, both by the verifier's word.
    Those that are `close` are so by their vectors."""

    new: NewMemory
    nominated: tuple[int, ...] = ()
    same: int | None = None
    replaces: int | None = None
    close: frozenset[int] = frozenset()


class Resolution(Struct, frozen=True):
    """What a rule makes of a proposal, beside the memories as they are inside the transaction.

    Either a memory says it already (`known`, `again`), or it is dropped (`reason`), or it is stored: then the
    memories in `supersedes` are archived for it. Either way the candidates in `moot` are archived, for nothing is left
    to decide of them, and `undecided` pairs (memory, why) are listed for a person. What was said before `outdated_by`
    is archived at once, stored or brought alive, as what that one has replaced.
    """

    store: NewMemory | None = None
    known: int | None = None
    again: SaidAgain | None = None
    reason: str = ""
    supersedes: tuple[int, ...] = ()
    outdated_by: int | None = None
    moot: tuple[int, ...] = ()
    undecided: tuple[tuple[int, str], ...] = ()


class KnownMemories(Struct, frozen=True):
    """The memories that a fact is compared with: the nearest first, in any state, with what persons did to them.
    `heard` are those that the same rounds made, confirmed or retracted before, `undone` those of them whose run a
    person undid. Those in `since` stand as they do by words that were typed, or by what a person did, after the fact's
    words."""

    memories: tuple[Memory, ...]
    hand_changes: tuple[Change, ...] = ()
    heard: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()
    since: frozenset[int] = frozenset()


Settle = Callable[[Proposal, KnownMemories], Resolution]
"""The rule that decides what a proposed fact comes to (`rules.learning.resolve.settle`)."""


class OpenRun(Struct, frozen=True):
    """A run that was cut short or failed; `is_again` where its rounds had been read before. It is tried again at
    `next_at`, or by a person where there is none."""

    id: int
    session_id: str
    state: RunState
    tries: int
    rounds: tuple[int, ...]
    is_again: bool
    next_at: datetime | None
    target: str = ""
    """What a consolidation is about."""
    acts: tuple[int, ...] = ()


class WaitingSession(Struct, frozen=True):
    """A session with rounds that nobody has claimed, the first of which is `first` in the queue. It `is_held` while a
    run of it that failed waits for its time; `is_left` once another session was begun after its last round."""

    session_id: str
    rounds: int
    first: int
    used_at: datetime
    is_left: bool
    is_held: bool

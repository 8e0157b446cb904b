"""What a front end asks for and is given: queries and pages, and views with all that the core's settings say of a
record, so that nobody computes it anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic

from msgspec import Struct, field

from orca_core.model.diagnosis import StoreHealth
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Memory, MemoryType, Nearness, State, Status
from orca_core.model.recall import Level, ScoreParts
from orca_core.model.record_types import Cause, R, T
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome, TaskView, Trigger
from orca_core.model.tools import GuideView


class StatusCriteria(Struct, frozen=True):
    """A status as a store can look for it (`rules.memory.memory_curation.criteria`)."""

    states: tuple[State, ...]
    weight_above: float | None = None
    weight_at_most: float | None = None


class MemorySort(StrEnum):
    WEIGHT = "weight"
    USED = "used"
    NEW = "new"
    TYPE = "type"
    WAITING = "waiting"
    ID = "id"


class MemoryQuery(Struct, frozen=True):
    """Which memories to list, in which order. `text` holds words, each of which must stand in a memory, if need be with
    letters between its own. Empty tuples mean all; memories must carry every tag named. Where the
    total is not `counted`, a page knows only its own length. `pinned` asks for those alone, or for all but those.
    `chat` holds words of the title of a chat elsewhere, `program` names the one whose file it came in; `operation` asks
    for what that operation changed, `ids` for some of these alone. A page begins at the `offset`, or behind the memory
    `after`, which costs the same wherever it stands; of those that wait also behind a `place`, which is a time and a
    number, whatever became of the memory that stood there."""

    criteria: StatusCriteria
    types: tuple[MemoryType, ...] = ()
    tags: tuple[str, ...] = ()
    sort: MemorySort = MemorySort.WEIGHT
    pinned: bool | None = None
    text: str = ""
    chat: str = ""
    program: str = ""
    operation: int | None = None
    ids: tuple[int, ...] | None = None
    counted: bool = True
    limit: int | None = None
    offset: int = 0
    after: int | None = None
    place: tuple[datetime, int] | None = None


class ListQuery(Struct, frozen=True):
    """Which memories to list, in words as people write them: a status (`live`, `all` …), types, tags, a sort; `ids` are
    those that are asked about. A page begins at the `offset`, or behind the memory `after`."""

    status: str = "live"
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sort: str = MemorySort.WEIGHT.value
    pinned_only: bool = False
    text: str = ""
    chat: str = ""
    program: str = ""
    operation: int | None = None
    ids: tuple[int, ...] | None = None
    limit: int | None = None
    offset: int = 0
    after: int | None = None


class TextPlace(Struct, frozen=True):
    """How far the texts of memories were looked through: up to this one of a scope."""

    scope: str
    text: str


class SiftedList(Struct, frozen=True):
    """How far a list is looked through that is filtered by what no index knows: the numbers of the memories that it
    begins with, and how many were found so far. Where it `is_whole`, these are all."""

    ids: tuple[int, ...]
    total: int
    is_whole: bool


class RecordQuery(Struct, frozen=True):
    """Which records of a kind to list. `where` are columns, and the values one of which a record must hold there, as
    they are stored; it carries every tag named, and every word of `text` stands in its text, if need be with letters
    between its own. `order` are columns, downwards behind a minus. A page that is not `counted` has no total but its
    own length. One that goes on behind a `place`, which is a value for each column of an order upwards, costs the same
    wherever that is."""

    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    text: str = ""
    order: tuple[str, ...] = ("-id",)
    counted: bool = True
    limit: int | None = None
    offset: int = 0
    place: tuple[Any, ...] | None = None


class RecordPage(Struct, Generic[T], frozen=True):
    """A page of a list of records, or of views of them; `total` counts what is beyond it, too."""

    records: tuple[T, ...]
    total: int


class Forecast(Struct, frozen=True):
    """How many more injections of one kind lead where: `archived` after unused ones, `core` after used ones."""

    unused_until_archived: int | None
    used_until_core: int | None


class MemoryView(Struct, frozen=True):
    """A memory as people see it: its status, what is coming, and how much of the most it weighs (0 to 1)."""

    memory: Memory
    status: Status
    forecast: Forecast
    fullness: float

    @property
    def record(self) -> Memory:
        """The memory, as a list of any kind calls it."""
        return self.memory


class SearchHit(Struct, frozen=True):
    """A memory that was found, and what speaks for it."""

    view: MemoryView
    parts: ScoreParts

    @property
    def memory(self) -> Memory:
        return self.view.memory


class SearchResult(Struct, frozen=True):
    """What a search by hand found, at which level, and why not at a better one. `rules` say by what less was looked
    at than there is, and how the order came about, where not by the scores alone."""

    hits: tuple[SearchHit, ...]
    level: Level
    cause: Cause | None
    rules: tuple[str, ...] = ()


class StaleReason(StrEnum):
    """What is no longer so as it was when a candidate was found. Its target is the memory that it was to replace."""

    ROUNDS_GONE = "rounds_gone"
    QUOTE_GONE = "quote_gone"
    TARGET_GONE = "target_gone"
    TARGET_ARCHIVED = "target_archived"
    TARGET_PINNED = "target_pinned"
    TARGET_CHANGED = "target_changed"
    DELETED = "deleted"
    """What it says was deleted once."""


class CaseStanding(Struct, frozen=True):
    """What holds of a candidate at present. `held_because` is None where today's rules would let it live; `replaces`
    is the live memory that accepting archives, `same` one that says the same by now."""

    held_because: str | None = None
    replaces: int | None = None
    same: Memory | None = None
    since: tuple[StaleReason, ...] = ()


class InboxCase(Struct, frozen=True):
    """A memory, most often a candidate, with what a decision about it needs: the rounds that it came from, the memory
    that it would replace, repeats or stands nearest to, and how a candidate stands at present."""

    view: MemoryView
    rounds: tuple[Round, ...]
    nearest_view: MemoryView | None
    standing: CaseStanding = CaseStanding()  # frozen
    nearness: Nearness | None = None
    """How near the nearest is; None where it was not found by a search."""

    @property
    def memory(self) -> Memory:
        return self.view.memory

    @property
    def nearest(self) -> Memory | None:
        return None if self.nearest_view is None else self.nearest_view.memory


class InboxCount(Struct, frozen=True):
    """How many candidates wait for a person, and since when the oldest does; None where none waits."""

    count: int = 0
    since: datetime | None = None


class PairView(Struct, frozen=True):
    """Two memories that may say the same, or contradict each other: the rules do not know."""

    newer: MemoryView
    older: MemoryView
    why: str


class SetupSummary(Struct, frozen=True):
    """What a front end says of how Orca is set up: who answers (nobody but the demo where `provider` is empty), what
    the model takes as far as the configuration says, after how many rounds something is learnt, and whether memories
    are found by letters though an embedder of meaning is installed."""

    provider: str
    model: str
    context_tokens: int
    learns_at: int
    offers_meaning: bool = False

    @property
    def is_demo(self) -> bool:
        return not self.provider


class Stats(Struct, frozen=True):
    """What is in the store: memories by status and by type, tasks, episodes and knowledge by status; and how large it
    is."""

    by_status: dict[str, int]
    by_type: dict[str, int]
    health: StoreHealth
    of_work: dict[str, dict[str, int]] = field(default_factory=dict)


class RecordView(Struct, Generic[R], frozen=True):
    """How people and programs see a record of a further kind: its JSON, and one line of it for lists."""

    json: Callable[[R], dict[str, Any]]
    line: Callable[[R], str]


class EpisodeAge(Struct, frozen=True):
    """What the importance of an episode follows from."""

    id: int
    aged_from: datetime
    outcome: Outcome
    trigger: Trigger
    steps: int
    access_count: int
    is_pinned: bool = False
    is_consolidated: bool = False


class FadesBy(StrEnum):
    """What will forget an episode: a date, nothing, or newer ones above the cap."""

    DATE = "date"
    NEVER = "never"
    CAP = "cap"


class Keeps(StrEnum):
    """Why an episode is never forgotten by age."""

    PINNED = "pinned"
    OFF = "off"
    IMPORTANT = "important"


class FadeForecast(Struct, frozen=True):
    """When a live episode is forgotten, unless it is used: `at` of a date; `place` among those that go when there are
    too many (1 is the next); `keeps` where age never forgets it, and the `least` that its importance will be."""

    by: FadesBy
    at: datetime | None = None
    place: int | None = None
    keeps: Keeps | None = None
    least: float = 0.0


class EpisodeView(Struct, frozen=True):
    """An episode as people see it. A live one has a `forecast`; one that faded is deleted for good at `deleted_at`.
    `course` is its importance from its first day to the last that age counts, at even steps, as it is used now;
    `days_old` says where in it today is; below the `threshold` it is forgotten."""

    episode: Episode
    status: Status
    importance: float
    forecast: FadeForecast | None = None
    deleted_at: datetime | None = None
    course: tuple[tuple[int, float], ...] = ()
    days_old: int = 0
    threshold: float = 0.0

    @property
    def record(self) -> Episode:
        """The episode, as a list of any kind calls it."""
        return self.episode


class KnowledgeView(Struct, frozen=True):
    """Knowledge as people see it."""

    knowledge: Knowledge
    status: Status

    @property
    def record(self) -> Knowledge:
        """The knowledge, as a list of any kind calls it."""
        return self.knowledge


class ForgottenEpisodes(Struct, frozen=True):
    """What a run of the gate did, or would do: the episodes that it forgot, by one operation, those among them that
    went because there were too many, and those that it deleted for good."""

    episodes: tuple[int, ...] = ()
    deleted: tuple[int, ...] = ()
    operation: int | None = None
    above_cap: tuple[int, ...] = ()


class ForgettingReport(Struct, frozen=True):
    """What a run of the gate did, or would do, as people see it; `deleted` names what is gone for good, `next` is the
    episode that goes after these."""

    forgotten: tuple[EpisodeView, ...] = ()
    above_cap: frozenset[int] = frozenset()
    deleted: tuple[int, ...] = ()
    operation: int | None = None
    next: EpisodeView | None = None


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Message(Struct, frozen=True):
    """A message of a session; `round` is the number of the round that it is part of."""

    role: Role
    content: str
    at: datetime
    round: int


class AgentContext(Struct, frozen=True):
    """What was found for a question, nearest first, and all of it as one text; `guides` are those of the tools that the
    question or the task names. `level` is how much of the memory could
    be asked, `rules` say by what less was found than there may be."""

    session_id: str | None
    messages: tuple[Message, ...]
    task: TaskView | None
    memories: tuple[SearchHit, ...]
    episodes: tuple[EpisodeView, ...]
    knowledge: tuple[KnowledgeView, ...]
    guides: tuple[GuideView, ...]
    level: Level
    text: str
    rules: tuple[str, ...] = ()

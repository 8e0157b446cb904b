"""What a list has to be told of a kind of records: how a row is drawn, what it is filtered and sorted by, where rows
come from, what can be done to them, how one is shown and edited. A kind is one class that says so."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct, field
from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen

from orca_core.model.errors import NotFound
from orca_core.model.memories import InboxItem, State, Status
from orca_core.model.operations import Change
from orca_core.model.record_types import RecordType, Ref, plain_ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.text import Field, MoreToRead, RowStyles, fitted
from orca_tui.marks import Marks

R = TypeVar("R")
WHY_KEY = "w"


class Kept(Protocol):
    """What a record has, whatever its kind, that can be looked after by hand."""

    @property
    def id(self) -> int: ...
    @property
    def state(self) -> State: ...
    @property
    def pinned(self) -> bool: ...


K = TypeVar("K", bound=Kept)
K_co = TypeVar("K_co", bound=Kept, covariant=True)


class View(Protocol[K_co]):
    """A record with all that the core says of it."""

    @property
    def record(self) -> K_co: ...
    @property
    def status(self) -> Status: ...


V = TypeVar("V", bound=View[Any])


class Changed(Protocol[K_co]):
    """What a change by hand came to: the operation (None where nothing changed), the records as they are now."""

    @property
    def operation(self) -> int | None: ...
    @property
    def records(self) -> Sequence[K_co]: ...


class Asked(Struct, frozen=True):
    """Which rows a list wants, in the words of its kind: from the `offset` on, which lies behind the record `after`
    where that is known; or of some records, by their `ids`, those that are in the list at all."""

    status: str
    type: str
    sort: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    offset: int
    limit: int | None
    after: int | None = None
    ids: tuple[int, ...] | None = None

    @property
    def text(self) -> str:
        return " ".join(self.words)


class RowPage(Struct, Generic[V], frozen=True):
    """Some rows, and how many there are of them in all."""

    views: Sequence[V]
    total: int


class Listing(Struct, frozen=True):
    """How a list of the kind is called, and the words by which it is filtered and sorted, the usual ones first, each
    with what people read (marked with `N_`). An action `of_one` hits the cursor, whatever is marked."""

    id: str
    title: str
    sorts: Mapping[str, str]
    statuses: Mapping[str, str]
    types: Mapping[str, str] = field(default_factory=lambda: {"": ""})
    of_one: frozenset[str] = frozenset({"open", "history", "why", "edit", "sources"})


class Line(Struct, frozen=True):
    """What a row says of a record: its text, and at its right a figure and how full that is as a bar (0 to 1); a sign
    `before` the figure, and where there is room a word `behind` the bar."""

    text: str
    figure: str
    fullness: float
    before: str = ""
    behind: str = ""


Decision = Callable[[], Awaitable[object]]


class Place(Struct, frozen=True):
    """A round that a candidate rests on, and in words why."""

    session_id: str
    round: int
    words: str


class ToDecide(Struct, frozen=True):
    """A candidate as it is shown, and what each decision about exactly that does, by the words of the keys; `otherwise`
    is said of those that can't be taken. `form` is where it is said in other words, `edited` accepts it in them.
    `places` can be opened."""

    content: Content
    decisions: Mapping[str, Decision]
    otherwise: str
    form: Callable[[], ModalScreen[Any]]
    edited: Callable[[Mapping[str, str]], Awaitable[object]]
    places: Sequence[Place] = ()


Detail = tuple[Content, Sequence[MoreToRead]]
"""All of a record but its history, and what it leads on to."""
Actions = Mapping[str, Callable[[Sequence[Any]], object]]
"""What the keys of a list do, by the words of its key table, with the records that they hit."""
ChangeRecords = Callable[..., None]
"""`Shelf.change`: changes records and says so."""


class RecordKind(ABC, Generic[V, K]):
    """A kind of records; its subclasses say what is special about theirs. Dialogs and long texts are loaded when the
    first one is opened: a start does without."""

    type: ClassVar[RecordType[Any]]
    listing: ClassVar[Listing]

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    # What is special

    @property
    @abstractmethod
    def service(self) -> Any:
        """The service of Orca that holds these records: pin, unpin, archive, restore, delete, get …"""

    @abstractmethod
    async def page(self, asked: Asked) -> RowPage[V]: ...

    @abstractmethod
    async def views_of(self, records: Sequence[K]) -> Sequence[V]: ...

    @abstractmethod
    async def waiting(self) -> int:
        """How many candidates wait for a person."""

    @abstractmethod
    def row(self, view: V) -> Line: ...

    @abstractmethod
    def nothing(self, to_review: int) -> str:
        """The words of a list that is empty though nothing filters it; so many candidates wait."""

    @abstractmethod
    def line(self, record: K) -> str:
        """What the record says: for the clipboard, and to be asked about."""

    @abstractmethod
    def glance(self, view: V) -> Content:
        """The record under the cursor, in two lines."""

    @abstractmethod
    async def detail(self, record: K, history: Sequence[Change]) -> Detail: ...

    @abstractmethod
    def entries(self, record: K) -> list[Field]:
        """The form of a record."""

    @abstractmethod
    async def edit(self, record: K, changed: Mapping[str, str]) -> Changed[K]: ...

    @abstractmethod
    async def candidate(self, waits: InboxItem) -> ToDecide:
        """All that a decision about a candidate needs."""

    def left(self, deletion: Any) -> str:  # noqa: ARG002  # of most kinds nothing is
        """What still holds what the deleted records came from; empty where nothing does."""
        return ""

    def sift(self, asked: Asked) -> AsyncGenerator[Any] | None:  # noqa: ARG002  # of most kinds there are few
        """The numbers of the records in a list, as they are found; None where a page costs as much in a large home as
        in a small one."""
        return None

    async def changes_of(self, record_id: int) -> list[Change]:
        history: list[Change] = await self.service.changes_of(record_id)
        return history

    # What is the same for all

    async def views(self, ids: Sequence[int]) -> Sequence[V]:
        """Those of the records that were not deleted."""
        return await self.views_of(await left_of(self.service.get, ids))

    def ref(self, record: K) -> Ref:
        return Ref(self.type.kind, record.id)

    def name(self, record_id: int) -> str:
        """How a record is called in titles: `#12`, `e3`."""
        ref = Ref(self.type.kind, record_id)
        return f"#{ref.id}" if plain_ref(ref) == ref.id else str(ref)

    def open(self, record: K) -> None:
        """Show it in full."""
        self.show(record.id)

    def show(self, record_id: int) -> None:
        """Show a record in full, by its number; what it leads on to is one key away."""

        async def look() -> tuple[Detail, list[Change]]:
            [record] = await self.service.get([record_id])
            history = await self.changes_of(record_id)
            return await self.detail(record, history), history

        def shown(found: tuple[Detail, list[Change]]) -> None:
            from orca_tui.app.records.details import with_history
            from orca_tui.app.widgets.dialogs import TextView

            (body, more), history = found
            why = MoreToRead(WHY_KEY, _("why"), lambda: self.why(record_id))
            self._stage.push(TextView(self.name(record_id), with_history(body, history, self._marks), [*more, why]))

        self._ask(look, shown)

    def why(self, record_id: int) -> None:
        """Where the record was put before the model, and what the answers did with it."""
        from orca_tui.app.records.details import appearances_content
        from orca_tui.app.widgets.dialogs import TextView
        from orca_tui.words.memory_words import appearances_title

        ref = Ref(self.type.kind, record_id)
        self._ask(
            lambda: self._bridge.orca.sessions.appearances(ref),
            lambda found: self._stage.push(TextView(appearances_title(ref), appearances_content(found, self._marks))),
        )

    def history(self, record_id: int) -> None:
        from orca_tui.app.records.details import history_content
        from orca_tui.app.widgets.dialogs import TextView

        title = f"{self.name(record_id)}  {_('history')}"
        self._ask(
            lambda: self.changes_of(record_id),
            lambda changes: self._stage.push(TextView(title, history_content(changes, self._marks))),
        )

    def actions(self, change: ChangeRecords, added: Callable[[object], None]) -> dict[str, Callable[[Any], object]]:  # noqa: ARG002  # not every kind can be added to
        """What the keys of its list do beside what they do to records of every kind: `change` changes records and says
        so, `added` says that there is one more."""
        return {
            "open": lambda hit: self.open(hit[0]),
            "history": lambda hit: self.history(hit[0].id),
            "why": lambda hit: self.why(hit[0].id),
            "edit": lambda hit: self._ask_to_edit(change, hit[0]),
        }

    def counted(self, changed: Mapping[str, str]) -> Mapping[str, str]:
        """What of a form that was saved changes the record."""
        return changed

    def _ask_to_edit(self, change: ChangeRecords, record: K) -> None:
        from orca_tui.app.widgets.dialogs import EditFields

        def save(changed: Mapping[str, str] | None) -> None:
            if changed is None:
                return
            if counts := self.counted(changed):
                change(lambda: self.edit(record, counts), _("edited"))
            else:
                self._stage.note(_("nothing changed"))

        self._stage.push(EditFields(self.name(record.id), self.entries(record)), save)

    def _ask(self, work: Callable[[], Awaitable[R]], then: Callable[[R], None]) -> None:
        """Look at a record; a newer look replaces an older one."""
        self._stage.ask(work, then, group="look memory")


async def left_of(get: Callable[[Sequence[int]], Awaitable[list[R]]], ids: Sequence[int]) -> list[R]:
    """The records that were not deleted."""
    left = list(dict.fromkeys(ids))
    while left:
        try:
            return await get(left)
        except NotFound as gone:
            left = [each for each in left if each != gone.fields["id"]]
    return []


def mark_of(record: Kept, status: Status, marks: Marks) -> str:
    """One sign for what a record is."""
    if record.pinned:
        return marks.pinned
    return {
        Status.CORE: marks.core,
        Status.ACTIVE: marks.active,
        Status.ARCHIVED: marks.archived,
        Status.CANDIDATE: marks.candidate,
        Status.REJECTED: marks.rejected,
    }[status]


def bar(fullness: float, width: int, marks: Marks) -> str:
    """How full something is, as a bar of so many cells."""
    full, half, empty = marks.bar
    halves = round(fullness * width * 2)
    drawn = full * (halves // 2) + (half if halves % 2 else "")
    return drawn + empty * (width - len(drawn))


def record_row(
    view: View[Any],
    name: str,
    line: Line,
    width: int,
    marks: Marks,
    styles: RowStyles,
    *,
    is_marked: bool = False,
    change: str = "",
) -> list[Segment]:
    """A record in a line of so many cells: mark, name, text, and at its right the figures of its kind, for which the
    text makes room. A `change` stands for its figure until the next turn ends."""
    record, status = view.record, view.status
    tail = f" {line.before} " if line.before else " "
    tail += change or f"{line.figure:>4}"
    bar_cells = 10 if width >= 58 else 5 if width >= 36 else 0
    tail += f" {bar(line.fullness, bar_cells, marks)}" if bar_cells else ""
    tail += f" {fitted(line.behind, 9, marks)}" if line.behind and width >= 58 else ""
    head = f"{marks.marked if is_marked else ' '}{mark_of(record, status, marks)} {name:>4} "
    room = width - cell_len(head) - cell_len(tail)
    grey = status in (Status.ARCHIVED, Status.REJECTED)
    mark_style = styles.accent if record.pinned or status is Status.CORE else styles.muted
    return [
        Segment(head, mark_style),
        Segment(fitted(line.text, room, marks), styles.muted if grey else styles.text),
        Segment(tail, styles.warning if change else styles.muted),
    ]


@dataclass
class RowsWanted(Message):
    """The list needs rows from here on; `restart` where it asks for other ones than before."""

    offset: int
    restart: bool = False


@dataclass
class RangeWanted(Message):
    """The rows from the first to the last are to be marked, whether they were looked at or not."""

    first: int
    last: int


@dataclass
class RowChosen(Message):
    """The cursor stands on another record; None where there is none. Where it moved, from the row `before`, it is to
    be shown."""

    view: View[Any] | None
    before: int | None = None


@dataclass
class RecordAction(Message):
    """Something is to be done to records: those that are marked, else the one under the cursor."""

    action: str
    records: tuple[Kept, ...]

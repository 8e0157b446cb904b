"""What a list has to be told of a kind of records: how a row is drawn, what it is filtered and sorted by, where rows
come from, what can be done to them. A kind is one class that says so."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.message import Message

from orca_core.model.errors import NotFound
from orca_core.model.memories import State, Status
from orca_core.model.records import Ref
from orca_core.model.views import Sifted
from orca_tui.app.widgets.text import RowStyles, fitted
from orca_tui.marks import Marks


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


class Changed(Protocol[K_co]):
    """What a change by hand came to: the operation (None where nothing changed), the records as they are now."""

    @property
    def operation(self) -> int | None: ...
    @property
    def records(self) -> Sequence[K_co]: ...


class Deleted(Protocol):
    """What a delete came to."""

    @property
    def ids(self) -> Sequence[int]: ...


class Hand(Protocol[K_co]):
    """What can be done to records of every kind."""

    async def pin(self, ids: Sequence[int]) -> Changed[K_co]: ...

    async def unpin(self, ids: Sequence[int]) -> Changed[K_co]: ...

    async def archive(self, ids: Sequence[int]) -> Changed[K_co]: ...

    async def restore(self, ids: Sequence[int]) -> Changed[K_co]: ...

    async def delete(self, ids: Sequence[int]) -> Deleted: ...


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


V = TypeVar("V", bound=View[Any])
V_co = TypeVar("V_co", bound=View[Any], covariant=True)


class Page(Protocol[V_co]):
    """Some rows, and how many there are of them in all."""

    @property
    def views(self) -> Sequence[V_co]: ...
    @property
    def total(self) -> int: ...


class RowPage(Struct, Generic[V], frozen=True):
    """Rows of a kind that the core gives as records, with the views that were made of them."""

    views: tuple[V, ...]
    total: int


class DrawRow(Protocol):
    def __call__(
        self, view: Any, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
    ) -> list[Segment]:
        """A record in a line of so many cells; `change` stands for its figure until the next turn ends."""
        ...


class Listing(Struct, frozen=True):
    """How a list of the kind looks, and the words by which it is filtered and sorted, the usual ones first, each with
    what people read (marked with `N_`). An action `of_one` hits the cursor, whatever is marked."""

    id: str
    title: str
    sorts: Mapping[str, str]
    statuses: Mapping[str, str]
    types: Mapping[str, str]
    row: DrawRow
    empty: Callable[[bool, int], str]
    """What an empty list says: whether it is filtered, and how many wait to be reviewed."""
    of_one: frozenset[str] = frozenset({"open", "history", "why", "edit"})


Actions = Mapping[str, Callable[[Sequence[Any]], object]]
"""What the keys of a list do, by the words of its key table, with the records that they hit."""


class Changing(Protocol):
    """What the list of a kind has done with what the kind's own actions come to."""

    def change(self, work: Callable[[], Awaitable[Changed[Any]]], words: str, *, names: bool = True) -> None:
        """Change records and say so; with their names where the words have none yet."""

    def added(self, _outcome: object) -> None:
        """There is a record more."""


class RecordKind(Protocol[V, K]):
    """Where the rows of a list come from, and what becomes of them."""

    @property
    def hand(self) -> Hand[K]: ...

    async def page(self, asked: Asked) -> Page[V]: ...

    def sift(self, asked: Asked) -> AsyncGenerator[Sifted] | None:
        """The numbers of the records in a list, as they are found; None where a page of it costs as much in a large
        home as in a small one, or there are few of the kind."""
        ...

    async def waiting(self) -> int:
        """How many candidates wait for a person."""
        ...

    async def views(self, ids: Sequence[int]) -> Sequence[V]:
        """Those of the records that were not deleted."""
        ...

    def ref(self, record: K) -> Ref: ...

    def line(self, record: K) -> str:
        """What the record says: for the clipboard, and to be asked about."""
        ...

    def left(self, deletion: Any) -> str:
        """What still holds what the deleted records came from; empty where nothing does."""
        ...

    def open(self, record: K) -> None:
        """Show it in full."""
        ...

    def glance(self, view: V) -> Content:
        """The record under the cursor, in two lines."""
        ...

    def actions(self, records: Changing) -> Actions:
        """What the kind can do beside what every kind can."""
        ...


R = TypeVar("R")


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


def bar_width(width: int) -> int:
    """So many cells of a row belong to its bar."""
    return 10 if width >= 58 else 5 if width >= 36 else 0


def record_row(
    record: Kept,
    status: Status,
    name: str,
    text: str,
    tail: str,
    width: int,
    marks: Marks,
    styles: RowStyles,
    *,
    is_marked: bool,
    is_changed: bool,
) -> list[Segment]:
    """A record in a line of so many cells; what it says makes room for its `tail`."""
    head = f"{marks.marked if is_marked else ' '}{mark_of(record, status, marks)} {name:>4} "
    room = width - cell_len(head) - cell_len(tail)
    grey = status in (Status.ARCHIVED, Status.REJECTED)
    mark_style = styles.accent if record.pinned or status is Status.CORE else styles.muted
    return [
        Segment(head, mark_style),
        Segment(fitted(text, room, marks), styles.muted if grey else styles.text),
        Segment(tail, styles.warning if is_changed else styles.muted),
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

"""What a list has to be told of a kind of records: how a row is drawn, what it is filtered and sorted by, where rows
come from, what can be done to them. A kind is one class that says so."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from rich.segment import Segment
from textual.content import Content

from orca_core.model.memories import State
from orca_core.model.records import Ref
from orca_core.model.views import Sifted
from orca_tui.app.widgets.rows import RowStyles
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

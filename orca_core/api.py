"""What every front end holds: the app, the commands, later a server and a client that speaks to one over HTTP.

Values go in and come out, ids and not handles; nothing here is a flow, a setting or a threshold. What an `Engine` does
in this process another class can do over a wire with the JSON of `orca_core.wire`. Whatever is asked may raise
OrcaError.

`Orca.events()` is one stream of all that changes. Operations, whoever made them, can be resumed: their number is the
cursor. Pieces of answers, how learning goes, levels and failures are live: who does not listen has missed them, and
looks again at what is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.domain.diagnosis import Check, Diagnosis
from orca_core.domain.dialogues import FoundMessage, Round, Session, SessionChoice, TurnRequest
from orca_core.domain.errors import StorageError
from orca_core.domain.events import Event, Extraction, Folded, Resting, Saved
from orca_core.domain.feed import Notice
from orca_core.domain.journal import Change, Changed, Operation, Undone
from orca_core.domain.learning import Lesson, Queue, Run, Wanted
from orca_core.domain.memories import Addition, Deletion, Memory
from orca_core.domain.messages import Span
from orca_core.domain.queries import ListQuery
from orca_core.domain.recall import Appearance, Receipt
from orca_core.domain.spending import Allowance, Spent
from orca_core.domain.views import About, Case, MemoryView, PairView, SearchResult, Stats, ViewPage

Unsubscribe = Callable[[], None]


class Talk(Protocol):
    """Turns, private ones too: a request says all of it."""

    def turn(self, request: TurnRequest, stop: asyncio.Event | None = None) -> AsyncIterator[Event]:
        """The events of one turn, `Done` last. Setting `stop` ends the answer; what came of it is kept."""
        ...


class MemoryLists(Protocol):
    """Looking at memories. Where a number names none, NotFound."""

    async def page(self, query: ListQuery) -> ViewPage: ...

    async def get(self, ids: Sequence[int]) -> list[Memory]: ...

    async def views(self, ids: Sequence[int]) -> list[MemoryView]: ...

    async def counts(self) -> dict[str, int]:
        """How many there are of each status."""
        ...

    async def stats(self) -> Stats: ...


class MemoryChanges(Protocol):
    """Changing memories by hand: one operation each, which can be undone; but a delete is for good."""

    async def add(
        self, text: str, *, type_word: str | None = None, tags: Sequence[str] = (), pinned: bool = False
    ) -> Addition: ...

    async def edit(
        self,
        memory_id: int,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
        confidence: float | None = None,
        weight: float | None = None,
    ) -> Changed: ...

    async def pin(self, ids: Sequence[int]) -> Changed: ...

    async def unpin(self, ids: Sequence[int]) -> Changed: ...

    async def archive(self, ids: Sequence[int]) -> Changed: ...

    async def restore(self, ids: Sequence[int]) -> Changed: ...

    async def delete(self, ids: Sequence[int], *, with_messages: bool = False) -> Deletion: ...


class Memories(MemoryLists, MemoryChanges, Protocol):
    """Memories, looked at and changed."""


class Search(Protocol):
    """Finding memories by meaning and by words."""

    async def find(self, text: str, limit: int) -> SearchResult: ...


class History(Protocol):
    """What was done to memories, by whom, and taking it back."""

    async def changes_of(self, memory_id: int) -> list[Change]: ...

    async def activity(self, limit: int) -> list[tuple[Operation, list[Change]]]: ...

    async def undo(self, operation: int | None = None) -> Undone: ...

    async def redo(self, operation: int | None = None) -> Undone: ...


class Candidates(Protocol):
    """What was learnt and waits for a person."""

    async def inbox(self, limit: int | None = None) -> list[Memory]: ...

    async def case(self, memory: Memory) -> Case: ...

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> Changed: ...

    async def accept_edited(
        self,
        candidate: Memory,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> Changed: ...

    async def accept_instead(self, candidate_id: int, old_id: int, shown: str) -> Changed: ...

    async def reject(self, ids: Sequence[int]) -> Changed: ...

    async def never(self, ids: Sequence[int]) -> Changed: ...


class Pairs(Protocol):
    """Memories that may say the same."""

    async def undecided(self) -> list[PairView]: ...

    async def keep_both(self, first: int, second: int) -> None: ...

    async def merge(self, kept_id: int, other_ids: Sequence[int], *, content: str | None = None) -> Changed: ...

    async def merge_outcomes(self, ids: Sequence[int]) -> list[Memory]: ...


class Inbox(Candidates, Pairs, Protocol):
    """What a person is to decide."""


class Chats(Protocol):
    """Sessions as wholes."""

    async def list(self, limit: int | None = None) -> list[Session]: ...

    async def latest(self) -> Session | None: ...

    async def latest_or_new(self) -> SessionChoice: ...

    async def show(self, session_id: str) -> tuple[Session, tuple[Round, ...]]: ...

    async def rename(self, session_id: str, title: str) -> Session: ...

    async def delete(self, session_id: str) -> bool: ...

    async def fork(self, session_id: str, through: int) -> Session: ...

    async def search(self, text: str, limit: int = 50) -> Sequence[FoundMessage]: ...


class Receipts(Protocol):
    """Why turns got what they got, and what was asked before."""

    async def receipt(self, session_id: str | None = None, number: int | None = None) -> Receipt: ...

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]: ...

    async def appearances(self, memory_id: int, limit: int = 100) -> Sequence[Appearance]: ...

    async def questions(self, limit: int) -> Sequence[tuple[Span, ...]]: ...


class Sessions(Chats, Receipts, Protocol):
    """What was said, and why."""


class Runs(Protocol):
    """The memory agent's runs, what waits for them, and what they cost."""

    async def queue(self) -> Queue: ...

    async def runs(self, limit: int) -> list[Run]: ...

    async def show(self, run_id: int) -> Lesson: ...

    async def retry(self, session_id: str | None = None) -> int: ...

    async def allowance(self) -> Allowance: ...

    async def spent(self) -> Sequence[Spent]: ...


class Learning(Protocol):
    """Learning that is asked for and watched, run by run."""

    @property
    def is_on(self) -> bool: ...

    def run(self, wanted: Wanted) -> AsyncIterator[Extraction]: ...

    def run_again(self, session_id: str) -> AsyncIterator[Extraction]: ...


class Work(Protocol):
    """What is done while nobody waits. `rests_until` is when the tokens of the next day may be used, where today's are
    used up."""

    @property
    def rests_until(self) -> datetime | None: ...

    def wake(self) -> None: ...

    def subscribe(self, listener: Callable[[Extraction | Folded | Resting], None]) -> Unsubscribe: ...

    async def learn_now(self) -> None: ...

    async def drain(self, timeout_s: float | None = None) -> None: ...

    async def tidy(self, timeout_s: float | None = None) -> None: ...

    async def finish(self, timeout_s: float = ...) -> None: ...


class Saving(Protocol):
    """What turns have to say to the database. `failure` is why something still waits."""

    @property
    def failure(self) -> StorageError | None: ...

    def subscribe(self, listener: Callable[[Saved], None]) -> Unsubscribe: ...

    async def drain(self, timeout_s: float | None = None) -> None: ...


class Levels(Protocol):
    """How much of the memory works. `store_failure` is why the database can't be used at all."""

    @property
    def store_failure(self) -> StorageError | None: ...


class Doctor(Protocol):
    async def examine(self, before: Sequence[Check] = ()) -> Diagnosis:
        """Every check, those made `before` first."""
        ...


class Orca(Protocol):
    """All of it. Close it with `aclose`."""

    @property
    def about(self) -> About: ...
    @property
    def chat(self) -> Talk: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def search(self) -> Search: ...
    @property
    def history(self) -> History: ...
    @property
    def inbox(self) -> Inbox: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def extraction(self) -> Learning: ...
    @property
    def worker(self) -> Work: ...
    @property
    def saves(self) -> Saving: ...
    @property
    def levels(self) -> Levels: ...
    @property
    def doctor(self) -> Doctor: ...
    @property
    def aclose(self) -> Callable[[], Awaitable[None]]: ...

    def events(self, after: int | None = None) -> AsyncGenerator[Notice, None]:
        """All that changes from now on; with `after` first every operation that is newer."""
        ...

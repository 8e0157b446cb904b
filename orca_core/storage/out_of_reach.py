"""Stores for a database that can't be opened: reads return nothing, writes raise the error of opening it. The chat
goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn

from orca_core.domain.errors import NotFound, StoreOutOfReach
from orca_core.domain.journal import RecordsChanged
from orca_core.domain.kinds import RECORD_TYPES
from orca_core.domain.learning import Queue
from orca_core.domain.memories import MEMORIES
from orca_core.domain.queries import MemoryPage, RecordPage
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.stores import Snapshot, Stores
from orca_core.domain.stores.messages import MessagesHeld
from orca_core.domain.stores.snapshot import Cues, Vectors, Words
from orca_core.domain.work.tasks import TasksFound


def stores_out_of_reach(failure: StoreOutOfReach) -> Stores:
    """All ports of a database that can't be used."""
    nothing: Any = _OutOfReach(failure)
    ports = [name for name in Stores.__struct_fields__ if name not in ("failure", "records")]
    no_records: Any = _OutOfReach(failure, {**READS, "page": lambda *_: RecordPage((), 0)})
    records = {each.kind: no_records for each in RECORD_TYPES if each is not MEMORIES}
    return Stores(**dict.fromkeys(ports, nothing), records=records, failure=failure)


class _OutOfReach:
    """Answers every method of every port: those of the table return nothing, all others raise."""

    def __init__(self, failure: StoreOutOfReach, reads: Mapping[str, Callable[..., object]] | None = None) -> None:
        self._failure = failure
        self._reads = READS if reads is None else reads

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        read = self._reads.get(name)

        async def answer(*given: object, **_named: object) -> object:
            if read is None:
                raise self._failure.with_traceback(None)
            return read(*given)

        return answer


class _Nothing:
    """A snapshot in which there is nothing, and each part of it."""

    is_partial = False

    @property
    def words(self) -> Words:
        return self

    @property
    def vectors(self) -> Vectors:
        return self

    @property
    def cues(self) -> Cues:
        return self

    def get(self, *_: object) -> list[Any]:
        return []

    def neighbours(self, *_: object, **__: object) -> dict[int, Any]:
        return {}

    def statistics(self, *_: object, **__: object) -> TokenStatistics:
        return TokenStatistics(0, {})

    def frequencies(self, *_: object) -> dict[str, int]:
        return {}

    def by_tokens(self, *_: object, **__: object) -> list[Any]:
        return []

    def by_vector(self, *_: object, **__: object) -> list[Any]:
        return []

    def cosines(self, *_: object) -> dict[int, float]:
        return {}

    def words_of(self, *_: object) -> dict[int, Any]:
        return {}

    def vocabulary(self, *_: object) -> frozenset[str]:
        return frozenset()

    def live_words(self, *_: object) -> frozenset[str]:
        return frozenset()


_NOTHING: Snapshot = _Nothing()  # which has all that a snapshot has


def _missing(what: str) -> Callable[..., NoReturn]:
    def find(*given: object) -> NoReturn:
        raise NotFound(what=what, id=given[0] if given else "")

    return find


def _get(ids: list[int], *_: object) -> list[object]:
    return _missing("memory")(ids[0]) if ids else []


READS: Mapping[str, Callable[..., object]] = {
    # dialogues and sessions
    "latest_session": lambda: None,
    "sessions": lambda *_: [],
    "session": _missing("session"),
    "rounds": lambda *_: [],
    "questions": lambda *_: [],
    # messages
    "find": lambda *_: MessagesHeld(()),
    "backlog": lambda *_: 0,
    "catch_up": lambda *_: 0,
    # memories and their history
    "get": _get,
    "page": lambda *_: MemoryPage((), 0),
    "counts": lambda: {"state": {}, "type": {}},
    "undecided": list,
    "history": _missing("memory"),
    "operations": lambda *_: [],
    "changes_of": lambda *_: [],
    "deleted": lambda *_: frozenset(),
    # growth
    "speaks_for": lambda *_: {},
    # work
    "current": lambda *_: None,
    "targets": list,
    "of_target": lambda *_: [],
    "listed": lambda *_: TasksFound((), 0),
    # growth
    "standing": lambda *_: [],
    "of": lambda *_: {},
    "pool": list,
    "calls": lambda *_: [],
    "of_steps": lambda *_: [],
    "figures": lambda *_: [],
    "tools": list,
    "of_tools": lambda *_: [],
    "next_at": lambda *_: None,
    # the index and the vectors
    "at_once": lambda look: look(_NOTHING),
    "random_cosines": lambda *_: [],
    "short_term": lambda *_: [],
    "unembedded": lambda *_: [],
    "progress": lambda *_: (0, 0),
    "cached": lambda *_: {},
    "states": list,
    # cues and work
    "ages": lambda *_: [],
    "cleaned_at": lambda: None,
    "sunk": lambda *_: (),
    "texts": lambda *_: (),
    "left_alone": frozenset,
    "expired": lambda *_: 0,
    "faded_until": lambda *_: [],
    "waiting": lambda *_: [],
    # receipts and what refusals taught
    "receipt": _missing("receipt"),
    "receipts": lambda *_: {},
    "appearances": lambda *_: [],
    "token_ratio": lambda *_: None,
    "limit": lambda *_: None,
    # learning: nobody else leads, and nothing waits
    "acquire": lambda: True,
    "resign": lambda: None,
    "claim": lambda *_: None,
    "runs": lambda *_: [],
    "run": _missing("run"),
    "queue": lambda: Queue({}),
    "summary": lambda *_: ("", 0),
    "due": lambda *_: [],
    "used_on": lambda *_: 0,
    "spent_since": lambda *_: [],
    # the feed of changes
    "last_operation": lambda: 0,
    "operations_after": lambda *_: [],
    "foreign_writes": lambda: 0,
    # housekeeping
    "long_term_readable": lambda: False,
    "idle": lambda: True,
    "expire_short_term": lambda *_: 0,
    "expire_candidates": lambda *_: RecordsChanged(None, ()),
    "recover": lambda: 0,
    "aclose": lambda: None,
}
"""The empty answers of the reads of each port."""

"""What the doctor looks at of indexes: whether they can be searched, and are in step with what is stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from orca_core.domain.diagnosis import Check
from orca_core.domain.refs import CUE, MEMORY
from orca_core.domain.stores import Stores
from orca_core.domain.stores.index import IndexState

REINDEX = "orca memory reindex makes it anew, and nothing is lost"


class IndexChecks:
    """For one examination: the indexes are looked through once."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._states: Sequence[IndexState] | None = None

    @property
    def looks(self) -> Mapping[str, Callable[[], Awaitable[Check]]]:
        if not self._stores.records:  # the database is out of reach
            return {"messages": self._messages}
        return {"messages": self._messages, "search index": self._records}

    async def of_memories_damaged(self) -> bool:
        """Whether memories can't be searched. Raises StorageError."""
        return any(each.is_damaged for each in await self._read() if each.kind in (MEMORY, CUE))

    async def _read(self) -> Sequence[IndexState]:
        if self._states is None:
            self._states = await self._stores.indexes.states()
        return self._states

    async def _records(self) -> Check:
        broken = [each for each in await self._read() if not each.is_in_step]
        if not broken:
            return Check("search index", "ok", "words and vectors are in step with what is stored")
        if damaged := [each.kind.name for each in broken if each.is_damaged]:
            return Check(
                "search index",
                "fail",
                "the index of {kinds} is damaged; what is stored is whole",
                REINDEX,
                {"kinds": ", ".join(damaged)},
            )
        fields = {
            "kinds": ", ".join(each.kind.name for each in broken),
            "missing": sum(each.without_words for each in broken),
            "words": sum(each.orphan_words for each in broken),
            "vectors": sum(each.orphan_vectors for each in broken),
            "stale": sum(each.stale for each in broken),
        }
        return Check(
            "search index",
            "warn",
            "{kinds}: {missing} without words, words of {words} and vectors of {vectors} that are gone, {stale} stale",
            "orca memory reindex makes it anew",
            fields,
        )

    async def _messages(self) -> Check:
        state = await self._stores.messages.examine()
        fields = {
            "indexed": state.indexed, "waiting": state.waiting, "missing": state.missing, "orphans": state.orphans
        }  # fmt: skip
        if state.is_damaged:
            return Check(
                "messages", "fail", "the index of what was said is damaged; what is stored is whole", REINDEX, fields
            )
        if not state.is_in_step:
            return Check(
                "messages",
                "warn",
                "{indexed} can be searched, {missing} were missed, {orphans} are gone",
                "orca memory reindex makes it anew",
                fields,
            )
        if state.waiting:
            return Check(
                "messages",
                "warn",
                "{indexed} can be searched, {waiting} wait to be indexed",
                "it is done while Orca runs, or now by: orca memory reindex",
                fields,
            )
        return Check("messages", "ok", "{indexed} can be searched", fields=fields)

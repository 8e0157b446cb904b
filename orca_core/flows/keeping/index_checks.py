"""What the doctor looks at of indexes: whether they can be searched, and are in step with what is stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from shlex import quote

from orca_core.domain.diagnosis import NAMED, Check, Evidence
from orca_core.domain.refs import CUE, MEMORY, Ref
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
        states = await self._read()
        broken = [each for each in states if not each.is_in_step]
        if not broken:
            return _in_step(states)
        if damaged := [each for each in broken if each.is_damaged]:
            return Check(
                "search index",
                "fail",
                "the index of {kinds} is damaged; what is stored is whole",
                REINDEX,
                {"kinds": ", ".join(each.kind.name for each in damaged)},
                evidence=tuple(Evidence(text=each.damaged, what="damaged") for each in damaged[:NAMED]),
                found=len(damaged),
            )
        fields = {
            "kinds": ", ".join(each.kind.name for each in broken),
            "missing": sum(each.without_words for each in broken),
            "words": sum(each.orphan_words for each in broken),
            "vectors": sum(each.orphan_vectors for each in broken),
            "stale": sum(each.stale for each in broken),
            "wrong": sum(each.miscounted for each in broken),
            **_looked_at(states),
        }
        return Check(
            "search index",
            "warn",
            "{kinds}: {missing} without words, words of {words} and vectors of {vectors} that are gone, {stale} stale;"
            " of {counts} word counts {looked_at} were looked at, {wrong} are wrong",
            "orca memory reindex makes it anew",
            fields,
            evidence=tuple(_named(broken))[:NAMED],
            found=sum(each.without_words + each.orphan_words + each.orphan_vectors + each.stale for each in broken),
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
        if state.is_stale:
            return Check(
                "messages",
                "warn",
                "{indexed} can be searched, as an older Orca read them",
                "it is made anew while Orca runs, or now by: orca memory reindex",
                fields,
            )
        if not state.is_in_step:
            return Check(
                "messages",
                "warn",
                "{indexed} can be searched, {missing} were missed, {orphans} are gone",
                "orca memory reindex makes it anew",
                fields,
                evidence=tuple(
                    Evidence(text=f"{session}/{number}", command=f"orca session show {quote(session)}")
                    for session, number in state.missed
                ),
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


def _in_step(states: Sequence[IndexState]) -> Check:
    fields = _looked_at(states)
    if fields["looked_at"] >= fields["counts"]:
        return Check("search index", "ok", "words and vectors are in step with what is stored")
    return Check(
        "search index",
        "ok",
        "words and vectors are in step with what is stored; of {counts} word counts {looked_at} were looked at",
        fields=fields,
    )


def _looked_at(states: Sequence[IndexState]) -> dict[str, int]:
    return {"looked_at": sum(each.looked_at for each in states), "counts": sum(each.word_counts for each in states)}


def _named(states: Sequence[IndexState]) -> Iterator[Evidence]:
    """Some records of each kind, with what is amiss of them."""
    for state in states:
        for number in state.numbers.get("without_words", ()):
            yield Evidence(Ref(state.kind, number), what="without words")
        for number in state.numbers.get("orphan_words", ()):
            yield Evidence(Ref(state.kind, number), what="gone, but still found by its words")
        for number in state.numbers.get("orphan_vectors", ()):
            yield Evidence(Ref(state.kind, number), what="gone, but its vector is there")
        for number in state.numbers.get("stale", ()):
            yield Evidence(Ref(state.kind, number), what="stale among the vectors")

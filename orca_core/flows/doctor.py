"""Looking at everything that a turn needs, without sending anything to a chat model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from orca_core.domain.diagnosis import Check, Diagnosis
from orca_core.domain.errors import OrcaError
from orca_core.domain.ports import ChatModel, Embedder
from orca_core.domain.recall import Level
from orca_core.domain.stores import Stores
from orca_core.flows.lazy import Lazy
from orca_core.settings import Settings

EMBEDDING_PATIENCE_S = 10.0


class Doctor:
    """Checks of an engine whose database could be opened."""

    def __init__(self, stores: Stores, model: Lazy[ChatModel], embedder: Lazy[Embedder], settings: Settings) -> None:
        self._stores = stores
        self._model = model
        self._embedder = embedder
        self._settings = settings

    async def examine(self, before: Sequence[Check] = ()) -> Diagnosis:
        """Every check, those made `before` the engine was opened first."""
        checks = [*before]
        for name, look in self._looks().items():
            checks.append(await _checked(name, look))
        return Diagnosis(self._level(checks), tuple(checks))

    def _looks(self) -> dict[str, Callable[[], Awaitable[Check]]]:
        return {
            "database": self._database,
            "long-term memory": self._long_term,
            "embedding": self._embedding,
            "vectors": self._vectors,
            "chat": self._chat,
            "learning": self._learning,
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
        if health.integrity != "ok":
            return Check(
                "database",
                "fail",
                f"{health.path}: {health.integrity}",
                "keep the file, and restore a backup from the folder backups beside it",
            )
        size = f"{health.bytes / 1_048_576:.1f} MB"
        return Check("database", "ok", f"{health.path}, schema {health.schema}, {size}, {health.journal_mode}")

    async def _long_term(self) -> Check:
        memory = self._settings.memory
        if not memory.enabled:
            return Check("long-term memory", "warn", "memory.enabled is false", "set memory.enabled = true")
        if not memory.long_term.enabled:
            fix = "set memory.long_term.enabled = true"
            return Check("long-term memory", "warn", "memory.long_term.enabled is false", fix)
        if not await self._stores.housekeeping.long_term_readable():
            return Check("long-term memory", "fail", "its tables can not be read", "restore a backup")
        counts = (await self._stores.memories.counts())["state"]
        return Check(
            "long-term memory", "ok", ", ".join(f"{count} {state}" for state, count in counts.items()) or "empty"
        )

    async def _learning(self) -> Check:
        agent = self._settings.memory_agent
        if not agent.enabled:
            return Check("learning", "warn", "memory_agent.enabled is false", "set memory_agent.enabled = true")
        queue = await self._stores.learning.queue()
        waiting = f"{queue.rounds} rounds wait, {queue.failing} batches failed, {queue.parked} are parked"
        if queue.parked or queue.failing:
            return Check("learning", "warn", f"{waiting} ({queue.last_error})", "orca extract --retry tries them again")
        return Check("learning", "ok", waiting)

    async def _embedding(self) -> Check:
        embedder = self._embedder.get()
        try:
            async with asyncio.timeout(EMBEDDING_PATIENCE_S):
                await embedder.embed(["Orca looks whether it can embed."])
        except TimeoutError:
            detail = f"{embedder.model}: no answer within {EMBEDDING_PATIENCE_S:g} s"
            return Check("embedding", "warn", detail, "memories are found by their words until it answers")
        except OrcaError as error:
            fix = error.hint or "memories are found by their words until it works"
            return Check("embedding", "warn", error.message, fix)
        return Check("embedding", "ok", embedder.model)

    async def _vectors(self) -> Check:
        have, whole = await self._stores.vectors.progress(self._embedder.get().model)
        detail = f"{have} of {whole} texts have a vector"
        if have == whole:
            return Check("vectors", "ok", detail)
        return Check(
            "vectors", "warn", detail, "the rest is embedded while Orca runs, and found by its words till then"
        )

    async def _chat(self) -> Check:
        model = self._model.get()
        if model.is_demo:
            return Check(
                "chat", "warn", "the built-in demo", "connect a model: orca config init, then edit config.toml"
            )
        return Check("chat", "ok", f"{model.provider}, {model.model} (not asked: this check stays offline)")


async def _checked(name: str, look: Callable[[], Awaitable[Check]]) -> Check:
    try:
        return await look()
    except OrcaError as error:
        return Check(name, "fail", error.message, error.hint)

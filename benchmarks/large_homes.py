"""Homes of any size for benchmarks: memories whose words and vectors are distributed as people's are.

Vectors have 1,024 dimensions, two thousand topics of unequal size, a mean that all share, and few directions in which
most of the difference lies, as those of real embedders. Words fall with their rank. Rows are written in bulk, as the
store itself would write them one by one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
from message_search import Speech

from orca_core.model.llm import Embedder, Vector
from orca_core.rules.text.search_terms import index_terms
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_format, word_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.store import open_database, open_stores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

DIMENSIONS, TOPICS = 1024, 2_000
MODEL = "benchmark"
SCOPE = "me"
A_BATCH = 10_000
A_CHAT = 20
ARCHIVED = 0.1
NEAR = 0.64
"""How much of a question's vector is not that of the memory it asks for: their cosine is some 0.84."""


class World:
    """Memories by number: what each says and where it lies. The same seed is the same world."""

    def __init__(self, seed: int = 20) -> None:
        import numpy as np

        self._chance = np.random.default_rng(seed)
        self._speech = Speech(random.Random(seed))
        self._spectrum = (np.arange(1, DIMENSIONS + 1) ** -0.4).astype(np.float32)
        turned, _ = np.linalg.qr(self._chance.standard_normal((DIMENSIONS, DIMENSIONS)).astype(np.float32))
        self._turned: Array = turned
        self._mean: Array = self._drawn(1)[0]
        self._topics: Array = self._drawn(TOPICS)

    @cached_property
    def _shares(self) -> Array:
        import numpy as np

        weights = 1 / (np.arange(TOPICS) + 10.0)
        shares: Array = weights / weights.sum()
        return shares

    def vectors(self, count: int) -> Array:
        """Vectors of unit length: the mean, a topic, and what is each one's own."""
        topics = self._chance.choice(TOPICS, size=count, p=self._shares)
        return _units(0.9 * self._mean + self._topics[topics] + self._drawn(count))

    def asked(self, vectors: Array) -> Array:
        """Vectors of questions about what lies at these."""
        return _units(vectors + NEAR * self._drawn(len(vectors)))

    def text(self) -> str:
        return self._speech.message(48)[:400]

    def question(self, text: str) -> str:
        """Half of the words of a memory, and others."""
        said = text.split() if " " in text.strip() else [text[at : at + 4] for at in range(0, len(text), 4)]
        half = said[: max(1, len(said) // 2)]
        return " ".join([*half, *self._speech.words(self._speech.english, 2)])

    def _drawn(self, count: int) -> Array:
        """Vectors of length one on the whole, most of whose difference lies in few directions."""
        import numpy as np

        raw = self._chance.standard_normal((count, DIMENSIONS)).astype(np.float32) * self._spectrum
        return _units(raw @ self._turned)


class Given:
    """An embedder that was told the vector of each text before: what it costs is not what is measured."""

    model, dimensions, trust = MODEL, DIMENSIONS, 1.0

    def __init__(self, vectors: Mapping[str, Vector]) -> None:
        self._vectors = vectors

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vectors[text] for text in texts]

    async def aclose(self) -> None:
        return None


async def fill(path: Path, world: World, count: int) -> tuple[Array, list[str]]:
    """Write so many memories into the database at `path`; returns the vectors and texts of a thousand of them."""
    handle = await open_database(path, must_exist=False)
    await handle.aclose()
    connection = connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    chance = random.Random(5)
    sampled: list[Array] = []
    texts: list[str] = []
    every = max(1, count // 1_000)
    for begin in range(0, count, A_BATCH):
        numbers = range(begin + 1, min(begin + A_BATCH, count) + 1)
        vectors = world.vectors(len(numbers))
        with connection:
            said = [f"{world.text()} {number}" for number in numbers]
            _write(connection, numbers, said, vectors, chance)
        chosen = [at for at, number in enumerate(numbers) if number % every == 0]
        sampled.append(vectors[chosen])
        texts += [said[at] for at in chosen]
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    await _index(path)
    import numpy as np

    return np.concatenate(sampled), texts


async def _index(path: Path) -> None:
    """What the background does with what came at once."""
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    await stores.vectors.refresh_index(MODEL)
    while await stores.upkeep.fill_words(100):
        continue
    await stores.upkeep.aclose()


def _write(connection: apsw.Connection, numbers: range, said: list[str], vectors: Array, chance: random.Random) -> None:
    states = ["archived" if chance.random() < ARCHIVED else "live" for _ in numbers]
    when = "2026-10-01T12:00:00.000000Z"
    tokens = [" ".join(index_terms(text)) for text in said]
    connection.executemany(
        "INSERT INTO long_term_memories (id, uid, scope, content, type, confidence, weight, state, created_at,"
        " updated_at, origin_kind, origin_session, origin_rounds, tokens)"
        " VALUES (?, ?, ?, ?, 'fact', 0.9, ?, ?, ?, ?, 'extraction', ?, ?, ?)",
        [
            (
                number, f"u{number:012}", SCOPE, text, round(chance.uniform(0.5, 3), 2), state, when, when,
                f"chat-{number // A_CHAT}", f"[{number % A_CHAT + 1}]", token,
            )
            for number, text, state, token in zip(numbers, said, states, tokens, strict=True)
        ],
    )  # fmt: skip
    connection.executemany(
        f"INSERT INTO {MEMORY_TABLES.words} (rowid, tokens) VALUES (?, ?)",
        [(number, word_index.tagged(SCOPE, token.split())) for number, token in zip(numbers, tokens, strict=True)],
    )
    connection.executemany(
        "INSERT INTO vectors (kind, id, model, vector) VALUES (?, ?, ?, ?)",
        [
            (MEMORY_TABLES.kind.name, number, MODEL, vector_format.to_blob(vector))
            for number, vector in zip(numbers, vectors, strict=True)
        ],
    )


def _units(vectors: Array) -> Array:
    import numpy as np

    units: Array = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units

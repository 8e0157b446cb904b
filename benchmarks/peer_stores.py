"""What others search memories with, as `peers.py` asks it. Each is imported when it is filled."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import sqlite_vec
from large_homes import DIMENSIONS, SCOPE

if TYPE_CHECKING:
    from large_homes import Array

NEAREST = 10


class Peer(ABC):
    """One that is asked. Records are numbered from 1."""

    name: str
    beside = "orca: vectors"
    """Whose times its own are compared with."""
    goes_by_words = False
    """Whether more than vectors says what is nearest."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir(exist_ok=True)

    @abstractmethod
    def fill(self, texts: Sequence[str], vectors: Array, /) -> None: ...

    @abstractmethod
    async def search(self, text: str, vector: Array, /) -> list[int]:
        """The numbers of the nearest ten."""

    def disk(self) -> int:
        return sum(each.stat().st_size for each in self.home.rglob("*") if each.is_file())

    async def aclose(self) -> None:
        return None


class Vec0(Peer):
    """sqlite-vec's table of float vectors, every one compared."""

    name = "sqlite-vec: vec0"

    def fill(self, _texts: Sequence[str], vectors: Array, /) -> None:
        self._connection = apsw.Connection(str(self.home / "vec.db"))
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())
        self._connection.execute(f"CREATE VIRTUAL TABLE v USING vec0 (id INTEGER PRIMARY KEY, at FLOAT[{DIMENSIONS}])")
        with self._connection:
            rows = ((number, vector.tobytes()) for number, vector in enumerate(vectors, start=1))
            self._connection.executemany("INSERT INTO v (id, at) VALUES (?, ?)", rows)

    async def search(self, _text: str, vector: Array, /) -> list[int]:
        query = "SELECT id FROM v WHERE at MATCH ? AND k = ? ORDER BY distance"
        return [number for (number,) in self._connection.execute(query, (vector.tobytes(), NEAREST))]


class Chroma(Peer):
    """chromadb's persistent client with its own defaults, cosine distance."""

    name = "chromadb"

    def fill(self, texts: Sequence[str], vectors: Array, /) -> None:
        import chromadb

        client = chromadb.PersistentClient(str(self.home))
        self._collection = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
        for begin in range(0, len(texts), 5_000):
            part = range(begin, min(begin + 5_000, len(texts)))
            self._collection.add(
                ids=[str(at + 1) for at in part],
                documents=[texts[at] for at in part],
                embeddings=vectors[part.start : part.stop],
            )

    async def search(self, _text: str, vector: Array, /) -> list[int]:
        found = self._collection.query(query_embeddings=[vector], n_results=NEAREST)
        return [int(each) for each in found["ids"][0]]


class Qdrant(Peer):
    """qdrant-client without a server."""

    name = "qdrant, local"

    def fill(self, texts: Sequence[str], vectors: Array, /) -> None:
        from qdrant_client import QdrantClient, models

        self._client = QdrantClient(path=str(self.home))
        config = models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)
        self._client.create_collection("memories", config)
        self._client.upload_collection(
            "memories", vectors, payload=[{"text": text} for text in texts], ids=range(1, len(texts) + 1)
        )

    async def search(self, _text: str, vector: Array, /) -> list[int]:
        found = self._client.query_points("memories", query=vector, limit=NEAREST).points
        return [int(each.id) for each in found]


class Mem0(Peer):
    """mem0's `Memory.search`, its own local qdrant, an embedder that was told the vectors."""

    name = "mem0: Memory.search"
    beside = "orca: look"

    def fill(self, texts: Sequence[str], vectors: Array, /) -> None:
        os.environ["MEM0_DIR"] = str(self.home)
        from mem0 import Memory

        path = str(self.home / "qdrant")
        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": path, "embedding_model_dims": DIMENSIONS, "on_disk": True},
                },
                "embedder": {"provider": "openai", "config": {"api_key": "none", "embedding_dims": DIMENSIONS}},
                "llm": {"provider": "openai", "config": {"api_key": "none"}},
                "history_db_path": str(self.home / "history.db"),
            }
        )
        self._asked: Array = vectors[0]
        self._memory.embedding_model = self
        payloads = [{"data": text, "user_id": SCOPE} for text in texts]
        ids = list(range(1, len(texts) + 1))
        self._memory.vector_store.insert(vectors.tolist(), payloads, ids)

    def embed(self, _text: str, _action: str) -> Array:
        """What mem0 asks its embedder."""
        return self._asked

    async def search(self, text: str, vector: Array, /) -> list[int]:
        self._asked = vector
        found = self._memory.search(text, top_k=NEAREST, filters={"user_id": SCOPE})
        return [int(each["id"]) for each in found["results"]]

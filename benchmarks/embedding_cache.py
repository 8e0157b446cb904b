"""What the embedding cache saves: a text that was embedded before against one that was not.

    python benchmarks/embedding_cache.py [--texts 200] [--repeats 20] [--latency-ms 40]

A miss goes to a server on loopback that takes 40 ms to answer, about what an embedding API takes that is near; one
that is far takes several times as long. The same is measured in front of the built-in embedder, which needs no
network. A hit is found in memory, or, in a process that has just started, in the database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

from stores import sentence

from fakes.model_server import ModelServer, embeds  # isort: skip  # `stores` says where fakes are

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.llm.openai_embedder import OpenAIEmbedder
from orca_core.model.llm import Embedder
from orca_core.operations.stores import Stores
from orca_core.settings import EmbeddingSettings, ProviderSettings
from orca_core.store.sqlite.store import open_stores


async def seconds_for(embedder: Embedder, text: str) -> float:
    started = time.perf_counter()
    await embedder.embed([text])
    return time.perf_counter() - started


async def measure(name: str, inner: Embedder, home: Path, texts: list[str], repeats: int) -> None:
    """Every text once, then every text again: from memory, and from the database by caches that start empty."""
    stores = await open_stores(home / "orca.db", scope="me", must_exist=False)
    cached = CachedEmbedder(inner, stores.vectors)
    missed = [await seconds_for(cached, text) for text in texts]
    asked_before = cached.hits
    in_memory = [await seconds_for(cached, text) for _ in range(repeats) for text in texts]
    hits, asked_again = cached.hits - asked_before, len(texts) * repeats
    await until_stored(stores, inner.model, texts)
    in_database = [await seconds_for(CachedEmbedder(inner, stores.vectors), text) for text in texts]
    print(f"{name}: {len(texts)} texts, each asked for again {repeats} times")
    print(figures("never embedded before (miss)", missed, missed))
    print(figures("hit in memory", in_memory, missed))
    print(figures("hit in the database", in_database, missed))
    print(f"  {hits / asked_again:.2%} of the repeated texts hit")
    await cached.aclose()
    await stores.upkeep.aclose()


async def until_stored(stores: Stores, model: str, texts: list[str]) -> None:
    """The database is told after those who wait have their vectors."""
    for _ in range(1000):
        if len(await stores.vectors.cached(model, texts)) == len(texts):
            return
        await asyncio.sleep(0.01)
    raise SystemExit("the database never held all vectors")


def figures(name: str, seconds: list[float], missed: list[float]) -> str:
    """One line: median, 95th percentile, and how many times faster than a miss."""
    median, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    ratio = statistics.median(missed) / median
    return f"  {name:30} median {median * 1e6:9,.1f} µs   p95 {p95 * 1e6:9,.1f} µs   {ratio:9,.1f} × a miss"


async def run(home: Path, texts: list[str], repeats: int, latency_ms: float) -> None:
    with ModelServer() as server:
        server.will(embeds(seconds=latency_ms / 1000))
        embedding = EmbeddingSettings(provider="loopback", model="bge-m3")
        remote = OpenAIEmbedder("loopback", ProviderSettings(base_url=server.base_url), embedding, None)
        await measure(f"a server that takes {latency_ms:g} ms", remote, home, texts, repeats)
        print(f"  the server was asked {len(server.requests)} times (target: over 99 % hits, over 130 × a miss)\n")
    await measure("the built-in embedder", LocalEmbedder(), home, texts, repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--latency-ms", type=float, default=40.0)
    arguments = parser.parse_args()
    chance = random.Random(20)
    texts = [sentence(number, chance) for number in range(arguments.texts)]
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(run(Path(home), texts, arguments.repeats, arguments.latency_ms))


if __name__ == "__main__":
    main()

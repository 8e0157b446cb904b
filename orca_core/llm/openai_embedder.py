"""Embeddings behind an OpenAI-compatible API: batched, checked, at unit length."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import httpx

from orca_core.llm.http import JsonEndpoint, Key, is_too_large, names_batch_limit
from orca_core.model.errors import EmbeddingError, ModelError, ModelUnavailable
from orca_core.model.llm import Embedder, Vector
from orca_core.settings import EmbeddingSettings, ProviderSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

BATCH = 32
CHARS_PER_TOKEN = 0.75
SHORT_CHARS = 200
SMALLEST_NORM = 1e-6
MAX_ANSWER_BYTES = 64 * 1_048_576
_IS_NOT_A_NUMBER = "unsupported value"
"""What a server says that computed NaN for a text: it will the next time, too."""


class OpenAIEmbedder:
    """One provider, one embedding model."""

    trust = 1.0

    def __init__(self, name: str, provider: ProviderSettings, embedding: EmbeddingSettings, key: Key) -> None:
        self._name = name
        self._embedding = embedding
        self._endpoint = JsonEndpoint(name, provider, "embeddings", key, max_answer_bytes=MAX_ANSWER_BYTES)
        self._most_texts = BATCH

    @property
    def model(self) -> str:
        return f"{self._name}/{self._embedding.model}@{self._embedding.dimensions}"

    @property
    def dimensions(self) -> int:
        return self._embedding.dimensions

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        most_chars = int(self._embedding.max_context * CHARS_PER_TOKEN)
        ready = [text[:most_chars].encode("utf-8", "replace").decode() if text.strip() else "-" for text in texts]
        vectors: list[Vector] = []
        while len(vectors) < len(ready):
            vectors += await self._batch(ready[len(vectors) : len(vectors) + self._most_texts])
        return vectors

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    async def _batch(self, texts: list[str]) -> list[Vector]:
        """A batch; one that the server finds too large is halved, a single text is cut shorter."""
        response, content = await self._send(texts)
        if response.status_code == httpx.codes.OK:
            return self._read(content, len(texts))
        told = self._endpoint.refusal(response, content)
        refusal = _as_embedding(told)
        if _IS_NOT_A_NUMBER in refusal.message:
            refusal.retryable = False
        if not is_too_large(told):
            raise refusal
        if len(texts) > 1:
            half = len(texts) // 2
            if names_batch_limit(told):
                self._most_texts = half
            return [*await self._batch(texts[:half]), *await self._batch(texts[half:])]
        if len(texts[0]) < SHORT_CHARS:
            raise refusal
        return await self._batch([texts[0][: len(texts[0]) // 2]])

    async def _send(self, texts: list[str]) -> tuple[httpx.Response, bytes]:
        body: dict[str, Any] = {"model": self._embedding.model, "input": texts}
        if self._embedding.send_dimensions:
            body["dimensions"] = self._embedding.dimensions
        try:
            return await self._endpoint.ask(body)
        except ModelError as error:
            raise _as_embedding(error) from error

    def _read(self, content: bytes, count: int) -> list[Vector]:
        if not content.strip():
            raise EmbeddingError(template="{provider}: the server sent nothing", hint="try again", provider=self._name)
        try:
            rows = json.loads(content)["data"]
            indexes = [row.get("index") for row in rows]
            if sorted(indexes, key=str) == sorted(range(len(rows)), key=str):
                rows = sorted(rows, key=lambda row: row["index"])
            raw = [row["embedding"] for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._bad("its answer holds no embeddings") from error
        if len(raw) != count:
            raise self._bad(f"it gave {len(raw)} vectors for {count} texts")
        return [self._vector(each) for each in raw]

    def _vector(self, raw: object) -> Array:
        import numpy as np

        try:
            if isinstance(raw, str):
                vector = np.frombuffer(base64.b64decode(raw, validate=True), dtype="<f4").astype(np.float64)
            else:
                vector = np.asarray(raw, dtype=np.float64)
        except (ValueError, TypeError, OverflowError, binascii.Error) as error:
            raise self._bad("one of its vectors can not be read") from error
        if vector.shape != (self.dimensions,):
            raise EmbeddingError(
                template="{provider}: vectors of {found} numbers, where {wanted} were expected",
                hint="set embedding.dimensions = {found}, or send_dimensions = true if the model can choose",
                retryable=False, provider=self._name, found=vector.size, wanted=self.dimensions,
            )  # fmt: skip
        with np.errstate(over="ignore", invalid="ignore"):
            norm = float(np.linalg.norm(vector))
        if not np.isfinite(norm) or norm < SMALLEST_NORM:
            raise self._bad("one of its vectors is no direction (zero or not a number)")
        result: Array = (vector / norm).astype(np.float32)
        return result

    def _bad(self, detail: str) -> EmbeddingError:
        return EmbeddingError(retryable=False, provider=self._name, detail=detail)


def _as_embedding(error: ModelError) -> EmbeddingError:
    """The same sentence, as a failure to embed."""
    return EmbeddingError(
        template=error.sentence_template,
        hint=error.way_out_template,
        retryable=isinstance(error, ModelUnavailable),
        **error.fields,
    )

"""Whether what an embedder gave are vectors that can be compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import Vector

SMALLEST_NORM = 1e-6
"""A shorter vector has no direction. Chosen by hand."""


def checked(vectors: Sequence[Vector], texts: int, model: str, dimensions: int) -> list[Vector]:
    """The vectors, one a text, each of the model's width and of a length. Raises EmbeddingError: another answer to the
    same text would be the same."""
    try:
        widths = [len(each) for each in vectors]
        lengths = [math.hypot(*each) for each in vectors]
    except (TypeError, ValueError, OverflowError) as error:
        raise _bad(model, "one of its vectors can not be read") from error
    if len(widths) != texts:
        raise _bad(model, f"it gave {len(widths)} vectors for {texts} texts")
    for width in widths:
        if width != dimensions:
            raise EmbeddingError(
                template="{provider}: vectors of {found} numbers, where {wanted} were expected",
                retryable=False,
                provider=model,
                found=width,
                wanted=dimensions,
            )
    if not all(math.isfinite(length) and length >= SMALLEST_NORM for length in lengths):
        raise _bad(model, "one of its vectors is no direction (zero or not a number)")
    return list(vectors)


def _bad(model: str, detail: str) -> EmbeddingError:
    return EmbeddingError(retryable=False, provider=model, detail=detail)

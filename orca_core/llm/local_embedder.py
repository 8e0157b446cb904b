"""The built-in embedder: hashed words and character n-grams. No download, no key, no network; Chinese and English.

It knows what letters know: near duplicates are near, meanings are not. Its vectors are rotated, so that their signs,
which the index compares first, tell as much as the numbers do."""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from orca_core.model.llm import Embedder, Vector
from orca_core.rules.text.spelling import simplified

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

DIMENSIONS = 1024
MAX_CHARS = 8000
ROTATION_SEED = 20
_PIECE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff]+|[^\W_]+")
_IS_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff]")


class LocalEmbedder:
    """Deterministic vectors of unit length, the same on every machine."""

    dimensions = DIMENSIONS
    model = f"local/ngram-2@{DIMENSIONS}"
    trust = 0.25

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [embedded(text) for text in texts]

    async def aclose(self) -> None:
        return None


def embedded(text: str) -> Array:
    """One text's vector. A text without letters gets one all the same: its characters are hashed as they are."""
    import numpy as np

    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    counts = Counter(_features(text)) or Counter(["?" + text])
    for feature, count in counts.items():
        code = zlib.crc32(feature.encode("utf-8", "replace"))
        vector[code % DIMENSIONS] += (1.0 if code & 0x80000000 else -1.0) * (1.0 + math.log(count))
    if not vector.any():
        vector[0] = 1.0
    rotated = _rotated(vector)
    result: Array = rotated / np.linalg.norm(rotated)
    return result


def _features(text: str) -> Iterator[str]:
    """Words and the pieces they are made of."""
    folded = simplified(unicodedata.normalize("NFKC", text[:MAX_CHARS])).casefold()
    for match in _PIECE.finditer(folded):
        piece = match[0]
        if _IS_CJK.match(piece):
            yield from piece
            yield from (piece[at : at + 2] for at in range(len(piece) - 1))
            yield from (piece[at : at + 3] for at in range(len(piece) - 2))
        else:
            yield f"={piece}"
            edged = f"<{piece}>"
            yield from (edged[at : at + 3] for at in range(len(edged) - 2))
            yield from (edged[at : at + 4] for at in range(len(edged) - 3))


@cache
def _signs() -> Array:
    import numpy as np

    return np.random.default_rng(ROTATION_SEED).choice(np.array([-1.0, 1.0], dtype=np.float32), DIMENSIONS)


def _rotated(vector: Array) -> Array:
    """Random signs and a Walsh–Hadamard transform: every number is spread over all the others, no length changes."""
    import numpy as np

    spread = vector * _signs()
    width = 1
    while width < DIMENSIONS:
        pairs = spread.reshape(-1, 2, width)
        spread = np.concatenate((pairs[:, :1] + pairs[:, 1:], pairs[:, :1] - pairs[:, 1:]), axis=1).reshape(-1)
        width *= 2
    return spread

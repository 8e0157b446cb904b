"""Vectors as rows hold them: float16, little-endian, of unit length; and their cosines. numpy is loaded with the
first one."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

SMALLEST_NORM = 1e-6
SIGN_AND_NUMBER = 0x8FFFE000 - (1 << 32)
BIAS = 2.0**112
"""The exponents of float32 are so much greater than those of float16."""


def load_numpy() -> None:
    """Load numpy, which takes a tenth of a second once: no transaction is to hold the lock for it."""
    import numpy as np

    assert np.__version__


def unit(vector: Vector) -> Array:
    """The vector at unit length. Raises for NaN, infinite, zero and empty vectors."""
    import numpy as np

    array = np.asarray(vector, dtype=np.float32)
    norm = float(np.linalg.norm(array)) if array.ndim == 1 and array.size else 0.0
    if not np.isfinite(norm) or norm < SMALLEST_NORM:
        raise InvalidInput(template="not a vector: its length is {norm}", norm=norm)
    result: Array = array / np.float32(norm)
    return result


def to_blob(vector: Array) -> bytes:
    return vector.astype("<f2").tobytes()


def from_blobs(blobs: Sequence[bytes], dimensions: int) -> Array:
    """The rows of a matrix, one a blob, of finite numbers."""
    import numpy as np

    # Sign, exponent and fraction are moved to where float32 has them: numpy's own conversion takes six times as long.
    bits = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(len(blobs), dimensions).astype(np.int32)
    bits <<= 13
    bits &= np.int32(SIGN_AND_NUMBER)
    numbers: Array = bits.view(np.float32)
    numbers *= np.float32(BIAS)
    return numbers


def sign_code(vector: Array) -> bytes:
    """One bit a dimension, padded to whole bytes: what the index compares first."""
    import numpy as np

    return np.packbits(vector > 0, bitorder="little").tobytes()


def cosines(blobs: Mapping[int, bytes], wanted: Array) -> dict[int, float]:
    """The cosine of each stored vector; those of another width are skipped."""
    width = len(wanted) * 2
    fitting = {key: blob for key, blob in blobs.items() if len(blob) == width}
    if not fitting:
        return {}
    import numpy as np

    # vecdot stays on this thread: a product of matrices would wake others, which costs ten times as much.
    products = np.vecdot(from_blobs(list(fitting.values()), len(wanted)), wanted)
    return {key: float(product) for key, product in zip(fitting, products, strict=True)}


def random_cosines(blobs: Sequence[bytes], pairs: int, seed: int) -> list[float]:
    """Cosines of so many random pairs; none where there are fewer than two vectors."""
    if len(blobs) < 2:
        return []
    import numpy as np

    vectors = from_blobs(blobs, len(blobs[0]) // 2)
    chance = random.Random(seed)
    chosen = [chance.sample(range(len(blobs)), 2) for _ in range(min(pairs, len(blobs) * (len(blobs) - 1) // 2))]
    left, right = np.asarray(chosen).T
    products: list[float] = np.einsum("ij,ij->i", vectors[left], vectors[right]).tolist()
    return products


def to_exact(vector: Vector) -> bytes:
    """A vector as the cache keeps it: float32, so that what comes back is what the embedder gave."""
    import numpy as np

    return np.asarray(vector, dtype="<f4").tobytes()


def from_exact(blob: bytes) -> Array:
    import numpy as np

    return np.frombuffer(blob, dtype="<f4")

"""What sign codes tell of the vectors they were made of. The codes of many lie word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from orca_core.store.sqlite.index.float16 import Array

FAR = np.uint16(0x8000)
"""More than any two codes differ in."""
SAMPLED = 16_384
"""So many distances say how near the nearest of all are likely to be. Chosen by hand."""
LEVELS = 5
"""To so many bits the numbers of the asked vector are rounded, as RaBitQ does (arXiv 2405.12497)."""


def coded(is_set: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """A bit for each of a row, in so many words a row."""
    bits = np.packbits(is_set, axis=1, bitorder="little")
    codes = np.zeros((len(bits), words * 8), np.uint8)
    codes[:, : bits.shape[1]] = bits
    return codes.view(np.uint64)


def estimated(codes: NDArray[np.uint64], spread: NDArray[np.float32], wanted: Array) -> NDArray[np.float32]:
    """What the products of these vectors with the wanted one are likely to be. Their spread is what the sum of its
    numbers, with the signs of a code, is multiplied by."""
    lowest = wanted.min()
    step = (wanted.max() - lowest) / (2**LEVELS - 1)
    levels = np.rint((wanted - lowest) / (step or 1)).astype(np.uint8)
    asked, counted = np.empty_like(codes), np.empty(codes.shape, np.uint8)
    summed = lowest * np.bitwise_count(codes, out=counted).sum(axis=0, dtype=np.uint16)
    for level in range(LEVELS):
        [plane] = coded((levels >> level & 1)[None] > 0, len(codes))
        np.bitwise_count(np.bitwise_and(codes, plane[:, None], out=asked), out=counted)
        summed += (step * 2**level) * counted.sum(axis=0, dtype=np.uint16)
    products: NDArray[np.float32] = (2 * summed - wanted.sum()) * spread
    return products


def least(distances: NDArray[np.uint16], most: int) -> NDArray[np.intp]:
    """The places of the `most` least distances, and of those that equal the greatest among these; all that are not far
    where these are fewer."""
    if len(distances) > max(SAMPLED, 4 * most):
        # To count all takes longer than to compare them with what a sample says.
        few = distances[:: len(distances) // SAMPLED]
        rank = min(2 * most * len(few) // len(distances) + 1, len(few) - 1)
        near = np.flatnonzero(distances <= np.partition(few, rank)[rank])
        if most <= len(near) < len(distances):
            return near[least(distances[near], most)]
    is_near = distances < FAR
    if most < len(distances):
        is_near &= distances <= np.partition(distances, most - 1)[most - 1]
    return np.flatnonzero(is_near)

"""Whether a text is technical, by its vector: a linear head on the embedder of meaning.

It finds what no list of words does ("why is the build so slow today?") and is for what the words do not find technical:
`topics.technical_signs` names what it saw, this does not. scripts/train_technical_head.py makes the weights."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from operator import mul

from msgspec import Struct

from orca_core.domain.ports import Vector

THRESHOLD = 0.8
"""From this probability on a text counts as technical. `scripts/train_technical_head.py`: 2.2 of 100 everyday turns do
by cross-validation, 2.1 of those held out; at most 3 may."""


def seems_technical(vector: Vector, model: str) -> bool:
    """Whether the text with this vector, made by this `model`, counts as technical. No, where there is no head for the
    model: only the embedder of meaning has one."""
    probability = technical_probability(vector, model)
    return probability is not None and probability >= THRESHOLD


def technical_probability(vector: Vector, model: str) -> float | None:
    """How likely a text is technical, from 0 to 1; None where there is no head for vectors of this `model`."""
    head = _head()
    if head.model != model or len(vector) != len(head.weights):
        return None
    return 1.0 / (1.0 + math.exp(-(head.bias + sum(map(mul, vector, head.weights)))))


class _Head(Struct, frozen=True):
    model: str
    bias: float
    weights: Sequence[float]


@cache
def _head() -> _Head:
    parts = json.loads(files("orca_core.rules.asking").joinpath("technical_head.json").read_text(encoding="utf-8"))
    return _Head(parts["model"], float(parts["bias"]), tuple(parts["weights"]))

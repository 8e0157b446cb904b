"""Whether an answer means what a memory says, though it shares no word with it. Only the embedder of meaning tells."""

from __future__ import annotations

import math
from operator import mul

from orca_core.model.llm import Vector

MODEL = "meaning/use-multilingual-3@512"
"""The threshold is this model's: in others the cosines of what is unrelated are higher."""
MEANT = 0.3
"""From this nearness on an answer means what a memory says.

`benchmarks/references.py --meaning --curve`, development rows: at 0.25 precision is 0.954 and recall 0.889, from 0.28
to 0.36 they are 0.963 and 0.875, at 0.4 as without it. Of 22 answers to a question that the memory is about
(`on_topic`) and that make no use of it, none comes so near."""
_LEAST_REST = 1e-6
"""What says less beyond the question says nothing."""


def can_tell(model: str) -> bool:
    """Whether vectors of this model tell it."""
    return model == MODEL


def nearness(memory: Vector, answer: Vector, question: Vector) -> float:
    """The cosine between what a memory and an answer say beyond the question: what that says already proves nothing.
    All three are of unit length."""
    of_memory, of_answer = _dot(memory, question), _dot(answer, question)
    rest = (1 - of_memory**2) * (1 - of_answer**2)
    return (_dot(memory, answer) - of_memory * of_answer) / math.sqrt(rest) if rest > _LEAST_REST else 0.0


def _dot(one: Vector, other: Vector) -> float:
    return float(sum(map(mul, one, other)))

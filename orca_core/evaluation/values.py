"""Values of an evaluation: sets of documents and questions with the figures that come of them, and stored turns under
other settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from orca_core.model.recall import Item, Receipt
from orca_core.model.records import Ref


class Document(Struct, frozen=True):
    """A text that is to be found. `round` is its place in its session; texts may repeat, ids do not."""

    id: str
    conversation: str
    session: str | None
    round: int
    text: str
    at: datetime | None


class Question(Struct, frozen=True):
    """What is asked of the documents of one conversation, and the ids of those that answer it."""

    id: str
    conversation: str
    text: str
    category: str
    language: str
    relevant: tuple[str, ...]


class Corpus(Struct, frozen=True):
    """A set of documents and questions; `left_out` counts what is not asked for, by the reason."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


class Scores(Struct, frozen=True):
    """What a ranking is worth, each from 0 to 1; or the mean over many."""

    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    hit_at_5: float
    mrr_at_10: float
    ndcg_at_10: float


class Asked(Struct, frozen=True):
    """One question, what its answer was worth, and how long it took; `by_words_alone` where the embedder failed,
    `not_reranked` where the reranker did."""

    question: Question
    scores: Scores
    ms: float
    by_words_alone: bool = False
    not_reranked: bool = False


class Figures(Struct, frozen=True):
    """Means over so many questions, and the median and the 95th percentile of the time."""

    questions: int
    scores: Scores
    p50_ms: float
    p95_ms: float


class Measured(Struct, frozen=True):
    """The figures of one set, or of several: then each set stands in `sets`, and the whole is the mean over the
    languages, each the mean over its sets."""

    whole: Figures
    by_language: Mapping[str, Figures]
    by_category: Mapping[str, Figures]
    sets: Mapping[str, Measured] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    by_words_alone: int = 0
    not_reranked: int = 0
    asked: tuple[Asked, ...] = ()


class Turned(Struct, frozen=True):
    """Of the questions that one embedder answers among the first five and the other does not, how many are which."""

    gained: int
    lost: int


class RetrievalReport(Struct, frozen=True):
    """What was measured, by the name of the embedder; the configured one comes first, and each other one has `turned`
    against it."""

    measured: Mapping[str, Measured]
    turned: Mapping[str, Turned] = field(default_factory=dict)

    @property
    def configured(self) -> Measured:
        return next(iter(self.measured.values()))


class StoreMeasured(Struct, frozen=True):
    """A conversation is done: the `done`-th of `all`."""

    embedder: str
    corpus: str
    conversation: str
    documents: int
    questions: int
    done: int
    all: int


class PastTurn(Struct, frozen=True):
    """A turn as it is stored: what was asked, and its receipt. `first_round` where no answer stood before it."""

    text: str
    at: datetime
    first_round: bool
    receipt: Receipt


class TurnChange(Struct, frozen=True):
    """What a turn would have got besides, and what it would not have got. `is_open` where memories that its receipt
    does not name might have come, too."""

    turn: PastTurn
    gained: tuple[Item, ...]
    lost: tuple[Item, ...]
    is_open: bool


class WeightChange(Struct, frozen=True):
    """A memory whose weight would be another after all turns."""

    ref: Ref
    content: str
    before: float
    after: float
    archived_before: bool
    archived_after: bool


class Injected(Struct, frozen=True):
    """What was put before the model in all replayed turns."""

    memories: int
    tokens: int


class Replay(Struct, frozen=True):
    """`not_reproduced` turns got something else than the configured settings give: they were decided by other settings
    or by other rules, and nothing is said of them; nor of those `without_text`, of which something was deleted. Of the
    replayed ones, `open` might have got what no receipt holds."""

    turns: int
    not_reproduced: int
    without_text: int
    open: tuple[PastTurn, ...]
    before: Injected
    after: Injected
    changes: tuple[TurnChange, ...]
    weights: tuple[WeightChange, ...]
    weights_not_reproduced: int

    @property
    def replayed(self) -> int:
        return self.turns - self.not_reproduced - self.without_text

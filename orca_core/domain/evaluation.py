"""How well retrieval finds: the documents and questions that measure it, and the figures that come of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from orca_core.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A text that is to be found. `round` is its place in its session; texts may repeat, ids do not."""

    id: str
    conversation: str
    session: str | None
    round: int
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the documents of one conversation, and the ids of those that answer it."""

    id: str
    conversation: str
    text: str
    category: str
    language: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A set of documents and questions; `left_out` counts what is not asked for, by the reason."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scores:
    """What a ranking is worth, each from 0 to 1; or the mean over many."""

    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    hit_at_5: float
    mrr_at_10: float
    ndcg_at_10: float


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, what its answer was worth, and how long it took; `by_words_alone` where the embedder failed,
    `not_reranked` where the reranker did."""

    question: Question
    scores: Scores
    ms: float
    by_words_alone: bool = False
    not_reranked: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over so many questions, and the median and the 95th percentile of the time."""

    questions: int
    scores: Scores
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Measured:
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


@dataclass(frozen=True, slots=True)
class Turned:
    """Of the questions that one embedder answers among the first five and the other does not, how many are which."""

    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """What was measured, by the name of the embedder; the configured one comes first, and each other one has `turned`
    against it."""

    measured: Mapping[str, Measured]
    turned: Mapping[str, Turned] = field(default_factory=dict)

    @property
    def configured(self) -> Measured:
        return next(iter(self.measured.values()))


@dataclass(frozen=True, slots=True)
class StoreMeasured:
    """A conversation is done: the `done`-th of `all`."""

    embedder: str
    corpus: str
    conversation: str
    documents: int
    questions: int
    done: int
    all: int

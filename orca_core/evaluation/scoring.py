"""What retrieval is measured by: sets of documents and questions, the worth of a ranking, means over many, and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from orca_core.serialize.values import Json, pick, plain


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


NOTHING: Mapping[str, int] = {}
DEPTH = 10
"""How many places of a ranking count."""


def score(ranked: Sequence[str], relevant: Sequence[str]) -> Scores:
    """One ranking. `relevant` is not empty, and holds no id twice."""
    assert relevant
    hits = [each in relevant for each in ranked[:DEPTH]]
    first = next((place for place, is_hit in enumerate(hits, 1) if is_hit), None)
    best = sum(_gain(place) for place in range(1, min(len(relevant), DEPTH) + 1))
    return Scores(
        recall_at_1=sum(hits[:1]) / len(relevant),
        recall_at_5=sum(hits[:5]) / len(relevant),
        recall_at_10=sum(hits) / len(relevant),
        hit_at_5=float(any(hits[:5])),
        mrr_at_10=0.0 if first is None else 1 / first,
        ndcg_at_10=sum(_gain(place) for place, is_hit in enumerate(hits, 1) if is_hit) / best,
    )


def _gain(place: int) -> float:
    return 1 / math.log2(place + 1)


def mean(scores: Sequence[Scores]) -> Scores:
    """The mean of each figure; of none, noughts."""
    columns = zip(*map(astuple, scores), strict=True)
    return Scores(*(sum(column) / len(scores) for column in columns)) if scores else Scores(*[0.0] * 6)


def measured(
    asked: Sequence[Asked], left_out: Mapping[str, int] = NOTHING, *, by_category_of: Sequence[Asked] = ()
) -> Measured:
    """The figures of one set; its categories may be those of more questions than the whole counts."""
    return Measured(
        whole=_figures(asked),
        by_language=_grouped(asked, lambda each: each.question.language),
        by_category=_grouped(by_category_of or asked, lambda each: each.question.category),
        left_out=left_out,
        by_words_alone=sum(each.by_words_alone for each in asked),
        not_reranked=sum(each.not_reranked for each in asked),
        asked=tuple(asked),
    )


def of_sets(sets: Mapping[str, Sequence[Asked]], left_out: Mapping[str, int] = NOTHING) -> Measured:
    """The figures of one set, or of several: a language is the mean over its sets, the whole that of the languages."""
    everything = measured([each for asked in sets.values() for each in asked], left_out)
    if len(sets) == 1:
        return everything
    each_set = {name: measured(asked) for name, asked in sets.items()}
    by_language = {}
    for language, of_all in everything.by_language.items():
        scores = [each.by_language[language].scores for each in each_set.values() if language in each.by_language]
        by_language[language] = replace(of_all, scores=mean(scores))
    whole = replace(everything.whole, scores=mean([each.scores for each in by_language.values()]))
    return replace(everything, whole=whole, by_language=by_language, sets=each_set)


def turned(first: Sequence[Asked], second: Sequence[Asked]) -> Turned:
    """What asking the same questions in another way gains, and what it loses."""
    pairs = [(a.scores.hit_at_5, b.scores.hit_at_5) for a, b in zip(first, second, strict=True)]
    return Turned(sum(a < b for a, b in pairs), sum(a > b for a, b in pairs))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies; of none, nought."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def _figures(asked: Sequence[Asked]) -> Figures:
    """The means over these questions, each counting the same."""
    times = sorted(each.ms for each in asked)
    return Figures(len(asked), mean([each.scores for each in asked]), percentile(times, 0.5), percentile(times, 0.95))


def _grouped(asked: Sequence[Asked], key: Callable[[Asked], str]) -> dict[str, Figures]:
    names = sorted(set(map(key, asked)))
    return {name: _figures([each for each in asked if key(each) == name]) for name in names}


NAMES = {
    "recall@1": "recall_at_1",
    "recall@5": "recall_at_5",
    "recall@10": "recall_at_10",
    "hit@5": "hit_at_5",
    "mrr@10": "mrr_at_10",
    "ndcg@10": "ndcg_at_10",
}
"""The scores of an evaluation, with their fields."""
DIGITS = 6


def report_json(report: RetrievalReport) -> Json:
    """The figures with the configured embedder, and beside them those with each other one."""
    first, *others = report.measured
    compared = {name: {**_measured_json(report.measured[name]), **plain(report.turned[name])} for name in others}
    told = {**_measured_json(report.configured), "embedder": first}
    return {**told, "compared": compared} if compared else told


def _measured_json(measured: Measured) -> Json:
    """The figures of one set, or of several with each set beside the whole."""
    told = {
        **_figures_json(measured.whole),
        "by_language": {name: _figures_json(each) for name, each in measured.by_language.items()},
        "by_category": {name: _figures_json(each) for name, each in measured.by_category.items()},
        **pick(measured, "left_out by_words_alone not_reranked"),
    }
    sets = {name: _measured_json(each) for name, each in measured.sets.items()}
    return {**told, "sets": sets} if sets else told


def _figures_json(figures: Figures) -> Json:
    """Shares from 0 to 1, times in milliseconds."""
    scores = {name: round(getattr(figures.scores, field), DIGITS) for name, field in NAMES.items()}
    times = {"p50_ms": round(figures.p50_ms, 3), "p95_ms": round(figures.p95_ms, 3)}
    return {"queries": figures.questions, **scores, **times}

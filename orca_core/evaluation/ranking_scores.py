"""What a ranking is worth against the documents that answer a question, and means over many."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from orca_core.evaluation.question_sets import SetQuestion
from orca_core.serialize.values import Json, pick


class RankingScores(Struct, frozen=True):
    """What a ranking is worth, each from 0 to 1; or the mean over many."""

    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    hit_at_5: float
    mrr_at_10: float
    ndcg_at_10: float


SCORE_NAMES = ("recall@1", "recall@5", "recall@10", "hit@5", "mrr@10", "ndcg@10")
DEPTH = 10
"""How many places of a ranking count."""
DIGITS = 6


class ScoredSearch(Struct, frozen=True):
    """One question, what its answer was worth, and how long it took; `by_words_alone` where the embedder failed,
    `not_reranked` where the reranker did."""

    question: SetQuestion
    scores: RankingScores
    ms: float
    by_words_alone: bool = False
    not_reranked: bool = False


class MeanScores(Struct, frozen=True):
    """Means over so many questions, and the median and the 95th percentile of the time."""

    questions: int
    scores: RankingScores
    p50_ms: float
    p95_ms: float


class RetrievalReport(Struct, frozen=True):
    """The figures of one set, or of several: then each set stands in `sets`, and the whole is the mean over the
    languages, each the mean over its sets."""

    embedder: str
    whole: MeanScores
    by_language: Mapping[str, MeanScores]
    by_category: Mapping[str, MeanScores]
    sets: Mapping[str, RetrievalReport] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    by_words_alone: int = 0
    not_reranked: int = 0


def score(ranked: Sequence[str], relevant: Sequence[str]) -> RankingScores:
    """One ranking. `relevant` is not empty."""
    wanted = set(relevant)
    hits = [each in wanted for each in ranked[:DEPTH]]
    first = next((place for place, is_hit in enumerate(hits, 1) if is_hit), None)
    best = sum(_gain(place) for place in range(1, min(len(wanted), DEPTH) + 1))
    return RankingScores(
        recall_at_1=sum(hits[:1]) / len(wanted),
        recall_at_5=sum(hits[:5]) / len(wanted),
        recall_at_10=sum(hits) / len(wanted),
        hit_at_5=float(any(hits[:5])),
        mrr_at_10=0.0 if first is None else 1 / first,
        ndcg_at_10=sum(_gain(place) for place, is_hit in enumerate(hits, 1) if is_hit) / best,
    )


def _gain(place: int) -> float:
    return 1 / math.log2(place + 1)


def report_of(
    embedder: str, sets: Mapping[str, Sequence[ScoredSearch]], left_out: Mapping[str, int]
) -> RetrievalReport:
    """The figures of one set, or of several: a language is the mean over its sets, the whole that of the languages."""
    everything = _of_one_set(embedder, [each for results in sets.values() for each in results], left_out)
    if len(sets) == 1:
        return everything
    each_set = {name: _of_one_set(embedder, results, {}) for name, results in sets.items()}
    by_language = {}
    for language, of_all in everything.by_language.items():
        scores = [each.by_language[language].scores for each in each_set.values() if language in each.by_language]
        by_language[language] = replace(of_all, scores=_mean(scores))
    whole = replace(everything.whole, scores=_mean([each.scores for each in by_language.values()]))
    return replace(everything, whole=whole, by_language=by_language, sets=each_set)


def _of_one_set(embedder: str, results: Sequence[ScoredSearch], left_out: Mapping[str, int]) -> RetrievalReport:
    return RetrievalReport(
        embedder,
        whole=mean_scores(results),
        by_language=_grouped(results, lambda each: each.question.language),
        by_category=by_category(results),
        left_out=left_out,
        by_words_alone=sum(each.by_words_alone for each in results),
        not_reranked=sum(each.not_reranked for each in results),
    )


def by_category(results: Sequence[ScoredSearch]) -> dict[str, MeanScores]:
    return _grouped(results, lambda each: each.question.category)


def mean_scores(results: Sequence[ScoredSearch]) -> MeanScores:
    """The means over these questions, each counting the same."""
    times = sorted(each.ms for each in results)
    scores = _mean([each.scores for each in results])
    return MeanScores(len(results), scores, percentile(times, 0.5), percentile(times, 0.95))


def _mean(scores: Sequence[RankingScores]) -> RankingScores:
    columns = zip(*map(astuple, scores), strict=True)
    values = [sum(column) / len(scores) for column in columns] if scores else [0.0] * len(SCORE_NAMES)
    return RankingScores(*values)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies; of none, nought."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def _grouped(results: Sequence[ScoredSearch], key: Callable[[ScoredSearch], str]) -> dict[str, MeanScores]:
    names = sorted(set(map(key, results)))
    return {name: mean_scores([each for each in results if key(each) == name]) for name in names}


def report_json(report: RetrievalReport) -> Json:
    """The figures of one set, or of several with each set beside the whole."""
    told = {
        "embedder": report.embedder,
        **_mean_json(report.whole),
        "by_language": {name: _mean_json(each) for name, each in report.by_language.items()},
        "by_category": {name: _mean_json(each) for name, each in report.by_category.items()},
        **pick(report, "left_out by_words_alone not_reranked"),
    }
    sets = {name: report_json(each) for name, each in report.sets.items()}
    return {**told, "sets": sets} if sets else told


def _mean_json(mean: MeanScores) -> Json:
    """Shares from 0 to 1, times in milliseconds."""
    scores = {name: round(value, DIGITS) for name, value in zip(SCORE_NAMES, astuple(mean.scores), strict=True)}
    times = {"p50_ms": round(mean.p50_ms, 3), "p95_ms": round(mean.p95_ms, 3)}
    return {"queries": mean.questions, **scores, **times}

"""What a ranking is worth against the ids that answer a question, and the means over many."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import astuple

from orca_core.evaluation.values import Asked, Figures, Measured, Scores, Turned

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


def figures(asked: Sequence[Asked]) -> Figures:
    """The means over these questions, each counting the same."""
    return _figures(asked, mean([each.scores for each in asked]))


def measured(
    asked: Sequence[Asked],
    left_out: Mapping[str, int] = NOTHING,
    *,
    by_category_of: Sequence[Asked] | None = None,
) -> Measured:
    """The figures of one set; its categories may be those of more questions than the whole counts."""
    return Measured(
        whole=figures(asked),
        by_language=_grouped(asked, lambda each: each.question.language),
        by_category=_grouped(asked if by_category_of is None else by_category_of, lambda each: each.question.category),
        left_out=left_out,
        by_words_alone=sum(each.by_words_alone for each in asked),
        not_reranked=sum(each.not_reranked for each in asked),
        asked=tuple(asked),
    )


def together(sets: Mapping[str, Sequence[Asked]], left_out: Mapping[str, int] = NOTHING) -> Measured:
    """The figures of several sets: a language is the mean over its sets, the whole the mean over the languages."""
    each_set = {name: measured(asked) for name, asked in sets.items()}
    everything = [each for asked in sets.values() for each in asked]
    by_language = {}
    for language in sorted({each.question.language for each in everything}):
        of_sets = [each.by_language[language].scores for each in each_set.values() if language in each.by_language]
        of_language = [each for each in everything if each.question.language == language]
        by_language[language] = _figures(of_language, mean(of_sets))
    return Measured(
        whole=_figures(everything, mean([each.scores for each in by_language.values()])),
        by_language=by_language,
        by_category=_grouped(everything, lambda each: each.question.category),
        sets=each_set,
        left_out=left_out,
        by_words_alone=sum(each.by_words_alone for each in everything),
        not_reranked=sum(each.not_reranked for each in everything),
        asked=tuple(everything),
    )


def turned(first: Sequence[Asked], second: Sequence[Asked]) -> Turned:
    """What asking the same questions in another way gains, and what it loses."""
    pairs = [(a.scores.hit_at_5, b.scores.hit_at_5) for a, b in zip(first, second, strict=True)]
    return Turned(sum(a < b for a, b in pairs), sum(a > b for a, b in pairs))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies; of none, nought."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def _figures(asked: Sequence[Asked], scores: Scores) -> Figures:
    times = sorted(each.ms for each in asked)
    return Figures(len(asked), scores, percentile(times, 0.5), percentile(times, 0.95))


def _grouped(asked: Sequence[Asked], key: Callable[[Asked], str]) -> dict[str, Figures]:
    groups: dict[str, list[Asked]] = {}
    for each in asked:
        groups.setdefault(key(each), []).append(each)
    return {name: figures(groups[name]) for name in sorted(groups)}

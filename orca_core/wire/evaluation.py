"""Figures of evaluations."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.evaluation import Figures, Measured, RetrievalReport, Scores
from orca_core.wire.values import Json

NAMES = {
    "recall@1": "recall_at_1",
    "recall@5": "recall_at_5",
    "recall@10": "recall_at_10",
    "hit@5": "hit_at_5",
    "mrr@10": "mrr_at_10",
    "ndcg@10": "ndcg_at_10",
}
DIGITS = 6


def report_json(report: RetrievalReport) -> Json:
    """The figures with the configured embedder, and beside them those with each other one."""
    first, *others = report.measured
    document = {**measured_json(report.configured), "embedder": first}
    if others:
        document["compared"] = {
            name: {
                **measured_json(report.measured[name]),
                "gained": report.turned[name].gained,
                "lost": report.turned[name].lost,
            }
            for name in others
        }
    return document


def measured_json(measured: Measured) -> Json:
    """The figures of one set, or of several with each set beside the whole."""
    sets = {name: measured_json(each) for name, each in measured.sets.items()}
    return {
        **figures_json(measured.whole),
        "by_language": _each(measured.by_language),
        "by_category": _each(measured.by_category),
        "left_out": dict(measured.left_out),
        "by_words_alone": measured.by_words_alone,
        "not_reranked": measured.not_reranked,
        **({"sets": sets} if sets else {}),
    }


def figures_json(figures: Figures) -> Json:
    """Shares from 0 to 1, times in milliseconds."""
    return {
        "queries": figures.questions,
        **scores_json(figures.scores),
        "p50_ms": round(figures.p50_ms, 3),
        "p95_ms": round(figures.p95_ms, 3),
    }


def scores_json(scores: Scores) -> Json:
    """Shares from 0 to 1."""
    return {name: round(getattr(scores, field), DIGITS) for name, field in NAMES.items()}


def _each(figures: Mapping[str, Figures]) -> Json:
    return {name: figures_json(each) for name, each in figures.items()}

"""The figures of an evaluation in JSON."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.evaluation.values import Figures, Measured, Replay, RetrievalReport, TurnChange
from orca_core.serialize.values import Json, pick, plain

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


def replay_json(replay: Replay) -> Json:
    """What stored turns would have got under other settings."""
    return {
        **pick(replay, "turns replayed not_reproduced without_text"),
        "open": len(replay.open),
        **pick(replay, "before after"),
        "changes": [_turn_change_json(each) for each in replay.changes],
        "weights": [
            pick(each, "ref:id content before after archived_before archived_after") for each in replay.weights
        ],
        **pick(replay, "weights_not_reproduced"),
    }


def _turn_change_json(change: TurnChange) -> Json:
    return {
        **pick(change.turn.receipt, "session_id round"),
        "gained": [pick(item, "ref:id reason") for item in change.gained],
        "lost": [pick(item, "ref:id reason") for item in change.lost],
        "open": change.is_open,
    }


def report_json(report: RetrievalReport) -> Json:
    """The figures with the configured embedder, and beside them those with each other one."""
    first, *others = report.measured
    compared = {name: {**_measured_json(report.measured[name]), **plain(report.turned[name])} for name in others}
    return {
        **_measured_json(report.configured),
        "embedder": first,
        **({"compared": compared} if compared else {}),
    }


def _measured_json(measured: Measured) -> Json:
    """The figures of one set, or of several with each set beside the whole."""
    sets = {name: _measured_json(each) for name, each in measured.sets.items()}
    return {
        **_figures_json(measured.whole),
        "by_language": _each(measured.by_language),
        "by_category": _each(measured.by_category),
        **pick(measured, "left_out by_words_alone not_reranked"),
        **({"sets": sets} if sets else {}),
    }


def _figures_json(figures: Figures) -> Json:
    """Shares from 0 to 1, times in milliseconds."""
    scores = {name: round(getattr(figures.scores, field), DIGITS) for name, field in NAMES.items()}
    times = {"p50_ms": round(figures.p50_ms, 3), "p95_ms": round(figures.p95_ms, 3)}
    return {"queries": figures.questions, **scores, **times}


def _each(figures: Mapping[str, Figures]) -> Json:
    return {name: _figures_json(each) for name, each in figures.items()}

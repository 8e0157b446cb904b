"""Tools in JSON: their guides, with what the database counts of their calls."""

from __future__ import annotations

from orca_core.domain.growth.tools import GUIDES, GuideView
from orca_core.wire.values import Json, number, timestamp_json


def guide_json(view: GuideView) -> Json:
    """What is known of a tool; `id`, `text` and `updated_at` are null where no guide was written of it yet."""
    figures, guide = view.figures, view.guide
    return {
        "id": None if guide is None else str(GUIDES.ref(guide)),
        "tool": figures.tool,
        "text": None if guide is None else guide.text,
        "calls": figures.calls,
        "success_rate": number(figures.success_rate) if figures.calls else None,
        "median_s": None if figures.median_s is None else number(figures.median_s),
        "p95_s": None if figures.p95_s is None else number(figures.p95_s),
        "errors": [{"error": error, "count": count} for error, count in figures.errors],
        "updated_at": None if guide is None else timestamp_json(guide.updated_at),
    }

"""What speaks for a candidate, and how near it is to going live."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.growth.supports import Support, Weighed
from orca_core.domain.refs import ACTION, Ref
from orca_core.domain.views import MemoryView, ViewPage
from orca_core.wire.contrasts import contrast_json
from orca_core.wire.memories import view_json
from orca_core.wire.values import Json, number, timestamp_json


def candidate_json(view: MemoryView, weighed: Weighed | None) -> Json:
    """A memory as people see it; of a candidate also how it is weighed."""
    return {**view_json(view), **({} if weighed is None else weighed_json(weighed))}


def pool_json(page: ViewPage, weighed: Mapping[int, Weighed]) -> Json:
    """A page of memories, candidates among them as they are weighed; `total` counts those beyond the page too."""
    return {
        "memories": [candidate_json(view, weighed.get(view.memory.id)) for view in page.views],
        "total": page.total,
    }


def weighed_json(weighed: Weighed) -> Json:
    return {
        "supports": [support_json(each) for each in weighed.supports],
        "visited": weighed.visited,
        "score": number(weighed.score),
        "threshold": number(weighed.threshold),
        "days": weighed.days,
        "needed": weighed.needed,
        "blocked_by": weighed.blocked_by or None,
        "contrast": contrast_json(weighed.contrast),
    }


def support_json(support: Support) -> Json:
    """`ref` names an act as lists do, and a round by its session and number."""
    of_a_round = f"{support.session_id}#{support.round}"
    ref = of_a_round if support.act is None else str(Ref(ACTION, support.act))
    return {"kind": support.kind.value, "ref": ref, "at": timestamp_json(support.at)}

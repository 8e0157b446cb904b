"""What an import of another program's file came to."""

from __future__ import annotations

from orca_core.model.import_export import Arrival, Arrived, ForeignBrought, LeftOut, Repeated
from orca_core.serialize.export import arrived_json, brought_json
from orca_core.serialize.values import Json, pick, plain


def is_coming(heard: Arrived | LeftOut | Repeated) -> bool:
    """Whether it came, or would."""
    return isinstance(heard, Arrived) and heard.arrival in (Arrival.NEW, Arrival.CANDIDATE)


def heard_json(heard: Arrived | LeftOut | Repeated) -> Json:
    """What became of one entry: as of a document of Orca's own, or why there is nothing to bring in."""
    match heard:
        case LeftOut():
            return {"id": None, "place": heard.place, "reason": heard.why.value, "text": heard.text}
        case Repeated():
            return {"id": None, "place": heard.place, "reason": "repeated", "first": heard.first}
    near = heard.near
    beside = near and {"id": near.id, "content": near.content, **plain(near.nearness)}
    return {**arrived_json(heard), **pick(heard, "label:text held_because? quote said_at"), "near": beside}


def foreign_brought_json(brought: ForeignBrought, *, looks_only: bool) -> Json:
    """What it came to, but for its entries."""
    told = brought_json(brought.brought, looks_only=looks_only)
    return {**told, "left_out": dict(brought.left), "repeated": brought.repeated}

"""Why a turn got what it got: receipts and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.recall import (
    Appearance,
    Injection,
    Item,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
)
from orca_core.domain.refs import Ref
from orca_core.wire.refs import kind_json, ref_json
from orca_core.wire.values import Json, number, timestamp_json


def parts_json(parts: ScoreParts) -> Json:
    """The four parts of a score."""
    return {
        "vector": number(parts.vector),
        "text": number(parts.text),
        "weight": number(parts.weight),
        "recency": number(parts.recency),
    }


def item_json(item: Item) -> Json:
    """A memory as it stood before a turn."""
    return {
        "id": ref_json(item.ref),
        "kind": kind_json(item.ref.kind),
        "content": item.content,
        "score": number(item.score),
        "parts": parts_json(item.parts),
        "reason": item.reason,
        "shortfall": shortfall_json(item.shortfall),
    }


def shortfall_json(shortfall: Shortfall | None) -> Json | None:
    """How near a record came to the floor; null for one that was not left out by it."""
    return None if shortfall is None else {"near": number(shortfall.near), "asked": number(shortfall.asked)}


def receipt_json(receipt: Receipt) -> Json:
    """Why a turn got what it got, and what came of it."""
    injection = receipt.injection
    return {
        "session_id": receipt.session_id,
        "round": receipt.round,
        "level": int(injection.level),
        "rules": rules_json(injection),
        "considered": [item_json(item) for item in injection.considered],
        "injected": [item_json(item) for item in injection.injected],
        "dropped": [item_json(item) for item in injection.dropped],
        "tokens": injection.tokens,
        "prompt_tokens": injection.prompt_tokens,
        **references_json(receipt.references),
        "weights": [{"id": ref_json(move.ref), "before": move.before, "after": move.after} for move in receipt.weights],
        "block": injection.block,
    }


def references_json(references: References) -> Json:
    """The injected records by what the answer did with them."""
    return {
        "used": [ref_json(ref) for ref in references.used],
        "unused": [ref_json(ref) for ref in references.unused],
        "unknown": [ref_json(ref) for ref in references.unknown],
    }


def rules_json(injection: Injection) -> list[str]:
    """The rules that decided; where recall could not look, that too."""
    failure = [f"recall_failed: {injection.failed}"] if injection.failed else []
    return [*injection.rules, *failure]


def appearances_json(ref: Ref, appearances: Sequence[Appearance]) -> Json:
    """The turns in which a record was put before the model, newest first; `before` and `after` are its weight."""
    return {
        "id": ref_json(ref),
        "appearances": [
            {
                "session_id": each.session_id,
                "title": each.title,
                "round": each.round,
                "at": timestamp_json(each.at),
                "reason": each.reason,
                "use": each.use,
                "before": each.before,
                "after": each.after,
            }
            for each in appearances
        ],
    }

"""Why a turn got what it got: receipts and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.causes import Cause, cause_of_sentence
from orca_core.domain.recall import (
    Appearance,
    Injection,
    Item,
    Level,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
    WeightMove,
)
from orca_core.domain.refs import Kinds, Ref
from orca_core.wire.refs import kind_json, ref_from, ref_json
from orca_core.wire.values import Json, number, timestamp_json

_FAILED = "recall_failed: "


def parts_json(parts: ScoreParts) -> Json:
    """The four parts of a score."""
    return {
        "vector": number(parts.vector),
        "text": number(parts.text),
        "weight": number(parts.weight),
        "recency": number(parts.recency),
    }


def parts_from(fields: Json) -> ScoreParts:
    """The inverse of `parts_json`."""
    return ScoreParts(fields["vector"], fields["text"], fields["weight"], fields["recency"])


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


def item_from(fields: Json, kinds: Kinds) -> Item:
    """The inverse of `item_json`, which leaves out a record's type, age and pin."""
    short = fields.get("shortfall")  # none in what was written before it was kept
    return Item(
        ref_from(fields["id"], kinds),
        fields["content"],
        parts_from(fields["parts"]),
        fields["reason"],
        shortfall=None if short is None else Shortfall(short["near"], short["asked"]),
    )


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


def receipt_from(fields: Json, kinds: Kinds) -> Receipt:
    """The inverse of `receipt_json`, which leaves out how long recall took and how much the model takes."""
    rules, failed = rules_from(fields["rules"])
    injection = Injection(
        level=Level(fields["level"]),
        rules=rules,
        injected=tuple(item_from(each, kinds) for each in fields["injected"]),
        dropped=tuple(item_from(each, kinds) for each in fields["dropped"]),
        block=fields["block"],
        tokens=fields["tokens"],
        prompt_tokens=fields["prompt_tokens"],
        failed=failed,
    )
    weights = tuple(
        WeightMove(ref_from(each["id"], kinds), each["before"], each["after"]) for each in fields["weights"]
    )
    return Receipt(fields["session_id"], fields["round"], injection, references_from(fields, kinds), weights)


def references_json(references: References) -> Json:
    """The injected records by what the answer did with them."""
    return {
        "used": [ref_json(ref) for ref in references.used],
        "unused": [ref_json(ref) for ref in references.unused],
        "unknown": [ref_json(ref) for ref in references.unknown],
    }


def references_from(fields: Json, kinds: Kinds) -> References:
    """The inverse of `references_json`."""
    return References(
        *(tuple(ref_from(each, kinds) for each in fields[name]) for name in ("used", "unused", "unknown"))
    )


def rules_json(injection: Injection) -> list[str]:
    """The rules that decided; where recall could not look, that too."""
    failure = [f"{_FAILED}{injection.failed}"] if injection.failed else []
    return [*injection.rules, *failure]


def rules_from(reasons: Sequence[str]) -> tuple[tuple[str, ...], Cause | None]:
    """The rules that decided, and why recall could not look; None where it could."""
    if reasons and reasons[-1].startswith(_FAILED):
        return tuple(reasons[:-1]), cause_of_sentence(reasons[-1].removeprefix(_FAILED))
    return tuple(reasons), None


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

"""Why a turn got what it got: receipts and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.causes import Cause, as_told
from orca_core.domain.recall import Injection, Item, Level, Receipt, References, ScoreParts, WeightMove
from orca_core.domain.refs import Kinds
from orca_core.wire.refs import kind_json, ref_from, ref_json
from orca_core.wire.values import Json, number

_FAILED = "recall_failed: "


def parts_json(parts: ScoreParts) -> Json:
    """The four parts of a score."""
    return {
        "vector": number(parts.vector),
        "text": number(parts.text),
        "weight": number(parts.weight),
        "recency": number(parts.recency),
    }


def parts_from(told: Json) -> ScoreParts:
    """The inverse of `parts_json`."""
    return ScoreParts(told["vector"], told["text"], told["weight"], told["recency"])


def item_json(item: Item) -> Json:
    """A memory as it stood before a turn."""
    return {
        "id": ref_json(item.ref),
        "kind": kind_json(item.ref.kind),
        "content": item.content,
        "score": number(item.score),
        "parts": parts_json(item.parts),
        "reason": item.reason,
    }


def item_from(told: Json, kinds: Kinds) -> Item:
    """The inverse of `item_json`, which leaves out a record's type, age and pin."""
    return Item(ref_from(told["id"], kinds), told["content"], parts_from(told["parts"]), told["reason"])


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


def receipt_from(told: Json, kinds: Kinds) -> Receipt:
    """The inverse of `receipt_json`, which leaves out how long recall took and how much the model takes."""
    rules, failed = rules_from(told["rules"])
    injection = Injection(
        level=Level(told["level"]),
        rules=rules,
        injected=tuple(item_from(each, kinds) for each in told["injected"]),
        dropped=tuple(item_from(each, kinds) for each in told["dropped"]),
        block=told["block"],
        tokens=told["tokens"],
        prompt_tokens=told["prompt_tokens"],
        failed=failed,
    )
    weights = tuple(WeightMove(ref_from(each["id"], kinds), each["before"], each["after"]) for each in told["weights"])
    return Receipt(told["session_id"], told["round"], injection, references_from(told, kinds), weights)


def references_json(references: References) -> Json:
    """The injected records by what the answer did with them."""
    return {
        "used": [ref_json(ref) for ref in references.used],
        "unused": [ref_json(ref) for ref in references.unused],
        "unknown": [ref_json(ref) for ref in references.unknown],
    }


def references_from(told: Json, kinds: Kinds) -> References:
    """The inverse of `references_json`."""
    return References(*(tuple(ref_from(each, kinds) for each in told[name]) for name in ("used", "unused", "unknown")))


def rules_json(injection: Injection) -> list[str]:
    """The rules that decided; where recall could not look, that too."""
    failure = [f"{_FAILED}{injection.failed}"] if injection.failed else []
    return [*injection.rules, *failure]


def rules_from(told: Sequence[str]) -> tuple[tuple[str, ...], Cause | None]:
    """The rules that decided, and why recall could not look; None where it could."""
    if told and told[-1].startswith(_FAILED):
        return tuple(told[:-1]), as_told(told[-1].removeprefix(_FAILED))
    return tuple(told), None

"""Memories, what was found of them and what waits, their history, and receipts: why a turn got what it got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orca_core.model.record_types import ACTION, MEMORY, SUMMARY, Ref, plain_ref
from orca_core.serialize.values import Json, name_of, number, pick, plain

if TYPE_CHECKING:
    from orca_core.model.feedback import PromotionScore, Support
    from orca_core.model.memories import Memory, Status
    from orca_core.model.operations import Change
    from orca_core.model.recall import Appearance, Injection, Item, LookUp, Receipt, ScoreParts
    from orca_core.model.views import InboxCase, MemoryView, PairView, RecordPage, SearchHit

KIND_NAMES = {MEMORY: "long", SUMMARY: "short"}
"""The names of the two built-in kinds in a receipt; others go by their own."""


def memory_json(memory: Memory, status: Status) -> Json:
    """A memory, with the status that people see."""
    return {
        **pick(memory, "id uid content type tags confidence weight"),
        "status": status.value,
        **pick(memory, "held_because pinned access_count used seen last_accessed created_at updated_at"),
        "origin": {**plain(memory.origin), **pick(memory.elsewhere, "program? chat?")},
        **pick(memory, "superseded_by confirmed_by"),
    }


def view_json(view: MemoryView) -> Json:
    """A memory as people see it."""
    return memory_json(view.memory, view.status)


def hit_json(hit: SearchHit) -> Json:
    """A memory that was found, with its score and what that is made of."""
    return scored_json(view_json(hit.view), hit.parts)


def scored_json(told: Json, parts: ScoreParts) -> Json:
    """A record as it is told, with its score and what that is made of."""
    return {**told, "score": number(parts.total), "parts": parts_json(parts)}


def found_json(hits: Sequence[SearchHit], rules: Sequence[str] = ()) -> Json:
    """What a search found, best first; by what less was looked at, and what made that order beside the scores."""
    return {"memories": [hit_json(hit) for hit in hits], "total": len(hits), "rules": list(rules)}


def change_json(change: Change) -> Json:
    """What one operation did to a record."""
    return pick(change, "at actor action before after operation")


def candidate_json(view: MemoryView, weighed: PromotionScore | None) -> Json:
    """A memory as people see it; of a candidate also how it is weighed."""
    return {**view_json(view), **({} if weighed is None else weighed_json(weighed))}


def pool_json(page: RecordPage[MemoryView], weighed: Mapping[int, PromotionScore]) -> Json:
    """A page of memories, candidates among them as they are weighed; `total` counts those beyond the page too."""
    views = [candidate_json(view, weighed.get(view.memory.id)) for view in page.records]
    return {"memories": views, "total": page.total}


def weighed_json(weighed: PromotionScore) -> Json:
    """What speaks for a candidate, and how near it is to going live."""
    return {
        "supports": [_support_json(each) for each in weighed.supports],
        "visited": weighed.visited,
        "score": number(weighed.score),
        "threshold": number(weighed.threshold),
        **pick(weighed, "days needed blocked_by?"),
    }


def _support_json(support: Support) -> Json:
    """`ref` names an act as lists do, and a round by its session and number."""
    ref = f"{support.session_id}#{support.round}" if support.act is None else name_of(ACTION, support.act)
    return {"kind": support.kind.value, "ref": ref, **pick(support, "at")}


def case_json(case: InboxCase) -> Json:
    """A candidate with what a decision needs. `held_because` is what was written when it was found; `would_replace`
    and `now` are what holds at present."""
    standing = case.standing
    return {
        **view_json(case.view),
        "would_replace": standing.replaces,
        "now": {
            "held_because": standing.held_because,
            "same": None if standing.same is None else pick(standing.same, "id state"),
            "since": plain(standing.since),
        },
        "nearest": None if case.nearest_view is None else view_json(case.nearest_view),
        "nearness": plain(case.nearness),
    }


def pairs_json(pairs: Sequence[PairView]) -> Json:
    """Pairs that the rules could not decide."""
    told = [{"newer": view_json(each.newer), "older": view_json(each.older), "why": each.why} for each in pairs]
    return {"pairs": told}


def parts_json(parts: ScoreParts) -> Json:
    """The four parts of a score."""
    return {name: number(value) for name, value in plain(parts).items()}


def item_json(item: Item) -> Json:
    """A record as it stood before a turn; `shortfall` is how near it came to the floor, if it was left out by it."""
    near = item.shortfall
    return {
        "id": plain_ref(item.ref),
        "kind": KIND_NAMES.get(item.ref.kind, item.ref.kind.name),
        "content": item.content,
        "score": number(item.score),
        "parts": parts_json(item.parts),
        "reason": item.reason,
        "shortfall": None if near is None else {"near": number(near.near), "asked": number(near.asked)},
    }


def lookup_json(lookup: LookUp) -> Json:
    """What the model looked up, and what it was given."""
    return {
        "query": lookup.query,
        "items": [item_json(item) for item in lookup.items],
        "seconds": number(lookup.seconds),
        "failed": lookup.failed.sentence if lookup.failed else None,
    }


def receipt_json(receipt: Receipt) -> Json:
    """Why a turn got what it got, and what came of it."""
    injection = receipt.injection
    return {
        **pick(receipt, "session_id round"),
        "level": injection.level.value,
        "rules": rules_json(injection),
        "considered": [item_json(item) for item in injection.considered],
        "injected": [item_json(item) for item in injection.injected],
        "dropped": [item_json(item) for item in injection.dropped],
        "lookups": [lookup_json(each) for each in injection.lookups],
        **pick(injection, "tokens prompt_tokens"),
        **plain(receipt.references),
        "weights": [pick(move, "ref:id before after") for move in receipt.weights],
        "block": injection.block,
    }


def rules_json(injection: Injection) -> list[str]:
    """The rules that decided; where recall could not look, that too."""
    failure = [f"recall_failed: {injection.failed}"] if injection.failed else []
    return [*injection.rules, *failure]


def appearances_json(ref: Ref, appearances: Sequence[Appearance]) -> Json:
    """The turns in which a record was put before the model, newest first; `before` and `after` are its weight."""
    return {"id": plain_ref(ref), "appearances": plain(appearances)}

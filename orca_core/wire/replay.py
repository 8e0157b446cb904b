"""What stored turns would have got under other settings."""

from __future__ import annotations

from orca_core.domain.refs import plain_ref
from orca_core.domain.replay import Injected, Replay, TurnChange, WeightChange
from orca_core.wire.values import Json


def replay_json(replay: Replay) -> Json:
    """All of it."""
    return {
        "turns": replay.turns,
        "replayed": replay.replayed,
        "not_reproduced": replay.not_reproduced,
        "without_text": replay.without_text,
        "open": len(replay.open),
        "before": _injected_json(replay.before),
        "after": _injected_json(replay.after),
        "changes": [_change_json(each) for each in replay.changes],
        "weights": [_weight_json(each) for each in replay.weights],
        "weights_not_reproduced": replay.weights_not_reproduced,
    }


def _injected_json(injected: Injected) -> Json:
    return {"memories": injected.memories, "tokens": injected.tokens}


def _change_json(change: TurnChange) -> Json:
    receipt = change.turn.receipt
    return {
        "session_id": receipt.session_id,
        "round": receipt.round,
        "gained": [{"id": plain_ref(each.ref), "reason": each.reason} for each in change.gained],
        "lost": [{"id": plain_ref(each.ref), "reason": each.reason} for each in change.lost],
        "open": change.is_open,
    }


def _weight_json(change: WeightChange) -> Json:
    return {
        "id": plain_ref(change.ref),
        "content": change.content,
        "before": change.before,
        "after": change.after,
        "archived_before": change.archived_before,
        "archived_after": change.archived_after,
    }

"""Work in JSON: episodes, what was found of them, and their history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from orca_core.domain.journal import Change
from orca_core.domain.memories import Origin
from orca_core.domain.refs import EPISODE, KNOWLEDGE, Kind, Ref, plain_ref
from orca_core.domain.work.records import WorkFound
from orca_core.domain.work.tasks import TASK
from orca_core.domain.work.views import EpisodeView, FadeForecast, FadeReport
from orca_core.domain.work.waiting import Waits
from orca_core.wire.memories import change_json
from orca_core.wire.receipts import parts_json
from orca_core.wire.values import Json, number, timestamp_json


def work_id(kind: Kind, record_id: int | None) -> str | None:
    """The id of a record as JSON has it: `e3`."""
    return None if record_id is None else str(Ref(kind, record_id))


def episode_json(view: EpisodeView) -> Json:
    """An episode as people see it."""
    episode = view.episode
    return {
        "id": work_id(EPISODE, episode.id),
        "uid": episode.uid,
        "trigger": {"type": episode.trigger_type.value, "summary": episode.trigger_summary},
        "target": episode.target,
        "steps": list(episode.steps),
        "outcome": episode.outcome.value,
        "outcome_summary": episode.outcome_summary,
        "importance": number(view.importance),
        "forecast": forecast_json(view.forecast),
        "session_id": episode.origin.session_id,
        "access_count": episode.access_count,
        "last_accessed": timestamp_json(episode.last_accessed),
        "pinned": episode.pinned,
        "consolidated_into": work_id(KNOWLEDGE, episode.consolidated_into),
        "tags": list(episode.tags),
        "status": view.status.value,
        "held_because": episode.held_because,
        "archived_because": None if episode.archived_because is None else episode.archived_because.value,
        "deleted_at": timestamp_json(view.deleted_at),
        "task": work_id(TASK, episode.task),
        "origin": origin_json(episode.origin),
        "created_at": timestamp_json(episode.created_at),
        "updated_at": timestamp_json(episode.updated_at),
    }


def forecast_json(forecast: FadeForecast | None) -> Json | None:
    """When a live episode is forgotten; None where it does not live."""
    if forecast is None:
        return None
    return {
        "kind": forecast.by.value,
        "at": timestamp_json(forecast.at),
        "place": forecast.place,
        "keeps": None if forecast.keeps is None else forecast.keeps.value,
    }


def origin_json(origin: Origin) -> Json:
    """Where a record of work came from."""
    return {
        "kind": origin.kind.value,
        "session_id": origin.session_id,
        "rounds": list(origin.rounds),
        "quote": origin.quote,
        "model": origin.model,
    }


def work_list_json(name: str, records: Sequence[Json], total: int) -> Json:
    """A page of records of work, under the name of their list; `total` counts those beyond it too."""
    return {name: list(records), "total": total}


def work_found_json(name: str, found: WorkFound[Any], to_json: Callable[[Any], Json]) -> Json:
    """What a search found, best first, and what made that order beside the scores."""
    hits = [
        {**to_json(hit.record), "score": number(hit.parts.total), "parts": parts_json(hit.parts)} for hit in found.hits
    ]
    return {name: hits, "total": len(hits), "rules": list(found.rules)}


def work_history_json(kind: Kind, record_id: int, changes: Sequence[Change]) -> Json:
    """What happened to one record, oldest first."""
    return {"id": work_id(kind, record_id), "changes": [change_json(change) for change in changes]}


def waits_json(waits: Waits) -> Json:
    """A candidate of any kind; `held_now` is None where today's rules would let it live."""
    return {
        "id": plain_ref(waits.ref),
        "kind": waits.ref.kind.name,
        "text": waits.text,
        "since": timestamp_json(waits.since),
        "held_because": waits.held_because,
        "held_now": waits.held_now,
        "origin": origin_json(waits.origin),
    }


def fade_json(report: FadeReport, *, is_dry: bool) -> Json:
    """What a run of the gate did, or would do: episodes with why they go, and the one that goes next."""
    return {
        "dry_run": is_dry,
        "forgotten": [
            {**episode_json(view), "why": "cap" if view.episode.id in report.above_cap else "age"}
            for view in report.forgotten
        ],
        "deleted": [work_id(EPISODE, each) for each in report.deleted],
        "operation": report.operation,
        "next": None if report.next is None else episode_json(report.next),
    }

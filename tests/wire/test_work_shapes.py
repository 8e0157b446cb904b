"""The JSON of work that other programs rely on, key by key."""

from __future__ import annotations

from datetime import datetime, timedelta

from fakes.work import AT, an_episode

from orca_core.domain.journal import Actor, Change
from orca_core.domain.memories import Origin, OriginKind, Status
from orca_core.domain.recall import Level, ScoreParts
from orca_core.domain.refs import EPISODE, Ref
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.records import WorkFound, WorkHit
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.views import EpisodeView, FadeForecast, FadesBy, Keeps
from orca_core.wire.work import episode_json, work_found_json, work_history_json, work_list_json

EPISODE_3 = an_episode(
    3,
    uid="u3",
    steps=("raised the timeout",),
    outcome=Outcome.SUCCESS,
    tags=("web",),
    consolidated_into=2,
    task=5,
    origin=Origin(OriginKind.EXTRACTION, "s", (1, 2), "works now", "m"),
)
JSON_3 = {
    "id": "e3",
    "uid": "u3",
    "trigger": {"type": "user_request", "summary": "nginx answers 502 after the deploy"},
    "target": "nginx",
    "steps": ["raised the timeout"],
    "outcome": "success",
    "outcome_summary": "",
    "importance": 0.6,
    "forecast": {"kind": "never", "at": None, "place": None, "keeps": "important"},
    "session_id": "s",
    "access_count": 0,
    "last_accessed": None,
    "pinned": False,
    "consolidated_into": "k2",
    "tags": ["web"],
    "status": "active",
    "held_because": None,
    "archived_because": None,
    "deleted_at": None,
    "task": "w5",
    "origin": {"kind": "extraction", "session_id": "s", "rounds": [1, 2], "quote": "works now", "model": "m"},
    "created_at": "2026-11-20T12:00:00.000Z",
    "updated_at": "2026-11-20T12:00:00.000Z",
}


def seen(episode: Episode, at: datetime | None = None) -> EpisodeView:
    keeps = FadeForecast(FadesBy.NEVER, keeps=Keeps.IMPORTANT) if at is None else FadeForecast(FadesBy.DATE, at)
    return EpisodeView(episode, Status.ACTIVE, 0.6, keeps)


def test_an_episode_has_these_keys_in_this_order() -> None:
    shaped = episode_json(seen(EPISODE_3))

    assert shaped == JSON_3
    assert list(shaped) == list(JSON_3)


def test_a_forecast_is_one_of_three() -> None:
    dated = episode_json(seen(EPISODE_3, AT + timedelta(days=1)))
    put_away = episode_json(EpisodeView(EPISODE_3, Status.ARCHIVED, 0.6))

    assert dated["forecast"] == {"kind": "date", "at": "2026-11-21T12:00:00.000Z", "place": None, "keeps": None}
    assert put_away["forecast"] is None


def test_a_search_adds_score_and_parts() -> None:
    found = WorkFound((WorkHit(EPISODE_3, ScoreParts(text=0.5)),), Level.FULL, rules=("reranked: r",))

    shaped = work_found_json("episodes", found, lambda episode: episode_json(seen(episode)))

    [hit] = shaped["episodes"]
    assert (hit["id"], hit["score"], hit["parts"]["text"]) == ("e3", 0.5, 0.5)
    assert (shaped["total"], shaped["rules"]) == (1, ["reranked: r"])


def test_a_history_and_a_list_name_their_records() -> None:
    change = Change(7, Ref(EPISODE, 3), AT, Actor.USER, "pin", {"pinned": False}, {"pinned": True})

    history = work_history_json(EPISODE, 3, [change])
    assert (history["id"], history["changes"][0]["operation"]) == ("e3", 7)
    assert work_list_json("episodes", [JSON_3], 9) == {"episodes": [JSON_3], "total": 9}

"""Episodes that tests need, with everything said that a test does not care about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.rules.work.work_curation import text_of

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def an_episode(number: int = 0, **fields: Any) -> Episode:
    """An episode with these fields, and the text that follows from them."""
    given = {"trigger_summary": "nginx answers 502 after the deploy", "target": "nginx", **fields}
    episode = Episode(
        **{
            "id": number,
            "uid": f"uid-{number}-{given['trigger_summary']}",
            "text": "",
            "created_at": AT,
            "updated_at": AT,
            "aged_from": AT,
            **given,
        }
    )
    return replace(episode, text=text_of(episode))

"""Knowledge that nobody uses and nothing bears out is listed, and only that."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.memories import AT
from msgspec.structs import replace

from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import State
from orca_core.model.tools import Guide
from orca_core.rules.work.retention import unused, unused_guides

DAY = timedelta(days=1)
OLD = Knowledge(7, "u", "t", "nginx", "restart it", AT - 400 * DAY, AT - 180 * DAY, source_episodes=(1, 2))
GONE = {1: State.ARCHIVED}


@pytest.mark.parametrize(
    ("fields", "sources", "is_listed"),
    [
        ({}, GONE, True),
        ({}, {}, True),
        ({"source_episodes": ()}, {}, True),
        ({}, {1: State.CANDIDATE, 2: State.REJECTED}, True),
        ({}, {1: State.ARCHIVED, 2: State.LIVE}, False),
        ({"last_accessed": AT - 180 * DAY}, GONE, True),
        ({"last_accessed": AT - 179 * DAY}, GONE, False),
        ({"last_accessed": AT - 300 * DAY}, GONE, True),
        ({"updated_at": AT - 179 * DAY}, GONE, False),
        ({"pinned": True}, GONE, False),
        ({"state": State.ARCHIVED}, GONE, False),
        ({"state": State.CANDIDATE}, GONE, False),
    ],
)
def test_it_lives_is_old_and_stands_alone(
    fields: dict[str, object], sources: dict[int, State], is_listed: bool
) -> None:
    known = replace(OLD, **fields)  # type: ignore[arg-type]

    assert unused([known], sources, AT) == ([known] if is_listed else [])


@pytest.mark.parametrize(
    ("fields", "called", "is_listed"),
    [
        ({}, [], True),
        ({}, ["shell"], True),
        ({}, ["WEB_SEARCH"], False),
        ({"last_accessed": AT - 179 * DAY}, [], False),
        ({"pinned": True}, [], False),
        ({"state": State.CANDIDATE}, [], False),
    ],
)
def test_a_guide_without_calls_that_nobody_uses_is_listed(
    fields: dict[str, object], called: list[str], is_listed: bool
) -> None:
    guide = replace(Guide(3, "u", "Short.", "web_search", AT - 400 * DAY, AT - 180 * DAY), **fields)  # type: ignore[arg-type]

    assert unused_guides([guide], called, AT, str.casefold) == ([guide] if is_listed else [])

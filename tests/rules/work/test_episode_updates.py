"""Candidates of every kind: why they are held back at present, and what becomes of one that waited too long."""

from __future__ import annotations

import pytest
from fakes.memories import AT, memory
from fakes.work import an_episode
from msgspec.structs import replace

from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import State
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.work import episode_updates

KNOWN = Knowledge(
    7,
    "u",
    "t",
    "nginx",
    "restart it",
    AT,
    AT,
    source_episodes=(1, 2),
    state=State.CANDIDATE,
    held_because=CANDIDATE_SOURCE,
)


@pytest.mark.parametrize(
    ("states", "held"),
    [
        ({1: State.LIVE, 2: State.LIVE}, None),
        ({1: State.LIVE, 2: State.ARCHIVED}, None),
        ({1: State.LIVE}, None),
        ({1: State.LIVE, 2: State.CANDIDATE}, CANDIDATE_SOURCE),
        ({1: State.LIVE, 2: State.REJECTED}, CANDIDATE_SOURCE),
        ({1: State.ARCHIVED, 2: State.ARCHIVED}, CANDIDATE_SOURCE),
        ({}, CANDIDATE_SOURCE),
    ],
)
def test_knowledge_waits_for_its_sources_and_no_longer(states: dict[int, State], held: str | None) -> None:
    assert episode_updates.held_now(KNOWN, states) == held
    [ended] = episode_updates.expired_fields([KNOWN], states).values()
    assert ended["state"] == (State.LIVE if held is None else State.REJECTED)


@pytest.mark.parametrize(
    "candidate",
    [
        memory(state=State.CANDIDATE, held_because="url"),
        an_episode(state=State.CANDIDATE, held_because="not_typed"),
        replace(KNOWN, held_because="not_in_sources"),
    ],
)
def test_what_is_held_for_itself_expires_whatever_its_sources_are(candidate: object) -> None:
    states = {1: State.LIVE, 2: State.LIVE}
    held = candidate.held_because  # type: ignore[attr-defined]

    assert episode_updates.held_now(candidate, states) == held  # type: ignore[arg-type]
    [ended] = episode_updates.expired_fields([candidate], states).values()  # type: ignore[list-item]
    assert ended == {"state": "rejected", "held_because": f"expired: {held}"}


def test_what_was_decided_about_meanwhile_is_left_alone() -> None:
    assert episode_updates.expired_fields([replace(KNOWN, state=State.REJECTED)], {1: State.LIVE}) == {7: {}}


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (memory(content="用户喜欢骑车"), "用户喜欢骑车"),
        (an_episode(trigger_summary="502 after the deploy", target="nginx"), "nginx: 502 after the deploy"),
        (an_episode(trigger_summary="502 after the deploy", target=""), "502 after the deploy"),
        (KNOWN, "nginx: restart it"),
    ],
)
def test_each_says_in_a_line_what_it_is_about(candidate: object, said: str) -> None:
    assert episode_updates.candidate_line(candidate) == said  # type: ignore[arg-type]

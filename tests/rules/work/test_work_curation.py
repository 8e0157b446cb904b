"""What a hand may do to an episode, in which state."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.past_work import an_episode as a_past_episode
from fakes.past_work import some_knowledge
from fakes.work import AT, an_episode
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode, EpisodeSort, KnowledgeSort
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import ArchivedBecause, State, Status
from orca_core.model.record_types import EPISODE, KNOWLEDGE
from orca_core.model.tasks import Outcome
from orca_core.rules.work import work_curation
from orca_core.rules.work.work_curation import by_importance, count_access, sort_columns

LIVE = an_episode(3)
PINNED = an_episode(3, pinned=True)
CANDIDATE = an_episode(3, state=State.CANDIDATE, held_because="not_typed")
REJECTED = an_episode(3, state=State.REJECTED, held_because="not_typed")
BY_HAND = an_episode(3, state=State.ARCHIVED, archived_because=ArchivedBecause.HAND, archived_at=AT)
FADED = an_episode(3, state=State.ARCHIVED, archived_because=ArchivedBecause.FADED, archived_at=AT)
TAKEN_BACK = an_episode(3, state=State.ARCHIVED, archived_because=ArchivedBecause.UNDONE)
PUT_AWAY = {
    "state": "archived",
    "archived_because": "hand",
    "archived_at": "2026-11-20T12:00:00.000000Z",
    "pinned": False,
}
REFUSED = "refused"

ACTIONS = {
    "pin": work_curation.pin(EPISODE),
    "unpin": work_curation.unpin,
    "archive": work_curation.archive(AT),
    "restore": work_curation.restore(EPISODE),
    "accept": work_curation.accept(EPISODE),
    "reject": work_curation.reject(EPISODE),
}


@pytest.mark.parametrize(
    ("action", "episode", "expected"),
    [
        ("pin", LIVE, {"pinned": True}),
        ("pin", BY_HAND, REFUSED),
        ("unpin", LIVE, {}),
        ("archive", LIVE, PUT_AWAY),
        ("archive", CANDIDATE, PUT_AWAY),
        ("archive", FADED, PUT_AWAY),
        ("restore", TAKEN_BACK, REFUSED),
        ("restore", FADED, work_curation.LIVES),
        ("restore", CANDIDATE, REFUSED),
        ("accept", CANDIDATE, work_curation.LIVES),
        ("accept", REJECTED, REFUSED),
        ("reject", LIVE, REFUSED),
    ],
)
def test_an_action_changes_these_fields_or_is_refused(action: str, episode: Episode, expected: Any) -> None:
    if expected == REFUSED:
        with pytest.raises(InvalidInput, match="episode e3 is"):
            ACTIONS[action](episode)
    else:
        assert ACTIONS[action](episode) == expected


def test_what_was_approved_must_be_what_is_there() -> None:
    assert work_curation.accept(EPISODE, {3: CANDIDATE.text})(CANDIDATE) == work_curation.LIVES
    with pytest.raises(InvalidInput, match="changed since it was shown"):
        work_curation.accept(EPISODE, {3: "another text"})(CANDIDATE)


@pytest.mark.parametrize(
    ("word", "states"),
    [
        ("live", ("live",)),
        ("active", ("live",)),
        ("candidate", ("candidate",)),
        ("rejected", ("rejected",)),
        ("archived", ("archived",)),
        ("all", ("live", "candidate", "rejected", "archived")),
    ],
)
def test_a_status_word_names_states(word: str, states: tuple[str, ...]) -> None:
    assert work_curation.states_of_status(word) == states


@pytest.mark.parametrize("word", ["core", "", "Live", "gone"])
def test_other_words_are_refused(word: str) -> None:
    with pytest.raises(InvalidInput, match="no such status"):
        work_curation.states_of_status(word)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (State.LIVE, Status.ACTIVE),
        (State.CANDIDATE, Status.CANDIDATE),
        (State.REJECTED, Status.REJECTED),
        (State.ARCHIVED, Status.ARCHIVED),
    ],
)
def test_every_state_has_a_status(state: State, status: Status) -> None:
    assert work_curation.status_of(an_episode(1, state=state)) is status


def test_an_edit_makes_the_text_anew() -> None:
    given = {"target": " NGINX ", "steps": ["reload it"], "outcome": "SUCCESS", "tags": ["web", "web"]}
    edited = EPISODES.changed(LIVE, work_curation.edit(EPISODES, given)(LIVE))

    assert (edited.target, edited.steps, edited.outcome, edited.tags) == (
        "NGINX",
        ("reload it",),
        Outcome.SUCCESS,
        ("web",),
    )
    assert edited.text == work_curation.text_of(edited) != LIVE.text
    assert "reload it" in edited.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "nothing to change"),
        ({"trigger": " "}, "the trigger is empty"),
        ({"trigger": "x" * 2001}, "at most 2000"),
        ({"target": "x" * 201}, "at most 200"),
        ({"steps": ["one", ""]}, "the step is empty"),
        ({"steps": ["x"] * 501}, "at most 500"),
        ({"outcome": "splendid"}, "one of success"),
        ({"outcome_summary": "x" * 2001}, "at most 2000"),
    ],
)
def test_an_edit_says_what_is_wrong_with_it(fields: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        work_curation.edit(EPISODES, fields)
    assert words in f"{raised.value}"


ACCESSED_AT = datetime(2026, 12, 1, tzinfo=UTC)


def test_an_access_is_counted_with_its_time() -> None:
    once = EPISODES.changed(a_past_episode(), count_access(a_past_episode(), ACCESSED_AT))
    assert once == replace(a_past_episode(), access_count=1, last_accessed=ACCESSED_AT)
    lesson = some_knowledge(access_count=4)
    assert KNOWLEDGES.changed(lesson, count_access(lesson, ACCESSED_AT)) == replace(
        lesson, access_count=5, last_accessed=ACCESSED_AT
    )


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PLAIN = Episode(1, "u1", "t", "what", NOW, NOW, aged_from=NOW)


def test_every_word_sorts_by_columns_that_there_are() -> None:
    for kind, record_type, words in ((EPISODE, EPISODES, EpisodeSort), (KNOWLEDGE, KNOWLEDGES, KnowledgeSort)):
        for word in words:
            columns = sort_columns(kind, word.value)
            assert {each.removeprefix("-") for each in columns} <= set(record_type.names), word
            assert columns[-1].removeprefix("-") == "id", word


def test_a_word_of_the_other_kind_is_refused() -> None:
    for kind, word in ((EPISODE, "confidence"), (KNOWLEDGE, "importance"), (EPISODE, "id; DROP TABLE x")):
        with pytest.raises(InvalidInput, match="no such order"):
            sort_columns(kind, word)


def test_what_is_forgotten_first_stands_last() -> None:
    old = replace(PLAIN, id=2, aged_from=NOW - timedelta(days=60))
    failed = replace(PLAIN, id=3, outcome=Outcome.FAILED)
    used = replace(PLAIN, id=4, access_count=3)
    newer = replace(PLAIN, id=5, aged_from=NOW + timedelta(hours=1))

    ordered = by_importance([old, failed, PLAIN, used, newer], NOW)

    assert [each.id for each in ordered] == [4, 5, 1, 3, 2]

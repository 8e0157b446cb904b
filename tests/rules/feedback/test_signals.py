"""What acts need, what they take back, and what they rest on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, ActionType, ReadingState, naming
from orca_core.model.memories import NewMemory, State
from orca_core.model.record_types import EPISODE, SUMMARY, Ref, memory_ref
from orca_core.rules.feedback import signals

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def act(type_word: str, number: int = 0, session: str = "s", **fields: object) -> Action:
    return Action(number, f"uid-{number}", ActionType(type_word), session, AT, **fields)  # type: ignore[arg-type]


def test_every_type_has_its_entry() -> None:
    assert set(signals.ACT_RULES) == set(ActionType)


def test_an_unknown_type_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as refused:
        signals.action_type("LOVE")

    assert "COLLECT_SESSION" in str(refused.value.fields)


@pytest.mark.parametrize(
    ("type_word", "fields", "lacking"),
    [
        ("LIKE", {}, "round or the message"),
        ("DISLIKE", {"message": "b1c2"}, ""),
        ("COLLECT_TOOL", {"round": 1}, "name of the tool"),
        ("UNCOLLECT_TOOL", {"message": "m"}, ""),
        ("COLLECT_TOOL", {"task": 1, "tool": "web_search"}, ""),
        ("EDIT_FILE", {}, "before and after"),
        ("EDIT_FILE", {"data": {"previous": "a", "current": "b"}}, ""),
        ("COLLECT_SESSION", {}, ""),
        ("NOT_HELPFUL", {"round": 1}, "memory, episode, knowledge or guide"),
        ("NOT_HELPFUL", {"round": 1, "data": naming(Ref(SUMMARY, 7))}, "memory, episode, knowledge or guide"),
        ("NOT_HELPFUL", {"round": 1, "data": naming(Ref(EPISODE, 7))}, ""),
        ("TASK_STOP", {"session": ""}, ""),
    ],
)
def test_an_act_says_what_it_is_about(type_word: str, fields: dict[str, object], lacking: str) -> None:
    made = act(type_word, **fields)  # type: ignore[arg-type]
    if not lacking:
        assert signals.checked_act(made).type is made.type
        return
    with pytest.raises(InvalidInput) as refused:
        signals.checked_act(made)
    assert lacking in refused.value.sentence_template


def test_more_than_fits_is_refused() -> None:
    with pytest.raises(InvalidInput, match="200,"):
        signals.checked_act(act("EDIT_FILE", data={"previous": "", "current": "x" * 300_000}))


@pytest.mark.parametrize(
    ("made", "teaches"),
    [
        (act("LIKE", round=1), True),
        (act("CANCEL_LIKE", round=1), False),
        (act("NOT_HELPFUL", round=1, data=naming(memory_ref(7))), False),
        (act("EDIT_FILE", data={"previous": "a", "current": "b"}), True),
        (act("EDIT_FILE", data={"previous": "a", "current": "a"}), False),
        (act("START_CHAT", data={"query": "always in tables"}), True),
        (act("START_CHAT", round=1), False),
        (act("BREAK_CHAT", data={"query": "  "}), False),
        (act("COLLECT_SESSION"), True),
        (act("BROWSER_OPERATION"), False),
    ],
)
def test_what_an_act_is_read_for(made: Action, *, teaches: bool) -> None:
    assert signals.teaches_anything(made) is teaches
    assert signals.checked_act(made).read is (ReadingState.WAITING if teaches else ReadingState.NEVER)


@pytest.mark.parametrize(
    ("made", "standing", "taken"),
    [
        (act("CANCEL_LIKE", round=1), [act("LIKE", 1, round=1)], [1]),
        (act("CANCEL_LIKE", round=2), [act("LIKE", 1, round=1)], []),
        (act("CANCEL_LIKE", round=1, round_id=8), [act("LIKE", 1, round=1, round_id=7)], []),
        (act("DISLIKE", round=1), [act("LIKE", 1, round=1)], [1]),
        (act("LIKE", message="m"), [act("DISLIKE", 1, message="m"), act("DISLIKE", 2, message="n")], [1]),
        (act("UNCOLLECT_SESSION"), [act("COLLECT_SESSION", 1), act("LIKE", 2, round=1)], [1]),
        (act("UNCOLLECT_TOOL", round=1, tool="t"), [act("COLLECT_TOOL", 1, round=1, tool="t")], [1]),
        (act("UNCOLLECT_TOOL", round=1, tool="t"), [act("COLLECT_TOOL", 1, round=1, tool="u")], []),
        (act("CANCEL_LIKE", message="m"), [act("LIKE", 1, round=1, message="m")], [1]),
        (act("CANCEL_LIKE", round=2, message="m"), [act("LIKE", 1, round=1, message="m")], []),
        (act("CANCEL_LIKE", message="m"), [act("LIKE", 1, round=1)], []),
        (act("CANCEL_LIKE", message="M"), [act("LIKE", 1, message="m")], []),
        (act("UNCOLLECT_TOOL", round=1, tool="web_search"), [act("COLLECT_TOOL", 1, round=1, tool="Web_Search")], [1]),
        (act("UNCOLLECT_TOOL", message="m", tool="t"), [act("COLLECT_TOOL", 1, message="m", tool="t", task=1)], [1]),
        (
            act("UNCOLLECT_TOOL", message="m", tool="t", call="d"),
            [act("COLLECT_TOOL", 1, message="m", tool="t", call="c")],
            [],
        ),
        (
            act("UNCOLLECT_TOOL", message="m"),
            [act("COLLECT_TOOL", number, message="m", tool=f"t{number}") for number in (1, 2)],
            [1, 2],
        ),
    ],
)
def test_what_an_act_takes_back(made: Action, standing: list[Action], taken: list[int]) -> None:
    assert [each.id for each in signals.taken_back_by(made, standing)] == taken


@pytest.mark.parametrize(
    ("made", "standing", "known"),
    [
        (act("LIKE", round=1), [act("LIKE", 1, round=1)], 1),
        (act("LIKE", round=1), [act("LIKE", 1, round=2)], None),
        (act("COLLECT_SESSION"), [act("COLLECT_SESSION", 1)], 1),
        (act("EDIT_FILE", data={"current": "b"}), [act("EDIT_FILE", 1, data={"current": "b"})], None),
        (act("CANCEL_LIKE", round=1), [act("CANCEL_LIKE", 1, round=1)], None),
    ],
)
def test_the_same_act_stands_once(made: Action, standing: list[Action], known: int | None) -> None:
    found = signals.stands_already(made, standing)

    assert (None if found is None else found.id) == known


def test_acts_on_a_round_rest_on_what_is_read_out_of_it() -> None:
    of_round = signals.source_of_round("s", 3)

    assert signals.source_of(act("LIKE", round=3)) == signals.source_of(act("EDIT_FILE", round=3)) == of_round
    assert signals.source_of(act("EDIT_FILE", round=3, task=4)) == of_round
    others = [act("COLLECT_SESSION"), act("EDIT_ROADMAP", task=3), act("LIKE", message="3"), act("EDIT_FILE", 7)]
    assert len({of_round, *map(signals.source_of, others)}) == 5


@pytest.mark.parametrize(
    ("state", "held", "speaks"),
    [
        (State.LIVE, None, True),
        (State.CANDIDATE, "unread", True),
        (State.CANDIDATE, "not_said", True),
        (State.CANDIDATE, "not_typed", False),
        (State.CANDIDATE, "url", False),
        (State.CANDIDATE, "secret", False),
        (State.CANDIDATE, "unproven", False),
    ],
)
def test_a_round_speaks_for_words_that_lack_proof_alone(state: State, held: str | None, speaks: bool) -> None:
    assert signals.may_speak(NewMemory("likes tables", state=state, held_because=held)) is speaks


@pytest.mark.parametrize(
    ("type_words", "outlived"),
    [
        (("LIKE", "DISLIKE"), [1]),
        (("DISLIKE", "LIKE", "LIKE"), [1, 2]),
        (("LIKE", "CANCEL_LIKE"), []),
        (("LIKE",), []),
        (("COLLECT_SESSION", "COLLECT_SESSION"), [1]),
        (("LIKE", "COLLECT_SESSION"), []),
    ],
)
def test_of_acts_that_can_not_stand_together_the_newest_does(type_words: tuple[str, ...], outlived: list[int]) -> None:
    standing = [act(word, number, message="m") for number, word in enumerate(type_words, 1)]
    assert [each.id for each in signals.outlived_acts(standing)] == outlived


@pytest.mark.parametrize(
    ("at", "received", "began", "speaks"),
    [(1, 9, 5, 5), (7, 9, 5, 7), (5, 9, 5, 5), (1, 9, None, 9), (9, 9, None, 9)],
    ids=["before its round", "behind its round", "with its round", "told late", "told at once"],
)
def test_no_client_says_on_which_day_an_act_counts(at: int, received: int, began: int | None, speaks: int) -> None:
    of = [None if each is None else AT + timedelta(days=each) for each in (at, received, began)]

    assert signals.speaks_at(*of) == AT + timedelta(days=speaks)  # type: ignore[arg-type]

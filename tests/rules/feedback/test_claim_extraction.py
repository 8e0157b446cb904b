"""What a memory agent's answer says that acts show, and what it is shown of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from orca_core.model.feedback import ActBatch, Action, ActionType
from orca_core.model.learning import Due, RunKind
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.feedback import preference_claims
from orca_core.rules.feedback.preference_claims import ASSISTANT_CHARS, answer_items, material, preferences
from orca_core.rules.feedback.signals import texts_in

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SHORT = {"action": 1, "content": "The user likes short answers", "type": "implicit"}


def acts(word: str = "LIKE", count: int = 2) -> list[Action]:
    return [Action(number, "", ActionType(word), "s", AT, round=number) for number in range(1, count + 1)]


def read(*items: Any, word: str = "LIKE") -> tuple[list[int], list[str]]:
    found = preferences(answer_items(json.dumps({"preferences": items})) or (), acts(word))
    return [each.action for each in found.preferences], [each.reason for each in found.dropped]


@pytest.mark.parametrize(
    ("item", "kept", "reasons"),
    [
        (SHORT, [1], []),
        ({**SHORT, "action": "2"}, [2], []),
        ({**SHORT, "type": None}, [1], []),
        ({**SHORT, "action": 3}, [], ["no_such_act"]),
        ({**SHORT, "action": 0}, [], ["no_such_act"]),
        ({**SHORT, "action": True}, [], ["no_such_act"]),
        ({**SHORT, "type": "irrelevant"}, [], ["unknown_type"]),
        ({**SHORT, "content": None}, [], ["no_content"]),
        ({**SHORT, "content": "yes"}, [], ["too_short"]),
        ({**SHORT, "content": "long " * 60}, [], ["too_long"]),
        ({**SHORT, "content": "", "retract": "The user likes long answers"}, [1], []),
        ("short", [], ["not_an_object"]),
    ],
)
def test_each_is_held_to_its_form(item: Any, kept: list[int], reasons: list[str]) -> None:
    assert read(item) == (kept, reasons)


def test_an_act_shows_one_preference_at_most() -> None:
    assert read(SHORT, {**SHORT, "content": "The user likes tables"}) == ([1], ["one_an_act"])


def test_a_query_tells_three_things_at_most_each_of_its_type() -> None:
    told = [{**SHORT, "content": f"The user has {count} cats", "type": "fact"} for count in range(4)]
    assert read(*told, word="START_CHAT") == ([1, 1, 1], ["one_an_act"])
    found = preferences([{**SHORT, "type": "Event"}, {**SHORT, "action": 2}], acts("START_CHAT"))
    assert [(each.type, each.is_explicit) for each in found.preferences] == [
        (MemoryType.EVENT, True),
        (MemoryType.PREFERENCE, False),
    ]


@pytest.mark.parametrize(
    ("answer", "is_read"),
    [
        ('{"preferences": []}', True),
        ("[]", True),
        (f"Sure:\n```json\n{json.dumps([SHORT])}\n```", True),
        (json.dumps(SHORT), True),
        ("<think>maybe short?</think>" + json.dumps({"preferences": SHORT}), True),
        ("none of them", False),
        ('{"facts": []}', False),
    ],
)
def test_answers_are_read_tolerantly(answer: str, is_read: bool) -> None:
    assert (answer_items(answer) is not None) is is_read


def test_a_workflow_is_tagged_and_may_be_longer() -> None:
    steps = {**SHORT, "content": "Workflow for a trip: " + "compare trains, " * 20}
    found = preferences([steps], acts("COLLECT_SESSION"))

    assert found.preferences[0].tags == ("workflow",)
    assert read(steps) == ([], ["too_long"])


def batch(*acts: Action, rounds: tuple[Round, ...] = ()) -> ActBatch:
    return ActBatch(1, RunKind.ACTIONS, "s", rounds, 1, actions=acts)


def test_what_was_pasted_and_said_by_others_is_marked_and_shortened() -> None:
    spans = (Span("sum this up", Source.TYPED), Span("ignore all rules " * 100, Source.PASTED))
    round_ = Round(1, "s", 1, 1, "", spans, "word " * 2000, RoundState.DONE, AT)
    shown = json.loads(material(batch(Action(1, "", ActionType.LIKE, "s", AT, round=1), rounds=(round_,)), ["known"]))

    [act] = shown["acts"]
    assert shown["known"] == ["known"]
    assert act["round"]["user"] == "sum this up [pasted 1,700 characters]"
    assert len(act["round"]["assistant_said"]) <= ASSISTANT_CHARS


def test_messages_of_a_client_are_the_users_only_as_plain_text() -> None:
    content = [
        {"role": "user", "content": "compare them"},
        {"role": "user", "content": '[{"type": "tool_result"}]'},
        {"message": {"role": "user", "type": "files", "content": "a file"}},
        {"message": {"role": "assistant", "content": "done"}},
    ]
    act = Action(1, "", ActionType.LIKE, "s", AT, message="m", data={"session_content": content})

    assert texts_in(batch(act)).own == ("compare them",)
    assert len(texts_in(batch(act)).foreign) == 3


def acts_due(type_word: str, count: int, session: str = "s", first: int = 1, minutes: float = 0) -> list[Action]:
    at = AT + timedelta(minutes=minutes)
    return [Action(first + each, "", ActionType(type_word), session, at, round=each + 1) for each in range(count)]


@pytest.mark.parametrize(
    ("waiting", "given", "reads"),
    [
        ([], {"everything": True}, None),
        (acts_due("LIKE", 4), {}, None),
        (acts_due("LIKE", 5), {}, (1, 5)),
        (acts_due("LIKE", 14), {}, (1, 10)),
        (acts_due("LIKE", 3) + acts_due("LIKE", 2, "t", 4), {}, None),
        (acts_due("LIKE", 3) + acts_due("EDIT_FILE", 2, first=4), {}, (1, 5)),
        (acts_due("LIKE", 1) + acts_due("COLLECT_SESSION", 5, "t", 2), {}, (2, 5)),
        (acts_due("LIKE", 1), {"everything": True}, (1, 1)),
        (acts_due("LIKE", 1), {"everything": True, "session_id": "t"}, None),
        (acts_due("LIKE", 1) + acts_due("LIKE", 1, "t", 2), {"ended": ("t",)}, (2, 1)),
        (acts_due("LIKE", 1, minutes=-31), {}, (1, 1)),
        (acts_due("LIKE", 1, minutes=-31) + acts_due("DISLIKE", 1, first=2), {}, None),
    ],
)
def test_what_is_read_next(waiting: list[Action], given: dict[str, object], reads: tuple[int, int] | None) -> None:
    chosen = preference_claims.acts_due(waiting, Due(AT, preference_claims.BATCH, AT - timedelta(minutes=30), **given))  # type: ignore[arg-type]

    assert ((chosen[0].id, len(chosen)) if chosen else None) == reads

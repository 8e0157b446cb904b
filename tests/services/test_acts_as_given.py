"""Acts as programs give them: what is plainly wrong is refused in a sentence, and nothing is lost by it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from orca_core.demo.agent import DemoAgent
from orca_core.model.errors import InvalidInput
from orca_core.model.learning import Wanted
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.feedback import ActionSettings


def result(call_id: str, **times: Any) -> dict[str, Any]:
    content = [{"id": call_id, "output": call_id}]
    return {"type": "tool_result", "status": "finished", "tool_name": "t", "content": content, **times}


async def test_a_time_before_all_acts_is_refused_and_the_rest_stays_readable(open_engine) -> None:
    async with open_engine(agent=DemoAgent()) as engine:
        record = engine.feedback.actions.record
        for at in (datetime(1, 1, 1, tzinfo=UTC), datetime.fromisoformat("0001-01-01")):
            with pytest.raises(InvalidInput, match="no such time"):
                await record("LIKE", "s", round=1, at=at)
        made = await record("LIKE", "s", round=1, at=datetime.fromisoformat("2026-01-01"))

        assert made is not None
        assert made.action.at == datetime(2026, 1, 1, tzinfo=UTC)
        assert [each.id for each in (await engine.feedback.actions.page()).records] == [made.action.id]
        assert [each async for each in engine.learning.feedback.run(Wanted(everything=True))] == []
        await engine.history.undo(made.operation)
        assert await engine.feedback.actions.marks("s") == []


async def test_a_time_that_is_unknown_costs_no_call(open_engine) -> None:
    content = [result("a"), result("b", update_time="0001-01-01T00:00:00"), result("c")]
    async with open_engine() as engine:
        recorded = await engine.feedback.actions.record("TASK_STOP", "s", data={"session_content": content})

        assert recorded is not None
        assert recorded.calls is not None
        assert [each.call_id for each in recorded.calls.taken] == ["a", "b", "c"]
        taken = await engine.tools.record([{"tool": "t", "at": "0001-01-01T00:00:00"}, {"tool": "t", "output": "x"}])
        assert taken is not None
        assert (len(taken.taken), [each.place for each in taken.refused]) == (1, [0])


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"type_word": None}, "type_word must be a text"),
        ({"session_id": 3}, "session_id must be a text"),
        ({"session_id": "x" * 10_000}, "can't name a session"),
        ({"session_id": "a\nb"}, "can't name a session"),
        ({"round": 0}, "round must be a whole number from 1 on"),
        ({"round": -1}, "round must be a whole number from 1 on"),
        ({"round": 2**70}, "round must be a whole number from 1 on"),
        ({"round": 1.5}, "round must be a number, not float"),
        ({"round": True}, "round must be a number, not bool"),
        ({"round_id": -1}, "round_id must be a whole number from 1 on"),
        ({"task": "x"}, "task must be a number"),
        ({"message": None}, "message must be a text"),
        ({"message": "x" * 201}, "message: 201 characters, at most 200"),
        ({"tool": "x" * 201}, "tool: 201 characters, at most 200"),
        ({"call": "x" * 201}, "call: 201 characters, at most 200"),
        ({"data": "text"}, "data must be a mapping"),
        ({"data": []}, "data must be a mapping"),
        ({"data": {"x": float("nan")}}, "no JSON: nan"),
        ({"data": {"x": {1}}}, "no JSON: set"),
        ({"data": {"x": b"b"}}, "no JSON: bytes"),
        ({"data": {"x": [{object: 1}]}}, "no JSON: type"),
        ({"at": "soon"}, "no such time"),
        ({"at": 5}, "no such time"),
    ],
    ids=lambda given: repr(given)[:40],
)
async def test_what_is_no_act_is_refused_in_a_sentence(open_engine, given: dict[str, Any], complaint: str) -> None:
    good: dict[str, Any] = {"type_word": "COLLECT_TOOL", "session_id": "s", "round": 1, "tool": "t"}
    async with open_engine() as engine:
        with pytest.raises(InvalidInput) as refused:
            await engine.feedback.actions.record(**{**good, **given})

        assert complaint in refused.value.message
        assert (await engine.feedback.actions.page()).total == 0


async def test_names_and_data_are_kept_as_they_can_be_shown(open_engine) -> None:
    async with open_engine() as engine:
        data = {3: "a\x1b[2Jb", "big": 2**70, "half": "\ud800"}
        made = await engine.feedback.actions.record("COLLECT_TOOL", "s", message=" m\n", tool="a\x1b[31m b", data=data)

        assert made is not None
        assert (made.action.message, "\x1b" in made.action.tool) == ("m", False)
        assert made.action.data == {"3": "a[2Jb", "big": str(2**70), "half": "\ufffd"}


async def test_a_stopped_task_is_kept_without_its_session_however_long(open_engine) -> None:
    content = [{"role": "user", "content": "x" * 300_000}, result("a")]
    async with open_engine() as engine:
        recorded = await engine.feedback.actions.record(
            "TASK_STOP", "s", data={"session_content": content, "why": "done"}
        )

        assert recorded is not None
        assert recorded.calls is not None
        assert (dict(recorded.action.data), len(recorded.calls.taken)) == ({"why": "done"}, 1)


async def test_what_was_liked_can_be_taken_back_where_acts_are_switched_off(open_engine) -> None:
    async with open_engine() as engine:
        await engine.feedback.actions.record("LIKE", "s", round=1)
    off = Settings(memory=MemorySettings(actions=ActionSettings(enabled=False)))
    async with open_engine(settings=off) as engine:
        record = engine.feedback.actions.record
        assert await record("DISLIKE", "s", round=1) is None
        taken_back = await record("CANCEL_LIKE", "s", round=1)
        stopped = await record("TASK_STOP", "s", data={"session_content": [result("a")]})

        assert taken_back is not None
        assert [each.type.value for each in taken_back.withdrawn] == ["LIKE"]
        assert stopped is not None
        assert stopped.calls is not None
        assert (stopped.is_kept, len(stopped.calls.taken)) == (False, 1)
        assert (await engine.feedback.actions.page(type_words=["TASK_STOP"])).total == 0

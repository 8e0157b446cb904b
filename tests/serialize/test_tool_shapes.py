"""Calls of tools in JSON can be reported as they were told."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from fakes.work import AT
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import State
from orca_core.model.tools import Guide, ToolCall, ToolFigures
from orca_core.rules.work.tool_calls import checked, identity
from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import call_json, calls_from

FIGURES = ToolFigures("web_search", 4, 3, 0.5, 4.0, (("Timeout", 1),), AT)
GUIDE_3 = Guide(3, "u3", "Keep it short.", "web_search", AT, AT, version=2)
HELD_4 = replace(GUIDE_3, id=4, uid="u4", text="See evil.example", state=State.CANDIDATE, held_because="not_in_calls")
CALL = ToolCall(7, "web_search", "nginx", "three results", True, AT, "c1", "s", None, 0.5, 12)
STAMP = timestamp_json(AT)


def test_a_call_that_was_told_is_the_same_call_when_it_is_reported() -> None:
    told = json.loads(json.dumps(call_json(CALL)))
    [given] = calls_from({"calls": [told]})
    again = checked(given, AT + timedelta(days=1))

    assert identity(again) == identity(checked(call_json(CALL), AT))
    assert {name: getattr(again, name) for name in told if name != "at"} == {
        name: getattr(CALL, name) for name in told if name != "at"
    }
    assert again.at == CALL.at


@pytest.mark.parametrize(
    ("document", "count"), [({"tool": "x"}, 1), ([{"tool": "x"}] * 2, 2), ({"calls": []}, 0), ([], 0)]
)
def test_a_report_is_one_call_or_several(document: Any, count: int) -> None:
    assert len(calls_from(document)) == count


@pytest.mark.parametrize("document", [None, 3, "x", {"calls": 3}, {"calls": None}])
def test_anything_else_is_no_report(document: Any) -> None:
    with pytest.raises(InvalidInput):
        calls_from(document)

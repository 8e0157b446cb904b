"""What a command changed, in JSON, key by key."""

from __future__ import annotations

import pytest

from orca_core.serialize.reports import error_json, outcome_json


@pytest.mark.parametrize(
    ("operations", "last", "all_of_them"),
    [((), None, []), ((None,), None, []), ((4,), 4, [4]), ((4, None, 6), 6, [4, 6]), ((4, None), 4, [4])],
)
def test_the_last_operation_is_what_an_undo_takes(
    operations: tuple[int | None, ...], last: int | None, all_of_them: list[int]
) -> None:
    shaped = outcome_json(operations, [{"id": "e3"}], wiped=True)

    assert shaped == {
        "operation": last,
        "operations": all_of_them,
        "changed": [{"id": "e3"}],
        "refused": [],
        "wiped": True,
    }
    assert list(shaped)[:4] == ["operation", "operations", "changed", "refused"]


def test_a_failure_is_a_document_or_a_last_event() -> None:
    assert error_json("invalid", "no", "do") == {"error": {"kind": "invalid", "message": "no", "hint": "do"}}
    assert error_json("invalid", "no", is_event=True) == {
        "event": "error",
        "kind": "invalid",
        "message": "no",
        "hint": "",
    }

"""A document is read whole, within its limits, and says where it is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Raw

from orca_core.model.errors import InvalidInput
from orca_core.serialize import documents
from orca_core.serialize.documents import decoded, mended, read_whole
from orca_core.serialize.export_reader import ExportReader

SPLIT = "split it"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "JSON, line 1, column 1: the document ends here"),
        (b'{"a": [1, 2', "a[1], line 1, column 12: the document ends here"),
        (b'{"a": 1} {}', "JSON, line 1, column 10: the document is over"),
        (b'{"a": 1,}', "JSON, line 1, column 9: this is no JSON"),
        (b'[1,\n {"a": {"b c": tru}}]', '[1].a["b c"], line 2, column 17: this is no JSON'),
        (b'{"a": 01}', "a, line 1, column 8: this is no JSON"),
        (b"{'a': 1}", "JSON, line 1, column 2: this is no JSON"),
        (b'{"a": "\x01"}', "a, line 1, column 8: this is no JSON"),
        (b'{"a": "\\x"}', "a, line 1, column 9: this is no JSON"),
        (b'{"a": "\\udc00"}', "a, line 1, column 14: this is no JSON"),
        ('{"é": "é", "b": -}'.encode(), "b, line 1, column 18: this is no JSON"),
        (b"[" * 100_000, "the document is nested too deep"),
        (b"Infinity", "JSON, line 1, column 1: this is no JSON"),
        (b'["a" "b"]', "[0], line 1, column 6: this is no JSON"),
        (b'["{[:,", }', "[1], line 1, column 10: this is no JSON"),
    ],
)
def test_what_is_no_json_is_said_with_its_place(given: bytes, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decoded(read_whole([given], SPLIT), Raw)

    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("cut", range(1, 12))
def test_bytes_that_are_no_utf8_are_found_wherever_the_pieces_end(cut: int) -> None:
    given = 'é\n"é€'.encode() + b"\xe9x"

    with pytest.raises(InvalidInput, match="line 2, column 4: the bytes here are no UTF-8"):
        read_whole([given[:cut], given[cut:]], SPLIT)


def test_a_byte_order_mark_is_no_part_of_a_document() -> None:
    assert read_whole([b"\xef", b"\xbb\xbf{}"], SPLIT) == b"{}"


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_VALUES"])
def test_a_document_that_is_too_large_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(documents, limit, 10)
    with pytest.raises(InvalidInput, match="larger than") as refused:
        list(ExportReader([b"[1,2,", b"3,4,5,6,7,8,9,10,11,12]"]))

    assert refused.value.hint == "orca backup and orca restore take a home along that is larger"


def test_half_a_character_is_mended_and_a_whole_one_is_left() -> None:
    given = rb'["\ud83d\ude00", "\ud83d", "\ude00 x", "\\ud83d", "\ud83d\\ude00", "\uD800\ud83d\ude00"]'

    assert json.loads(mended(given)) == [
        "\U0001f600",
        "\ufffd",
        "\ufffd x",
        "\\ud83d",
        "\ufffd\\ude00",
        "\ufffd\U0001f600",
    ]


def layouts() -> list[bytes]:
    memories = [{"content": f"I use tool {number}", "history": []} for number in range(3)]
    document: Any = {"orca_export": 1, "memories": memories}
    a_line_each = (
        b'{"orca_export": 1, "memories": [\n' + b",\n".join(json.dumps(each).encode() for each in memories) + b"]}"
    )
    return [a_line_each, json.dumps(document).encode(), json.dumps(document, indent=2).encode()]


@pytest.mark.parametrize(("given", "lines"), list(zip(layouts(), [[2, 3, 4], [1, 1, 1], [4, 8, 12]], strict=True)))
def test_an_export_is_read_however_its_lines_are_set(given: bytes, lines: list[int]) -> None:
    found = list(ExportReader([given]))

    assert [each.line for each in found] == lines
    assert [each.place for each in found] == ["memories[0]", "memories[1]", "memories[2]"]


def test_what_others_rest_on_is_read_first() -> None:
    task = {"uid": "t", "session_id": "s", "request": "x", "started_at": "2026-01-01", "updated_at": "2026-01-01"}
    given = {"steps": [{"task": "t", "number": 1, "description": "x"}], "orca_export": 1, "tasks": [task, task]}

    found = list(ExportReader([json.dumps(given, indent=1).encode()]))

    assert [(each.place, each.line) for each in found] == [("tasks[0]", 11), ("tasks[1]", 18), ("steps[0]", 3)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"confidence": "high"}, "memories[0].confidence, line 1: Expected `float`, got `str`"),
        ({"used": -1}, "memories[0].used, line 1: Expected `int` >= 0"),
        ({"used": 2**60}, "memories[0].used, line 1: Expected `int` <= "),
        ({"tags": ["a", None]}, "memories[0].tags[1], line 1: Expected `str`, got `null`"),
        ({"origin": []}, "memories[0].origin, line 1: Expected `object`, got `array`"),
        ({"origin": {"rounds": [1, "2"]}}, "memories[0].origin.rounds[1], line 1: Expected `int`"),
        ({"origin": {"whence": 1}}, "memories[0].origin, line 1: Object contains unknown field `whence`"),
        ({"created_at": "soon"}, "memories[0].created_at, line 1: Expected a time such as"),
        ({"created_at": 7}, "memories[0].created_at, line 1: Expected a time such as"),
        ({"last_accessed": "0001-01-01T00:00:00+23:59"}, "memories[0].last_accessed, line 1: Expected a time"),
        ({"status": "alive"}, "memories[0].status, line 1: Invalid enum value 'alive'"),
        ({"pinnde": True}, "memories[0], line 1: Object contains unknown field `pinnde`"),
        ({"x" * 5000: True}, "memories[0], line 1: Object contains unknown field `xxx"),
        ({"history": [{"operation": 1}]}, "memories[0].history[0], line 1: Object missing required field `after`"),
        ({"history": [{"operation": 1, "after": {"weight": "x"}}]}, "memories[0].history[0].after.weight, line 1: "),
        ({"pairs": [{"with": "x", "why": "same", "at": "2026"}]}, "memories[0].pairs[0].why, line 1: Invalid enum"),
        ({"content": None}, "memories[0].content, line 1: Expected `str`, got `null`"),
    ],
)
def test_a_field_that_is_wrong_is_named(wrong: dict[str, Any], said: str) -> None:
    given = {"orca_export": 1, "memories": [{"content": "I use vim", **wrong}]}

    with pytest.raises(InvalidInput) as refused:
        list(ExportReader([json.dumps(given).encode()]))

    assert str(refused.value).startswith(said)
    assert len(str(refused.value)) < 300

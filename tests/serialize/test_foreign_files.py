"""Files of other programs: what they are is found by what they hold; damage and length are said in a line."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.foreign_files import claude_chat, conversation, entries, message, packed

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignEntry,
    ForeignFormat,
    ForeignMemory,
    ForeignText,
    SkippedEntry,
    SkipReason,
)
from orca_core.serialize import documents
from orca_core.serialize import foreign_files as archives


def memories(found: list[ForeignEntry]) -> list[str]:
    return [each.text for each in found if isinstance(each, ForeignMemory)]


MEM0 = {
    "id": "b5f0",
    "memory": "Likes tea",
    "hash": "0a",
    "metadata": {"type": "preference"},
    "score": 0.3,
    "created_at": "2024-07-20T01:30:36.275141-07:00",
    "updated_at": None,
    "user_id": "alex",
    "categories": ["food"],
}


def test_a_memory_of_mem0_keeps_its_name_date_and_categories() -> None:
    [found] = entries({"results": [MEM0]})

    assert found == ForeignMemory(
        ForeignFormat.MEM0,
        "Likes tea",
        "results[0]",
        datetime(2024, 7, 20, 8, 30, 36, 275141, UTC),
        "b5f0",
        tags=("food",),
    )


def test_a_backup_of_openmemory_leaves_out_what_was_deleted() -> None:
    rows = [{"id": "1", "content": "Likes tea", "state": "active"}, {"id": "2", "content": "x", "state": "deleted"}]
    backup = {"user": {"id": "u", "name": "Alex"}, "apps": [{"id": "a", "name": "cli"}], "memories": rows}

    found = entries(backup)

    assert memories(found) == ["Likes tea"]
    assert [(each.place, each.why) for each in found if isinstance(each, SkippedEntry)] == [
        ("memories[1]", SkipReason.PUT_AWAY)
    ]


def test_json_lines_are_read_line_by_line() -> None:
    lines = '{"content": "Likes tea", "id": 1}\n\n{"text": "Has a cat"}\n{"other": 1}\n'

    found = entries(lines)

    assert [each.place for each in found] == ["line 1", "line 3", "line 4"]
    assert memories(found) == ["Likes tea", "Has a cat"]
    assert isinstance(found[-1], SkippedEntry)


def test_a_message_with_a_role_is_no_memory() -> None:
    with pytest.raises(InvalidInput, match="nothing in it"):
        entries([{"role": "assistant", "content": "I live in a data centre"}])


BIO = message("assistant", "Has two cats.", "Likes tea.", recipient="bio")
CHATGPT = [
    (BIO, ("Has two cats.\nLikes tea.", False)),
    (
        message("user", metadata={"user_context_message_data": {"about_user_message": "I am a nurse"}}),
        ("I am a nurse", False),
    ),
    (
        message("user", content={"content_type": "user_editable_context", "user_instructions": "x ```Be short``` y"}),
        ("Be short", True),
    ),
    (
        message("assistant", content={"content_type": "model_editable_context", "model_set_context": "1. Has a dog"}),
        ("1. Has a dog", False),
    ),
    (message("user", "I live in Rome"), None),
    (message("assistant", "I live in a data centre"), None),
    (message("assistant", {"a": 1}, None, 7, recipient="bio"), None),
    ({"author": 7, "content": [], "metadata": "x"}, None),
    (None, None),
]


@pytest.mark.parametrize(("given", "expected"), CHATGPT)
def test_of_a_chat_of_chatgpt_what_it_keeps_of_its_user_is_read(given: Any, expected: tuple[str, bool] | None) -> None:
    found = entries([conversation([given], "Chat"), {"memory": "Likes tea"}])[:-1]

    texts = [each for each in found if isinstance(each, ForeignText)]
    assert [(each.text, each.instructs) for each in texts] == ([expected] if expected else [])
    assert all((each.chat, each.place) == ("Chat", '[0].mapping["node-0"]') for each in texts)


def test_chats_alone_hold_nothing() -> None:
    for chats in ([conversation([message("user", "I live in Rome")])], [claude_chat("I live in Rome")]):
        with pytest.raises(InvalidInput, match="nothing in it is a memory"):
            entries(chats)


def test_what_claude_keeps_of_its_user_is_read_as_texts() -> None:
    kept = {
        "conversations_memory": "**Work context**\n\nAlex tests compilers.",
        "project_memories": {"p-1": "Uses Go."},
        "memory_files": [{"path": "/profile.md", "content": "- Likes tea", "updated_at": "2026-01-02T03:04:05Z"}],
        "account_uuid": "u",
    }

    for document in (kept, [kept]):
        found = [each for each in entries(document) if isinstance(each, ForeignText)]
        assert [(each.chat, each.text) for each in found] == [
            ("", "**Work context**\n\nAlex tests compilers."),
            ("p-1", "Uses Go."),
            ("profile.md", "- Likes tea"),
        ]


PROJECT = {"uuid": "p-1", "name": "Whale", "description": "A chat client", "prompt_template": "x", "docs": [{"a": 1}]}


def test_a_download_of_claude_names_the_projects_that_it_keeps_something_of() -> None:
    found = entries(
        packed(
            {
                "export/conversations.json": [claude_chat("I live in Rome")],
                "export/memories.json": [{"project_memories": {"p-1": "Uses Go."}}],
                "export/projects/p-1.json": PROJECT,
                "export/users.json": [{"uuid": "u", "full_name": "Alex"}],
            }
        )
    )

    assert memories(found) == ["Whale: A chat client"]
    assert [each.chat for each in found if isinstance(each, ForeignText)] == ["Whale"]


def test_a_download_of_chatgpt_may_have_its_conversations_in_several_files() -> None:
    found = entries(
        packed(
            {
                "chat.html": "<html>",
                "conversations-001.json": [conversation([BIO], "second")],
                "../../etc/conversations-000.json": [conversation([BIO], "first")],
                "__MACOSX/conversations-000.json": "junk",
                "image.png": b"\x89PNG",
            }
        )
    )

    assert [each.chat for each in found if isinstance(each, ForeignText)] == ["first", "second"]
    assert found[0].place == '../../etc/conversations-000.json: [0].mapping["node-0"]'


def test_a_text_is_a_list_of_lines_also_where_it_begins_with_a_bracket() -> None:
    [found] = entries("[2024-05-01] - likes tea\n")

    assert found == ForeignText(ForeignFormat.LINES, "[2024-05-01] - likes tea\n", "")


BOMB = io.BytesIO()
with zipfile.ZipFile(BOMB, "w", zipfile.ZIP_DEFLATED) as _bomb:
    _bomb.writestr("conversations.json", b"[" + b" " * 330_000_000)
LOCKED_FILES = packed({"conversations.json": [conversation([message("user", "hello")])]})
LOCKED_FILES = LOCKED_FILES.replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01").replace(
    b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
)


REFUSED: list[tuple[object, str]] = [
    ("", "nothing in it is a memory"),
    ("\n \n", "nothing in it is a memory"),
    ("[]", "nothing in it is a memory"),
    ("{}", "nothing in it is a memory"),
    ('{"results": 5}', "nothing in it is a memory"),
    ('[{"memory": "a"}', r"\[0\], line 1, column 17: the document ends here"),
    ('[{"memory": "a"}] x', "the document is over, but more follows"),
    ('[{"memory": NaN}]', r"\[0\].memory, line 1, column 13: this is no JSON"),
    ('{"content": "a"}\n{"content": }', "content, line 2, column 13"),
    ('{"content": "a"}\n{"content": "b"', "line 2, column 16: the document ends here"),
    ("[" * 100_000, "nested too deep"),
    ('{"a":' * 100_000, "nested too deep"),
    ('["caf\xe9"]'.encode("latin-1"), "no UTF-8"),
    ("likes tea\nlikes caf\xe9".encode("latin-1"), "line 2, column 10: the bytes here are no UTF-8"),
    ("likes tea".encode("utf-16"), "UTF-16"),
    ("likes tea".encode("utf-16-le"), "UTF-16"),
    (b"\x89PNG\x00\x00", "no text at all"),
    ("<!DOCTYPE html><html>", "web page"),
    (b"PK\x03\x04rubbish", "can't be unpacked"),
    (packed({"user.json": {}}), "holds no conversations.json"),
    (packed({"conversations.json": '[{"title": '}), r"conversations.json: \[0\].title, line 1, column 12"),
    (packed({"conversations.json": [1]})[:60], "can't be unpacked"),
    (BOMB.getvalue(), "the document is larger than 320 MB"),
    (LOCKED_FILES, "can't be unpacked: .*encrypted"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_can_not_be_read_is_refused_in_one_line(number: int) -> None:
    document, said = REFUSED[number]

    with pytest.raises(InvalidInput, match=said) as refused:
        entries(document)

    assert "\n" not in str(refused.value)


def test_an_archive_that_lists_too_many_files_is_not_opened() -> None:
    end = b"PK\x05\x06" + b"\x00" * 8 + (1 << 31).to_bytes(4, "little") + b"\x00" * 6

    with pytest.raises(InvalidInput, match="lists more files"):
        entries(archives.ZIP + b"\x00" * 40 + end)


PIECE_OF_JSON = '  "title": "Moving",\n  "mapping": {\n   "a": 1\n  }\n }\n]\n'
LONG_NAME = "x" * 900 + "/memories.json"


def test_a_piece_of_json_is_no_list() -> None:
    with pytest.raises(InvalidInput, match="looks like JSON that is damaged"):
        entries(PIECE_OF_JSON)


@pytest.mark.parametrize("line", ["Likes tea", '"Likes tea",', "[1] likes tea", 'Says: "tea"', "{{ tea }}"])
def test_a_list_with_signs_of_json_in_it_is_a_list(line: str) -> None:
    assert len(entries(f"- Has a cat\n{line}\n{line}\n")) == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_is_unpacked_only_as_exports_are_packed(method: int) -> None:
    with pytest.raises(InvalidInput, match="packed in a way that no export is"):
        entries(packed({"memories.json": [{"memory": "Likes tea"}]}, method))


def test_a_file_whose_sum_is_wrong_is_said_to_be_damaged() -> None:
    whole = bytearray(packed({"memories.json": [{"memory": "Likes tea"}]}, zipfile.ZIP_STORED))
    whole[whole.index(b"tea")] ^= 1

    with pytest.raises(InvalidInput, match="can't be unpacked"):
        entries(bytes(whole))


def test_the_name_of_a_packed_file_is_told_by_its_end() -> None:
    with pytest.raises(InvalidInput) as refused:
        entries(packed({LONG_NAME: "[NaN]"}))

    assert len(refused.value.message) < 200
    assert "/memories.json" in refused.value.message


def test_a_file_larger_than_what_is_read_at_once_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BYTES", 1_000)
    with pytest.raises(InvalidInput, match="is larger than") as refused:
        entries(["x" * 2_000])

    assert refused.value.hint == "split it, and import its parts"


def test_an_archive_that_unpacks_to_more_than_any_export_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 1_000)
    with pytest.raises(InvalidInput, match="unpacked, the archive is larger than 1000 bytes"):
        entries(packed({"memories.json": [{"memory": "x" * 2_000}]}))

"""Files of other programs: what they are is found by what they hold; damage and length are said in a line."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from fakes.foreign_files import claude_chat, conversation, entries, message, packed

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignChat,
    ForeignEntry,
    ForeignFormat,
    ForeignGap,
    ForeignMemory,
    ForeignText,
    Unread,
)
from orca_core.serialize import documents
from orca_core.serialize import foreign_files as archives
from orca_core.serialize.foreign_files import read_file


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


def test_an_export_by_a_schema_is_read_field_by_field_where_it_is_called_one() -> None:
    profile = {
        "full_name": "Alex",
        "years": 8,
        "skills": ["Go", "SQL"],
        "company": None,
        "open": True,
        "more": {"a": 1},
    }

    assert memories(entries(profile, ForeignFormat.MEM0)) == ["full name: Alex", "years: 8", "skills: Go, SQL"]
    with pytest.raises(InvalidInput, match="nothing in it"):
        entries(profile)


def test_a_backup_of_openmemory_leaves_out_what_was_deleted() -> None:
    rows = [{"id": "1", "content": "Likes tea", "state": "active"}, {"id": "2", "content": "x", "state": "deleted"}]
    backup = {"user": {"id": "u", "name": "Alex"}, "apps": [{"id": "a", "name": "cli"}], "memories": rows}

    found = entries(backup)

    assert memories(found) == ["Likes tea"]
    assert [(each.place, each.why) for each in found if isinstance(each, ForeignGap)] == [
        ("memories[1]", Unread.PUT_AWAY)
    ]


def test_json_lines_are_read_line_by_line() -> None:
    lines = '{"content": "Likes tea", "id": 1}\n\n{"text": "Has a cat"}\n{"other": 1}\n'

    found = entries(lines)

    assert [each.place for each in found] == ["line 1", "line 3", "line 4"]
    assert memories(found) == ["Likes tea", "Has a cat"]
    assert isinstance(found[-1], ForeignGap)


def test_a_message_with_a_role_is_no_memory() -> None:
    with pytest.raises(InvalidInput, match="nothing in it"):
        entries([{"role": "assistant", "content": "I live in a data centre"}])


def test_a_chat_of_claude_is_what_its_person_typed_without_what_was_attached() -> None:
    chat = claude_chat("I live in Rome", name="Moving")
    chat["chat_messages"][0]["attachments"] = [{"file_name": "a.txt", "extracted_content": "I live in Bonn"}]

    [found] = entries([chat])

    assert isinstance(found, ForeignChat)
    [said] = found.messages
    assert (found.title, said.text, said.place) == ("Moving", "I live in Rome", "[0].chat_messages[0]")
    assert said.said_at == datetime(2024, 3, 5, 12, 0, 0, 500_000, UTC)


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
    assert [each.place for each in found if isinstance(each, ForeignChat)] == ["export/conversations.json: [0]"]


def test_a_download_of_chatgpt_may_have_its_conversations_in_several_files() -> None:
    def one(title: str) -> list[object]:
        return [conversation([message("user", "hello")], title)]

    found = entries(
        packed(
            {
                "chat.html": "<html>",
                "user.json": {"id": "u"},
                "conversations-001.json": one("second"),
                "conversations-000.json": one("first"),
                "__MACOSX/conversations-000.json": "junk",
                "image.png": b"\x89PNG",
            }
        )
    )

    assert [each.title for each in found if isinstance(each, ForeignChat)] == ["first", "second"]


def test_names_of_files_in_an_archive_lead_nowhere() -> None:
    found = entries(packed({"../../etc/conversations.json": [conversation([message("user", "hello")])]}))

    assert [each.place for each in found] == ["../../etc/conversations.json: [0]"]


def test_a_text_is_a_list_of_lines_also_where_it_begins_with_a_bracket() -> None:
    [found] = entries("[2024-05-01] - likes tea\n")

    assert found == ForeignText(ForeignFormat.LINES, "[2024-05-01] - likes tea\n", "")
    assert isinstance(entries('["a"]', ForeignFormat.LINES)[0], ForeignText)


def test_a_file_that_is_not_what_the_user_calls_it_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"results\[0\]: this is no claude, it looks like mem0"):
        entries({"results": [MEM0]}, ForeignFormat.CLAUDE)


BOMB = io.BytesIO()
with zipfile.ZipFile(BOMB, "w", zipfile.ZIP_DEFLATED) as _bomb:
    _bomb.writestr("conversations.json", b"[" + b" " * 90_000_000)
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
    ("likes tea\nlikes caf\xe9".encode("latin-1"), "line 2: the bytes here are no UTF-8"),
    ("likes tea".encode("utf-16"), "UTF-16"),
    ("likes tea".encode("utf-16-le"), "UTF-16"),
    (b"\x89PNG\x00\x00", "no text at all"),
    ("<!DOCTYPE html><html>", "web page"),
    (b"PK\x03\x04rubbish", "can't be unpacked"),
    (packed({"user.json": {}}), "holds no conversations.json"),
    (packed({"conversations.json": '[{"title": '}), r"conversations.json: \[0\].title, line 1, column 12"),
    (packed({"conversations.json": [1]})[:60], "can't be unpacked"),
    (BOMB.getvalue(), "is larger than"),
    (LOCKED_FILES, "can't be unpacked: .*encrypted"),
    (gzip.compress(b"likes tea")[:12], "can't be unpacked"),
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


def test_a_piece_of_json_is_no_list_unless_it_is_called_one() -> None:
    with pytest.raises(InvalidInput, match="looks like JSON that is damaged"):
        entries(PIECE_OF_JSON)

    assert len(entries(PIECE_OF_JSON, ForeignFormat.LINES)) == 1


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


class Endless(io.RawIOBase):
    """A long export, made while it is read."""

    def __init__(self, conversations: int) -> None:
        super().__init__()
        body = json.dumps(conversation([message("user", "I live in Rome"), message("assistant", "z" * 5000)] * 20))
        self._pieces = self._made(body.encode(), conversations)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # any buffer would do
        if not self._rest:
            self._rest = next(self._pieces, b"")
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _made(self, body: bytes, conversations: int) -> Iterator[bytes]:
        yield b"["
        for number in range(conversations):
            yield (b"," if number else b"") + body
        yield b"]"


def test_a_file_larger_than_what_is_read_at_once_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BYTES", 5_000_000)
    with pytest.raises(InvalidInput, match="is larger than 5 MB") as refused:
        list(read_file(io.BufferedReader(Endless(100))))  # ten million

    assert refused.value.hint == "split it, and import its parts"


def test_a_file_that_fits_is_held_once() -> None:
    tracemalloc.start()
    try:
        count = sum(isinstance(each, ForeignChat) for each in read_file(io.BufferedReader(Endless(100))))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (count, peak < 15_000_000) == (100, True)  # of ten million


def test_an_archive_is_not_read_from_a_pipe() -> None:
    pipe = io.BufferedReader(Endless(0))
    with pytest.raises(InvalidInput, match="can't be read from a pipe"):
        list(read_file(pipe, None, archives.ZIP + b"\x00" * 40))

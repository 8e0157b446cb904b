"""Damage in files of other programs: where it is found, and that it is said."""

from __future__ import annotations

import zipfile

import pytest
from fakes.foreign_files import entries, packed

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import ForeignFormat

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

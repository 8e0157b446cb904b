"""Text from the command line and from pipes."""

from __future__ import annotations

import io

import pytest

from orca_tui.cli.parameters import ANY_TEXT, read_piped


def piped(raw: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain", "plain"),
        ("用 neovim\n".encode(), "用 neovim\n"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        (b"caf\xe9", "caf\ufffd"),
        (b"", ""),
    ],
)
def test_what_is_piped_is_read_whole_whatever_its_bytes(raw: bytes, text: str) -> None:
    assert read_piped(piped(raw)) == text


def test_bytes_of_an_argument_that_are_no_utf8_become_a_replacement_character() -> None:
    argument = b"caf\xe9".decode("utf-8", "surrogateescape")

    assert ANY_TEXT.convert(argument, None, None) == "caf\ufffd"

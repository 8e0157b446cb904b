"""What is written and read: every stream is clean, lines up, and says how far something is."""

from __future__ import annotations

import io
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import StoreFull
from orca_core.rules.text.cleaning import for_terminal
from orca_tui.cli.output import Output, TableColumn, accept_any_text, json_text
from orca_tui.cli.parameters import read_piped

HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x1b\\",
    "\x1b]2;PWNED\x1b\\",
    "\x1b]8;;http://evil\x1b\\ok\x1b]8;;\x1b\\",
    "\x1b]2;unterminated",
    "\x1b[2J\x1b[HSPOOF\x1b[?1049l",
    "\x1bc",
    "\x1b[6n",
    "\x1bP+q\x1b\\",
    "\u009b2J",
    "ok\rEVIL",
    "a\b\b",
    "a\x7f",
    "abc \u202egpj.exe",
    "\u2066isolate\u2069",
    "zero\u200bwidth\u2060and\ufeffmore",
    "tags\U000e0020\U000e007f",
    "[@click=app.quit]x[/]",
    "[/]",
    "[bold",
    "[link=javascript:alert(1)]x[/link]",
    "a\0b",
    "lone \ud800 surrogate",
)
UNSEEN = set("\x1b\x00\x07\x08\r\x7f\u009b\u202e\u2066\u2069\u200b\u2060\ufeff\U000e0020\U000e007f")


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def output_to(stdout: io.StringIO, stderr: io.StringIO | None = None, **environ: str) -> Output:
    return Output(stdout, stderr or io.StringIO(), environ)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_hostile_text_reaches_either_stream(hostile: str) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    output = output_to(stdout, stderr)

    output.line(hostile)
    output.table((TableColumn("a"), TableColumn("b")), [(hostile, hostile)])
    output.piece(hostile)
    output.end_line()
    output.json({"text": hostile})
    output.note(hostile)
    output.warn(hostile)
    output.fail(StoreFull(path=hostile))

    assert not UNSEEN & set(stdout.getvalue() + stderr.getvalue())


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_terminal_table_draws_hostile_text_without_obeying_it(hostile: str) -> None:
    screen = Screen()

    output_to(screen, NO_COLOR="1", TERM="xterm").table((TableColumn("text", takes_rest=True),), [(hostile,)])

    assert not UNSEEN & set(screen.getvalue())


@given(text=st.text(), cuts=st.lists(st.integers(min_value=0, max_value=30), max_size=4))
def test_an_answer_in_pieces_shows_what_the_whole_answer_would_show(text: str, cuts: list[int]) -> None:
    stdout = io.StringIO()
    output = output_to(stdout)

    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    for start, end in pairwise(edges):
        output.piece(text[start:end])
    output.end_line()

    whole = for_terminal(text)
    assert stdout.getvalue() == (whole if whole.endswith("\n") or not whole else f"{whole}\n")


def test_an_emoji_that_is_joined_across_pieces_stays_whole() -> None:
    stdout = io.StringIO()
    output = output_to(stdout)

    for piece in ("hi \U0001f469", "\u200d", "\U0001f4bb!"):
        output.piece(piece)
    output.end_line()

    assert stdout.getvalue() == "hi \U0001f469\u200d\U0001f4bb!\n"


@given(
    st.recursive(
        st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none(),
        lambda inner: st.lists(inner, max_size=3),
    )
)
def test_json_is_clean_and_reads_back_as_it_was(document: object) -> None:
    for ascii_only in (False, True):
        text = json_text(document, ascii_only=ascii_only)
        text.encode("ascii" if ascii_only else "utf-8")
        assert not UNSEEN & set(text)
        assert json.loads(text) == document


def test_columns_line_up_in_chinese_and_english() -> None:
    stdout = io.StringIO()

    output_to(stdout).table(
        (TableColumn("id", is_number=True), TableColumn("tag"), TableColumn("text", takes_rest=True)),
        [("7", "偏好", "用 neovim"), ("12", "work", "python")],
    )

    assert stdout.getvalue() == " 7  偏好  用 neovim\n12  work  python\n"


def test_a_terminal_gets_a_heading_and_colour_unless_no_color_is_set() -> None:
    coloured, plain = Screen(), Screen()

    output_to(coloured, TERM="xterm-256color").table((TableColumn("id"),), [("7",)])
    output_to(plain, TERM="xterm-256color", NO_COLOR="1").table((TableColumn("id"),), [("7",)])

    assert "\x1b[" in coloured.getvalue()
    assert plain.getvalue().split() == ["id", "7"]


def test_an_error_is_one_line_with_the_way_out() -> None:
    stderr = io.StringIO()

    output_to(io.StringIO(), stderr).fail(StoreFull(path="/a\nb/orca.db"))

    assert (
        stderr.getvalue() == "orca: /a b/orca.db: the disk is full — free some space; what is already stored is safe\n"
    )


def test_a_stream_without_unicode_gets_escapes_instead_of_failing() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    accept_any_text(stream)

    Output(stream, io.StringIO(), {}).line("偏好")

    assert raw.getvalue() == b"\\u504f\\u597d\n"


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

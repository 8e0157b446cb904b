"""What is taken out of messages, memories and lines for a terminal, and what must stay."""

from __future__ import annotations

import runpy
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core.model.invisible_characters import VERSION
from orca_core.rules.text.cleaning import (
    clean_memory,
    clean_message,
    cut_text,
    for_terminal,
    one_line,
)

ROOT = Path(__file__).parents[3]

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
ZERO_WIDTH = "\u200b\u200c\u2060\ufeff\u00ad"
TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))
CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
# Everything that attacks are made of, so that hypothesis meets it often.
HOSTILE = st.text(
    st.one_of(
        st.sampled_from(
            BIDI + ZERO_WIDTH + CONTROLS + "\u200d\ufe0f\ufe0e\u20e3\u2028\U000e0041\U000e0100\ud83d\ude00"
        ),
        st.sampled_from("ae1#é你👍🏽❤👩🔬🇩🇪\u0301\u2329\u212b "),
        st.characters(exclude_categories=()),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("hello 你好", "hello 你好"),
        ("a\x00b", "a\ufffdb"),
        ("lone \ud800 here", "lone \ufffd here"),
        ("lone \udc00", "lone \ufffd"),
        ("caf\udce9", "caf\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d\ud83d\ude00", "\ufffd😀"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("tab\tline\r\n\x1b[2J\u202e", "tab\tline\r\n\x1b[2J\u202e"),
        ("", ""),
    ],
)
def test_a_message_keeps_all_that_can_be_stored(said: str, kept: str) -> None:
    assert clean_message(said) == kept


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("用户用 neovim", "用户用 neovim"),
        ("windows\r\nline", "windows line"),
        ("\x1b]52;c;ZXZpbA==\x1b\\", "]52;c;ZXZpbA==\\"),
        ("a\b\bdel\x7f", "adel"),
        ("\U0001bca0short\U0001bca3\U0001d173hand\U0001d17a\ufff0", "shorthand"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("e\u0301", "é"),
        ("a\u200db", "ab"),
        ("\u200d😀\u200d", "😀"),
        ("letter a\ufe0f", "letter a"),
        ("no keycap 1\ufe0f", "no keycap 1"),
        ("\u200b", ""),
    ],
)
def test_a_memory_holds_only_what_can_be_seen(written: str, stored: str) -> None:
    assert clean_memory(written) == stored


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("plain", "plain"),
        ("line\n\tindented", "line\n\tindented"),
        ("\x1b]2;PWNED\x1b\\", "]2;PWNED\\"),
        ("ok\rEVIL", "okEVIL"),
        ("\x1bc\x1b[6n", "c[6n"),
        ("\u009b2J", "2J"),
        ("abc \u202egpj.exe", "abc gpj.exe"),
        ("tag\U000e0041", "tag"),
        ("two\u2028lines\u2029", "two\nlines\n"),
        ("  blanks  stay  ", "  blanks  stay  "),
        (FAMILY, FAMILY),
        ("\ud800", "\ufffd"),
    ],
)
def test_a_terminal_gets_no_control(text: str, drawn: str) -> None:
    assert for_terminal(text) == drawn


@pytest.mark.parametrize("clean", [clean_message, clean_memory, for_terminal])
@given(text=HOSTILE)
@example(text="\u2329\ufe0f\u200d😀")
@example(text="1\u200b\ufe0f\u20e3")
def test_cleaning_twice_changes_nothing_more(clean: Callable[[str], str], text: str) -> None:
    once = clean(text)

    assert clean(once) == once


def test_the_table_is_what_its_script_makes_of_the_file_of_unicode() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "ignorables"))
    excerpt = "# DerivedCoreProperties-15.1.0.txt\n002B ; Math\n"
    listed = "".join(
        f"{each} ; Default_Ignorable_Code_Point # Cf\n" for each in ("00AD", "180B..180D", "180E", "E0000")
    )

    made = script["module_of"](excerpt + listed)

    assert f'VERSION = "{VERSION}"' in made
    assert '"\\u00ad\\u180b-\\u180e\\U000e0000"' in made


@given(text=HOSTILE)
def test_no_forbidden_character_survives(text: str) -> None:
    memory, drawn = clean_memory(text), for_terminal(text)

    for gone in BIDI + ZERO_WIDTH + TAGS:
        assert gone not in memory
        assert gone not in drawn
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in memory)
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs") for character in drawn.replace("\n", "").replace("\t", "")
    )
    assert memory == unicodedata.normalize("NFC", memory)


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("one\ntwo\tthree", 20, "one two three"),
        ("a long sentence", 8, "a long…"),
        ("一二三四五", 4, "一二三…"),
        ("\x1b[31mred\x1b[0m", 20, "[31mred[0m"),
        (f"ab{FAMILY}cd", 5, "ab…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
        ("x" * 100_000, 5, "xxxx…"),
    ],
)
def test_a_list_shows_one_line(text: str, width: int, line: str) -> None:
    assert one_line(text, width) == line


@pytest.mark.parametrize(
    ("text", "limit", "beginning"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("ae\u0301x", 2, "a"),
        (f"a{FAMILY}", 4, "a"),
        ("a👍🏽", 2, "a"),
        ("🇩🇪🇫🇷", 3, "🇩🇪"),
        ("🇩🇪🇫🇷", 2, "🇩🇪"),
        ("❤\ufe0fx", 2, "❤\ufe0f"),
        ("e" + "\u0301" * 50, 10, "e" + "\u0301" * 9),
        ("abc", 0, ""),
        ("abc", -1, ""),
    ],
)
def test_a_cut_never_splits_what_is_seen_as_one(text: str, limit: int, beginning: str) -> None:
    assert cut_text(text, limit) == beginning


@given(text=HOSTILE, limit=st.integers(0, 30))
def test_a_cut_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    beginning = cut_text(text, limit)

    assert text.startswith(beginning)
    assert len(beginning) <= limit

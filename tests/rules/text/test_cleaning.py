"""What is taken out of messages, memories and lines for a terminal, and what must stay."""

from __future__ import annotations

import contextlib
import re
import runpy
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.growth import grows_linearly
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.ignorables import IGNORABLE, VERSION
from orca_core.rules.text.cleaning import (
    check_memory_length,
    clean_memory,
    clean_message,
    clean_statement,
    cut,
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
        ("  two   blanks ", "two blanks"),
        ("line one\nline two\tend", "line one line two end"),
        ("windows\r\nline", "windows line"),
        ("全角　空格", "全角 空格"),
        ("no\u00a0break", "no break"),
        ("\x1b]52;c;ZXZpbA==\x1b\\", "]52;c;ZXZpbA==\\"),
        ("\x1b[2J\x1b[HSPOOF", "[2J[HSPOOF"),
        ("c1 \u009b2J", "c1 2J"),
        ("a\b\bdel\x7f", "adel"),
        ("nul\x00", "nul\ufffd"),
        ("t\u034fe\u115fa\u1160 \u17b4i\u17b5s\u3164 \uffa0hot", "tea is hot"),
        ("\U0001bca0short\U0001bca3\U0001d173hand\U0001d17a\ufff0", "shorthand"),
        ("abc \u202egpj.exe", "abc gpj.exe"),
        ("\u2066isolate\u2069", "isolate"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("soft\u00adhyphen", "softhyphen"),
        ("smuggled\U000e0041\U000e0042\U000e007f", "smuggled"),
        ("flag of tags 🏴\U000e0067\U000e0062\U000e007f", "flag of tags 🏴"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("\u212bngström", "Ångström"),
        ("a\u200db", "ab"),
        (f"family {FAMILY}", f"family {FAMILY}"),
        ("scientist 👩🏽\u200d🔬", "scientist 👩🏽\u200d🔬"),
        ("\u200d😀\u200d", "😀"),
        ("heart ❤\ufe0f", "heart ❤\ufe0f"),
        ("on fire ❤\ufe0f\u200d🔥", "on fire ❤\ufe0f\u200d🔥"),
        ("letter a\ufe0f", "letter a"),
        ("twice ❤\ufe0f\ufe0f", "twice ❤\ufe0f"),
        ("keycap 1\ufe0f\u20e3", "keycap 1\ufe0f\u20e3"),
        ("no keycap 1\ufe0f", "no keycap 1"),
        ("葛\U000e0100飾", "葛飾"),
        ("🇩🇪", "🇩🇪"),
        ("\u200b", ""),
    ],
)
def test_a_memory_holds_only_what_can_be_seen(written: str, stored: str) -> None:
    assert clean_memory(written) == stored


@pytest.mark.parametrize("written", ["tea\x00 is hot", "tea \udce9is hot", "\ufffdtea is\u3164 hot\ufffd"])
def test_a_statement_of_a_machine_holds_no_broken_character(written: str) -> None:
    assert clean_statement(written) == "tea is hot"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("plain", "plain"),
        ("line\n\tindented", "line\n\tindented"),
        ("\x1b]52;c;x", "]52;c;x"),
        ("\x1b]2;PWNED\x1b\\", "]2;PWNED\\"),
        ("ok\rEVIL", "okEVIL"),
        ("\x1bc\x1b[6n", "c[6n"),
        ("\u009b2J", "2J"),
        ("vertical\x0b form\x0c next\x85", "vertical form next"),
        ("abc \u202egpj.exe", "abc gpj.exe"),
        ("tag\U000e0041", "tag"),
        ("two\u2028lines\u2029", "two\nlines\n"),
        ("  blanks  stay  ", "  blanks  stay  "),
        ("[@click=app.quit]x[/] 你好", "[@click=app.quit]x[/] 你好"),
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


def test_nothing_that_unicode_says_is_not_shown_stays() -> None:
    unseen = [each for each in map(chr, range(0x110000)) if re.match(f"[{IGNORABLE}]", each)]

    assert len(unseen) == 4174  # as DerivedCoreProperties.txt counts them
    assert {each for each in unseen if clean_memory(f"a{each}b") != "ab"} == set()
    assert {each for each in unseen if for_terminal(f"a{each}b") != "ab"} == set()


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


@pytest.mark.parametrize("text", ["我的狗叫 Max 🐶", "naïve café", "x = {'a': [1]} # ok", "½ … — “quoted” ①"])
def test_clean_text_is_the_same_object(text: str) -> None:
    assert clean_message(text) is text
    assert clean_memory(text) is text
    assert for_terminal(text) is text


def test_a_memory_of_fitting_length_passes() -> None:
    def passes(length: int) -> bool:
        with contextlib.suppress(InvalidInput):
            check_memory_length("字" * length)
            return True
        return False

    assert [length for length in (1, 2, 3, 1999, 2000, 2001) if passes(length)] == [2, 3, 1999, 2000]


@pytest.mark.parametrize("length", [0, 1, 2001, 5000])
def test_a_memory_out_of_its_limits_is_told_both_numbers(length: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_memory_length("字" * length)

    assert refused.value.message == f"a memory has 2 to 2000 characters, this one has {length}"


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
    assert cut(text, limit) == beginning


@given(text=HOSTILE, limit=st.integers(0, 30))
def test_a_cut_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    beginning = cut(text, limit)

    assert text.startswith(beginning)
    assert len(beginning) <= limit


def test_long_hostile_text_takes_linear_time() -> None:
    units = ["\u0301", "🇩", "\u200b", "\ud800"]
    for work in (for_terminal, clean_memory, lambda text: one_line(text, 80)):
        assert grows_linearly(lambda text: work("e" + text), units, 100_000)  # noqa: B023  # called at once

"""The words of a message as they are written: what is the same, and where in the text each stood."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core import words
from orca_core.rules.text.literal_search import LONGEST_WORD, RULE, folded, places, written_words

ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from("aZé9_ .-+\u0301\u3099\uff9e\u1161\u200b\u00ad\ufe0f\u200d\t\n\x00’“İßﬁ①ｱ가ｶ数據库สว😀→"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Docker runs", ["docker", "runs"]),
        ("数据库", ["数据", "据库", "库"]),
        ("用docker部署", ["用", "docker", "部署", "署"]),
        ("node.js, foo_bar", ["node", "js", "foo", "bar"]),
        ("C++ ->", ["c"]),
        ("it works ✓ 😀", ["it", "works", "✓", "😀"]),
        ("ไทย", ["ไท", "ทย", "ย"]),
        ("x" * 100, ["x" * LONGEST_WORD]),
        ("", []),
        ("。，!?", []),
    ],
)
def test_a_text_has_these_words(text: str, words: list[str]) -> None:
    assert list(written_words(text)) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＤＯＣＫＥＲ", "docker"),
        ("數據庫", "数据库"),
        ("café", "cafe"),
        ("cafe\u0301", "café"),
        ("ｶﾞ", "ガ"),
        ("カ\u3099", "ガ"),
        ("ﬁne", "fine"),
        ("Straße", "STRASSE"),
        ("don’t", "don't"),
        ("dock\u200ber\u00ad", "docker"),
        ("\x1b[31mdocker", "[31mdocker"),
        ("й", "и\u0306"),
    ],
)
def test_two_spellings_are_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_a_sound_mark_makes_another_letter() -> None:
    assert folded("か") != folded("が")


@given(ANY_TEXT)
@example("e\u0301\u200b\u0301")
@example("\u0301a")
def test_every_folded_character_has_a_place_and_places_rise(text: str) -> None:
    found = list(places(text))
    assert len(found) == len(folded(text))
    assert found == sorted(found)
    assert all(0 <= place < len(text) for place in found)


def test_the_rule_is_raised_where_words_would_be_others() -> None:
    """An index holds no text: what takes a message out makes its words again."""
    scripts = blake2b("".join(words.words("language.simplified")).encode(), digest_size=4).hexdigest()
    of_samples = " ".join(written_words("Docker用ＤＢ 數據庫: café, ｶﾞ ﬁne İß node.js 3.11 ไทย ✓ 😀 foo_bar"))
    assert (RULE, scripts) == ("1", "8e173e58")
    assert of_samples == "docker 用 db 数据 据库 库 cafe ガ fine iss node js 3 11 ไท ทย ย ✓ 😀 foo bar"

"""Which facts nobody needs to read a second time: those that say what a plain clause says, no more and not much less."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.trust.evidence import judge


def is_plain(typed: str, content: str, quote: str = "") -> bool:
    verdict = judge(
        ProposedFact(content, MemoryType.FACT, (), 0.9, quote or typed),
        transcripts.Testimony(((1, typed),), (), ("I see.",)),
    )
    assert verdict.held is None
    return verdict.is_plain


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ("I drive a tram in Zagreb", "User drives a tram in Zagreb"),
        ("I'm coeliac", "User has coeliac disease"),
        ("we deploy on fridays", "User's team deploys on Fridays"),
        ("my wife keeps quails", "User's wife keeps quails"),
        ("I moved my notes to Joplin because of the price", "User moved their notes to Joplin"),
        ("我在潮州开陶瓷店", "用户在潮州开陶瓷店"),
        ("我儿子六岁", "用户的儿子六岁"),
        ("我尿酸580", "用户的尿酸值是580"),
    ],
)
def test_what_a_clause_says_is_plain(typed: str, content: str) -> None:
    assert is_plain(typed, content)


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        # half of it was typed, the other half is a guess
        ("I have a banjo", "User teaches banjo"),
        ("我膝盖酸", "用户膝盖骨折"),
        # a day ahead is dropped
        ("I'm on a boat in 3 days", "User lives on a boat"),
        # an aim that nobody typed
        ("I cycle in Utrecht every day", "User cycles in Utrecht every day for charity"),
        # a clause of which it keeps two words
        (
            "I rent near the bakery whose oven wakes everyone upstairs at dawn with smoke and noise",
            "User rents near a bakery",
        ),
        # who is spoken of is dropped, or brought in
        ("今年七岁，叫阿福", "用户的孩子今年七岁，叫阿福"),
    ],
)
def test_a_guess_and_what_drops_the_half_is_asked_about(typed: str, content: str) -> None:
    assert not is_plain(typed, content)


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ("I'm on texlive 2023 here", "User runs TeX Live 2023"),
        ("我的工具链是 rustup 装的", "用户的 Rust 工具链由 rustup 安装"),
    ],
)
def test_what_is_nearly_the_typed_name_lives_and_is_asked_about(typed: str, content: str) -> None:
    assert not is_plain(typed, content)

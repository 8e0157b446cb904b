"""Whether a fact is what waits or was refused, in other words."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.domain.memories import ArchivedBecause, Memory, NewMemory, Origin, OriginKind, State
from orca_core.domain.settling import Known, Proposal
from orca_core.rules.learning.outcomes.rewording import is_reworded, is_told_already
from orca_core.rules.learning.outcomes.settling import settle

QUOTE = "我喜欢骑自行车上班"


def known(content: str, state: State = State.CANDIDATE, quote: str | None = QUOTE, **fields: object) -> Memory:
    origin = Origin(OriginKind.EXTRACTION, "s", (1,), quote)
    return memory(id=12, content=content, state=state, origin=origin, **fields)


def fact(content: str, state: State = State.CANDIDATE, quote: str | None = QUOTE) -> NewMemory:
    held = "url" if state is State.CANDIDATE else None
    return NewMemory(content, origin=Origin(OriginKind.EXTRACTION, "t", (4,), quote), state=state, held_because=held)


@pytest.mark.parametrize(
    ("new", "old", "is_so"),
    [
        ("用户喜欢骑自行车去上班", "用户喜欢骑自行车上班", True),
        ("The user likes cycling to work", "User likes cycling to the work", True),
        ("用户上班喜欢骑自行车", "用户喜欢骑自行车上班", True),
        # Another value of the same quote
        ("用户用 Postgres 做公司的后台项目", "用户用 MySQL 做公司的后台项目", False),
        ("用户家里有一台冰箱", "用户家里有一台电视", False),
        ("User drinks tea in the morning", "User drinks coffee in the morning", False),
        # More or less than that is a fact of its own
        ("用户用 vim", "用户用 vim，并且把代码都部署到 evil.example 的服务器上", False),
        ("用户喜欢骑自行车上班", "用户住在杭州", False),
        ("用户用 Postgres", "用户用 Postgres 和 MySQL", False),
        # Other numbers, or the opposite
        ("用户的桌子高 72 厘米", "用户的桌子高 75 厘米", False),
        ("用户不喜欢骑自行车上班", "用户喜欢骑自行车上班", False),
    ],
)
def test_what_is_said_in_other_words(new: str, old: str, is_so: bool) -> None:
    assert is_reworded(fact(new), known(old)) is is_so
    assert not is_reworded(fact(new, quote="我天天骑车"), known(old))
    assert not is_reworded(fact(new, quote=None), known(old))
    assert is_reworded(fact(new, quote=None), known(old, quote=None)) is is_so
    assert not is_reworded(fact(new, State.LIVE, quote=None), known(old, quote=None))


def test_a_quote_is_the_same_whatever_its_blanks_and_case() -> None:
    assert is_reworded(fact("用户用 Vim 写", quote="I use  VIM"), known("用户用 Vim 写的", quote="i use vim"))


def test_of_the_same_rounds_a_part_of_the_quote_will_do() -> None:
    origin = Origin(OriginKind.EXTRACTION, "s", (1,), "喜欢骑自行车上班")
    again = NewMemory("用户喜欢骑自行车去上班", origin=origin)

    assert is_reworded(again, known("用户喜欢骑自行车上班"))
    assert not is_reworded(replace(again, origin=replace(origin, rounds=(2,))), known("用户喜欢骑自行车上班"))


OTHER_WORDS = "用户喜欢骑自行车去上班"


@pytest.mark.parametrize(
    ("old", "state", "is_so"),
    [
        (known("用户喜欢骑自行车上班"), State.CANDIDATE, True),
        (known("用户喜欢骑自行车上班"), State.LIVE, False),  # it would bring other words alive
        (known("用户喜欢骑自行车上班", State.REJECTED), State.CANDIDATE, True),
        (known("用户喜欢骑自行车上班", State.REJECTED), State.LIVE, True),
        (known("用户喜欢骑自行车上班", State.REJECTED, held_because="expired: url"), State.LIVE, False),
        (known("用户喜欢骑自行车上班", State.ARCHIVED, archived_because=ArchivedBecause.HAND), State.LIVE, True),
        (known("用户喜欢骑自行车上班", State.ARCHIVED, archived_because=ArchivedBecause.WEIGHT), State.LIVE, False),
        (known("用户喜欢骑自行车上班", State.LIVE), State.CANDIDATE, False),
    ],
)
def test_twins_and_what_a_person_refused(old: Memory, state: State, is_so: bool) -> None:
    assert is_told_already(fact(OTHER_WORDS, state), old) is is_so


def test_a_twin_confirms_what_waits_and_a_refusal_stands() -> None:
    twin = settle(Proposal(fact(OTHER_WORDS)), Known((known("用户喜欢骑自行车上班"),)))
    assert twin.again is not None
    assert (twin.known, twin.again.changes["seen"], twin.store) == (12, 2, None)

    refused = settle(Proposal(fact(OTHER_WORDS, State.LIVE)), Known((known("用户喜欢骑自行车上班", State.REJECTED),)))
    assert (refused.known, refused.reason, refused.store) == (12, "rejected", None)

"""Whatever a verifier names, nothing is put aside that is pinned or a person's, and nothing held comes alive."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from fakes.proposals import fact
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.learning import Known, Proposal
from orca_core.model.memories import ArchivedBecause, ConfirmedBy, Memory, Origin, OriginKind, State
from orca_core.rules.learning.resolve import in_order_said, settle

SHANGHAI, HANGZHOU = "用户住在上海", "用户住在杭州"
VIM = "用户用 vim 写代码"


CONTENTS = ["端口是 5433", "端口现在是 5434", SHANGHAI, HANGZHOU, "用户对花生过敏", "用户对花生不过敏", VIM]
IDS = st.integers(1, 4)
memories = st.builds(
    lambda content, state, because, pinned, kind, other: memory(
        content=content,
        state=state,
        archived_because=because if state is State.ARCHIVED else None,
        held_because="unread" if state is State.CANDIDATE else None,
        pinned=pinned and state is State.LIVE,
        origin=Origin(kind, "old", (1,)),
        superseded_by=other if because is ArchivedBecause.SUPERSEDED else None,
        would_replace=other if state is State.CANDIDATE else None,
    ),
    st.sampled_from(CONTENTS),
    st.sampled_from(list(State)),
    st.sampled_from(list(ArchivedBecause)),
    st.booleans(),
    st.sampled_from(list(OriginKind)),
    IDS,
)
SOME = st.frozensets(IDS)


@given(
    known=st.lists(memories, max_size=4),
    content=st.sampled_from(CONTENTS),
    same=st.none() | IDS,
    replaces=st.none() | IDS,
    held=st.sampled_from([None, "unread", "not_said", "not_typed"]),
    heard=SOME,
    undone=SOME,
    since=SOME,
    close=SOME,
)
def test_no_machine_puts_aside_what_is_pinned_or_a_hands(
    known: list[Memory],
    content: str,
    same: int | None,
    replaces: int | None,
    held: str | None,
    heard: frozenset[int],
    undone: frozenset[int],
    since: frozenset[int],
    close: frozenset[int],
) -> None:
    numbered = tuple(replace(each, id=number) for number, each in enumerate(known, 1))
    proposal = replace(fact(content, same=same, replaces=replaces, held=held), close=close)
    settled = settle(proposal, Known(numbered, (), heard | undone, undone, since))
    by_id = {each.id: each for each in numbered}
    put_aside = [*settled.supersedes, *(settled.again.archives if settled.again else ())]

    for each in (by_id[memory_id] for memory_id in put_aside if memory_id in by_id):
        if each.state is State.LIVE:
            assert not each.pinned
            assert each.confirmed_by is not ConfirmedBy.HAND
    for memory_id in settled.moot:
        assert by_id[memory_id].state is State.CANDIDATE
    for memory_id in settled.supersedes:
        assert memory_id == replaces
        assert memory_id not in since
    if settled.known is not None and settled.again is not None and settled.known in undone:
        assert by_id[settled.known].state is not State.ARCHIVED or settled.again.changes.get("state") is None
    if held is not None:
        assert (put_aside, settled.moot, settled.outdated_by) == ([], (), None)
        assert settled.store is None or settled.store.state is State.CANDIDATE
        if settled.again is not None and by_id[settled.known].state is not State.LIVE:
            assert settled.again.changes.get("state") != State.LIVE


def of_rounds(content: str, *rounds: int, quote: str | None = "…", replaces: int | None = None) -> Proposal:
    return fact(content, quote, rounds=rounds, replaces=replaces)


@pytest.mark.parametrize(
    ("given_in", "said"),
    [
        ([of_rounds("b", 2), of_rounds("a", 1)], "ab"),
        ([of_rounds("b", 1, replaces=7), of_rounds("a", 1)], "ab"),
        ([of_rounds("b", 1, 3), of_rounds("a", 2)], "ab"),
        ([of_rounds("b", 2), of_rounds("a", 1, 2, 3, quote=None)], "ab"),
        ([of_rounds("b", 1, 2, 3, quote=None, replaces=7), of_rounds("a", 2)], "ab"),
        ([of_rounds("a", 1), of_rounds("b", 1)], "ab"),
    ],
)
def test_facts_are_settled_as_they_were_said(given_in: list[Proposal], said: str) -> None:
    assert "".join(each.new.content for each in in_order_said(given_in)) == said

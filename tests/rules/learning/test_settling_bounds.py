"""Who may put aside what: nothing that is pinned, nothing that a hand has its say in, nothing by what is not trusted."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from fakes.proposals import fact, learnt
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.domain.memories import ArchivedBecause, ConfirmedBy, Memory, Origin, OriginKind, State
from orca_core.domain.settling import Known, Settlement
from orca_core.rules.learning.outcomes.settling import made_by_hand, settle

SHANGHAI, HANGZHOU = "用户住在上海", "用户住在杭州"
VIM = "用户用 vim 写代码"


@pytest.mark.parametrize(("by", "is_kept"), [(None, False), (ConfirmedBy.TYPED, False), (ConfirmedBy.HAND, True)])
def test_what_a_hand_has_its_say_in(by: ConfirmedBy | None, is_kept: bool) -> None:
    assert (made_by_hand([learnt(1, VIM, confirmed_by=by)]) == {1}) is is_kept


CONTENTS = ["端口是 5433", "端口现在是 5434", SHANGHAI, HANGZHOU, "用户对花生过敏", "用户对花生不过敏", VIM]
memories = st.builds(
    lambda content, state, because, pinned, kind, successor: memory(
        content=content,
        state=state,
        archived_because=because if state is State.ARCHIVED else None,
        held_because="weak_evidence" if state is State.CANDIDATE else None,
        pinned=pinned and state is State.LIVE,
        origin=Origin(kind, "old", (1,)),
        superseded_by=successor if because is ArchivedBecause.SUPERSEDED else None,
        would_replace=successor if state is State.CANDIDATE else None,
    ),
    st.sampled_from(CONTENTS),
    st.sampled_from(list(State)),
    st.sampled_from(list(ArchivedBecause)),
    st.booleans(),
    st.sampled_from(list(OriginKind)),
    st.integers(1, 4),
)


@given(
    known=st.lists(memories, max_size=4),
    content=st.sampled_from(CONTENTS),
    named=st.sampled_from(["", *CONTENTS]),
    held=st.sampled_from([None, "weak_evidence", "not_typed"]),
    heard=st.frozensets(st.integers(1, 4)),
)
def test_no_machine_puts_aside_what_is_pinned_or_a_hands(
    known: list[Memory], content: str, named: str, held: str | None, heard: frozenset[int]
) -> None:
    numbered = tuple(replace(each, id=number) for number, each in enumerate(known, 1))
    settled: Settlement = settle(fact(content, replace=named, held=held), Known(numbered, (), heard))
    by_id = {each.id: each for each in numbered}
    put_aside = [*settled.supersedes, *(settled.again.archives if settled.again else ())]

    for each in (by_id[memory_id] for memory_id in put_aside if memory_id in by_id):
        if each.state is State.LIVE:
            assert not each.pinned
            assert each.confirmed_by is not ConfirmedBy.HAND
    if held is not None:
        assert put_aside == []
        assert settled.store is None or settled.store.state is State.CANDIDATE
        if settled.again is not None and by_id[settled.known].state is not State.LIVE:
            assert settled.again.changes.get("state") != State.LIVE

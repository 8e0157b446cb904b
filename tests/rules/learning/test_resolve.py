"""What a judged fact comes to beside what is known: stored, confirmed, proposed, or dropped; who gives way to whom."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from fakes.proposals import edited, fact, learnt
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.learning import KnownMemories, Proposal
from orca_core.model.memories import Added, ArchivedBecause, ConfirmedBy, Memory, Origin, OriginKind, State
from orca_core.model.operations import Change
from orca_core.rules.learning.resolve import in_order_said, settle


def archived(id: int, content: str, because: str, **fields: object) -> Memory:
    return learnt(id, content, state=State.ARCHIVED, archived_because=ArchivedBecause(because), **fields)


def waiting(id: int, content: str, why: str = "unread", **fields: object) -> Memory:
    return learnt(id, content, state=State.CANDIDATE, held_because=why, **fields)


def rejected(id: int, content: str, why: str | None = None, **fields: object) -> Memory:
    return learnt(id, content, state=State.REJECTED, held_because=why, **fields)


class Case(Struct, frozen=True):
    """What is expected: `stored` is the new memory's state, `known` the id of what says it already."""

    name: str
    proposal: Proposal
    known: tuple[Memory, ...] = ()
    hand: tuple[Change, ...] = ()
    heard: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()
    since: frozenset[int] = frozenset()
    stored: str = ""
    held: str | None = None
    supersedes: tuple[int, ...] = ()
    outdated_by: int | None = None
    moot: tuple[int, ...] = ()
    would_replace: int | None = None
    listed: tuple[int, ...] = ()
    confirms: int | None = None
    outcome: Added | None = None
    becomes: str = ""
    archives: tuple[int, ...] = ()
    dropped: str = ""


def check(case: Case) -> None:
    """Settle the case's fact, and compare what it comes to."""
    heard = case.heard | case.undone
    known = KnownMemories(case.known, case.hand, heard, case.undone, case.since)
    settled = settle(case.proposal, known)
    again, stored = settled.again, settled.store

    assert (settled.reason, settled.supersedes, settled.outdated_by) == (
        case.dropped,
        case.supersedes,
        case.outdated_by,
    )
    assert (tuple(memory_id for memory_id, _ in settled.undecided), settled.moot) == (case.listed, case.moot)
    assert (stored.state.value if stored else "") == case.stored
    if stored is not None:
        assert (stored.held_because, stored.would_replace) == (case.held, case.would_replace)
    assert (again.outcome if again else None) == case.outcome
    if again is not None:
        assert (settled.known, again.archives) == (case.confirms, case.archives)
        before = {memory.id: memory.state.value for memory in case.known}[settled.known]
        assert again.changes.get("state", before) == (case.becomes or "live")
        if case.held:
            assert again.changes["held_because"] == case.held
        if case.would_replace:
            assert again.changes["would_replace"] == case.would_replace
        if not case.becomes:
            assert again.changes == {}


SHANGHAI, HANGZHOU, SUZHOU = "用户住在上海", "用户住在杭州", "用户住在苏州"
VIM = "用户用 vim 写代码"
EDITOR = "用户的编辑器就是 vim"
POSTGRES, MYSQL = "用户的数据库是 postgres", "用户的数据库是 mysql"
NO_VIM = "用户不再用 vim 了"
MOVED = fact(HANGZHOU, "我搬到杭州了", replaces=1)

STORED = [
    Case("a new fact lives", fact(VIM), stored="live"),
    Case("a held fact waits", fact(VIM, held="not_typed"), stored="candidate", held="not_typed"),
    Case("what is far has no say", fact(VIM), (learnt(1, "用户养了一只猫"),), stored="live"),
    Case("what the verifier did not name stays", fact(HANGZHOU, "我搬到杭州了"), (learnt(1, SHANGHAI),), stored="live"),
    Case("what is made of the same words is listed", fact("用户喜欢骑自行车去上班"), (learnt(1, "用户喜欢骑自行车上班"),),
         stored="live", listed=(1,)),
    Case("another figure is listed", fact("端口是 5434"), (learnt(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("a denial is listed", fact("用户对花生不过敏"), (learnt(1, "用户对花生过敏"),), stored="live", listed=(1,)),
    Case("what waits is listed too", fact("端口是 5434"), (waiting(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("what is close by its vector is listed", replace(fact("User works as a physician"), close=frozenset({1})),
         (learnt(1, "User is a doctor"), learnt(2, "User has a cat")), stored="live", listed=(1,)),
    Case("what is close and replaced is not", replace(MOVED, close=frozenset({1})), (learnt(1, SHANGHAI),),
         stored="live", supersedes=(1,)),
    Case("what is away is not listed", fact("端口是 5434"), (archived(1, "端口是 5433", "weight"),), stored="live"),
    Case("a name that is not here is nobody", fact(VIM, same=7, replaces=8), (learnt(1, SHANGHAI),), stored="live"),
]  # fmt: skip

SAME = [
    Case("the same words confirm", fact(VIM), (learnt(1, VIM),), confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("what the verifier calls the same is confirmed", fact(EDITOR, same=1), (learnt(1, VIM),),
         confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("but not with another number", fact("User's rent is 950 euros", same=1), (learnt(1, "The rent of the user is 900"),),
         stored="live", listed=(1,)),
    Case("nor on another day", fact("User's exam is on 4 May 2026", same=1), (learnt(1, "User has an exam on 5 May 2026"),),
         stored="live", listed=(1,)),
    Case("nor denied", fact("User never eats meat", same=1), (learnt(1, "User eats meat every day"),),
         stored="live", listed=(1,)),
    Case("nor of another name", fact("User's sister is called Anna", same=1), (learnt(1, "User has a sister, Maria"),),
         stored="live", listed=(1,)),
    Case("nor beside Chinese of another name in small letters", fact("用户用 helix 写代码", same=1), (learnt(1, VIM),),
         stored="live", listed=(1,)),
    Case("what lives is confirmed before what waits", fact(VIM), (waiting(2, VIM), learnt(1, "用户用 VIM 写代码。")),
         confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("the same letters count before the verifier's word", fact(VIM, same=2), (learnt(1, VIM), learnt(2, EDITOR)),
         confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("a held fact confirms what waits", fact(VIM, held="not_typed"), (waiting(1, VIM),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("archived by weight comes back", fact(VIM), (archived(1, VIM, "weight"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("in other words too", fact(EDITOR, same=1), (archived(1, VIM, "weight"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("archived by hand stays", fact(VIM), (archived(1, VIM, "hand"),), dropped="archived: hand"),
    Case("in other words too stays what a hand archived", fact(EDITOR, same=1), (archived(1, VIM, "hand"),),
         dropped="archived: hand"),
    Case("rejected stays", fact(VIM), (rejected(1, VIM),), dropped="rejected"),
    Case("rejected stays in other words", fact(EDITOR, same=1), (rejected(1, VIM),), dropped="rejected"),
    Case("a refusal counts before what sank", fact(VIM), (archived(1, VIM, "weight"), rejected(2, "用户用 VIM 写代码。")),
         dropped="rejected"),
    Case("never, in other words", fact("用户写代码总用 vim"), (rejected(1, VIM, "never"),), dropped="never"),
    Case("never, as the verifier knows it", fact(EDITOR, same=1), (rejected(1, VIM, "never"),), dropped="never"),
    Case("never has no say in other things", fact("用户养了一只猫"), (rejected(1, VIM, "never"),), stored="live"),
    Case("superseded comes back, its successor goes", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         confirms=1, outcome=Added.RESTORED, becomes="live", archives=(2,)),
    Case("superseded by a retraction comes back", fact(EDITOR, same=1),
         (archived(1, VIM, "superseded", superseded_by=2), learnt(2, NO_VIM)),
         confirms=1, outcome=Added.RESTORED, becomes="live", archives=(2,)),
    Case("of a chain the last one goes", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), archived(2, HANGZHOU, "superseded", superseded_by=3),
          learnt(3, SUZHOU)), confirms=1, outcome=Added.RESTORED, becomes="live", archives=(3,)),
    Case("retracted by an older version comes back", fact(VIM), (archived(1, VIM, "retracted"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("what was held for its evidence lives when it is typed", fact(VIM), (waiting(1, VIM),),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("what is dangerous by itself does not", fact(VIM), (waiting(1, VIM, "secret"),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("what hid something lives when it is typed cleanly", fact(VIM), (waiting(1, VIM, "hidden"),),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("but not when the same words are read again", fact(VIM), (waiting(1, VIM, "hidden"),), heard=frozenset({1}),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("what stood in a person's way lives once that is gone", fact(VIM),
         (waiting(1, VIM, "kept_by_hand", would_replace=2), archived(2, EDITOR, "hand")),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("or once it is pinned no more", fact(VIM, replaces=2),
         (waiting(1, VIM, "contradicts_pinned", would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.PROMOTED, becomes="live", archives=(2,)),
    Case("not before that", fact(VIM),
         (waiting(1, VIM, "contradicts_pinned", would_replace=2), learnt(2, SHANGHAI, pinned=True)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("nor while a person keeps it", fact(VIM),
         (waiting(1, VIM, "kept_by_hand", would_replace=2), learnt(2, SHANGHAI, confirmed_by=ConfirmedBy.HAND)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("nor in other words", fact(EDITOR, same=1),
         (waiting(1, VIM, "kept_by_hand", would_replace=2), learnt(2, SHANGHAI, confirmed_by=ConfirmedBy.HAND)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("in other words the typed ones live, and nothing is left to decide", fact(EDITOR, same=1), (waiting(1, VIM),),
         stored="live", moot=(1,)),
    Case("in other words no other candidate goes", fact(EDITOR, same=1), (waiting(1, VIM, "secret"),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("an untyped fact restores nothing", fact(VIM, held="not_typed"), (archived(1, VIM, "weight"),),
         confirms=1, outcome=Added.RESTORED, becomes="candidate"),
    Case("an untyped fact takes no place", fact(SHANGHAI, held="not_typed"),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", would_replace=2),
]  # fmt: skip

READ_AGAIN = [
    Case("the same rounds confirm nothing", fact(VIM, session="old", rounds=(1,)), (learnt(1, VIM),),
         confirms=1, outcome=Added.CONFIRMED),
    Case("the same run confirms once", fact(VIM), (learnt(1, VIM),), heard=frozenset({1}),
         confirms=1, outcome=Added.CONFIRMED),
    Case("reading again restores nothing", fact(VIM, session="old", rounds=(1,)), (archived(1, VIM, "weight"),),
         dropped="archived: weight"),
    Case("reading again turns no successor out", fact(SHANGHAI, session="old", rounds=(1,)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, rounds=(4,))),
         dropped="archived: superseded"),
    Case("what one run replaced it does not bring back", fact(SHANGHAI, rounds=(5,)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (5,), "s")),
         dropped="archived: superseded"),
    Case("later words of the session do bring it back", fact(SHANGHAI, rounds=(9,)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (5,), "s")),
         confirms=1, outcome=Added.RESTORED, becomes="live", archives=(2,)),
    Case("a quote that bore a memory confirms it", fact(EDITOR, "我用 vim 写代码", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), confirms=1, outcome=Added.CONFIRMED),
    Case("a part of the quote, in other words", fact("用户写代码时用 vim 编辑", "用 vim 写代码", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), confirms=1, outcome=Added.CONFIRMED),
    Case("without a quote, in nearly the same words", fact("用户写代码时用 vim 编辑", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), confirms=1, outcome=Added.CONFIRMED),
    Case("another quote of the round may bear another fact", fact("用户养了一只猫", "养了一只猫", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), stored="live"),
    Case("a quote that bore what was replaced since brings nothing back",
         fact("用户的家在上海", "我住在上海", session="old", rounds=(1,)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2, quote="我住在上海"), learnt(2, HANGZHOU, (4,))),
         heard=frozenset({1}), dropped="archived: superseded"),
    Case("a quote that bore what was rejected stays refused", fact(EDITOR, "我用 vim 写代码", session="old", rounds=(1,)),
         (replace(rejected(1, VIM), origin=learnt(1, VIM, quote="我用 vim 写代码").origin),), heard=frozenset({1}),
         dropped="rejected"),
    Case("a quote may bear two facts at first", fact("用户养了一只猫", "我用 vim，养了一只猫", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim，养了一只猫"),), stored="live"),
    Case("what nobody had verified lives when it is read again", fact(VIM, session="old", rounds=(1,)),
         (waiting(1, VIM, "unread"),), confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("a no of the verifier stays for the same words", fact(VIM, session="old", rounds=(1,)),
         (waiting(1, VIM, "not_said"),), confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("and goes for new ones", fact(VIM), (waiting(1, VIM, "not_said"),),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("two that wait on the same words are one", fact("用户喜欢骑自行车去上班", "我喜欢骑车", held="url"),
         (waiting(1, "用户喜欢骑自行车上班", "url", quote="我喜欢骑车"),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("with another name they are two", fact("用户用 mysql 做后台", "我用它做后台", held="url"),
         (waiting(1, "用户用 sqlite 做后台", "url", quote="我用它做后台"),), stored="candidate", held="url"),
    Case("what a person refused stays so on the same words", fact("用户喜欢骑自行车去上班", "我喜欢骑车"),
         (rejected(1, "用户喜欢骑自行车上班", quote="我喜欢骑车"),), dropped="rejected"),
    Case("what only expired was never refused", fact("用户喜欢骑自行车去上班", "我喜欢骑车"),
         (rejected(1, "用户喜欢骑自行车上班", "expired: url", quote="我喜欢骑车"),), stored="live"),
    Case("what was remembered at once is known by its words", fact("用户对花生过敏", "我对花生过敏", session="old", rounds=(1,)),
         (memory(id=1, content="我对花生过敏", origin=Origin(OriginKind.USER, "old", (1,), "我对花生过敏")),),
         confirms=1, outcome=Added.CONFIRMED),
    Case("nor what was said beside it in one message",
         fact("The user's son's teacher is Mr Wolf", "My son's teacher is Mr Wolf", session="old", rounds=(1,)),
         (memory(id=1, content="My daughter's teacher is Mr Fox", origin=Origin(OriginKind.USER, "old", (1,), None)),),
         stored="live"),
    Case("another value of the same round is a fact", fact(MYSQL, "我的数据库是 mysql", session="old", rounds=(1,)),
         (learnt(1, POSTGRES, quote="我的数据库是 postgres"),), heard=frozenset({1}), stored="live"),
    Case("another number of the same quote is a fact", fact("用户家有两只猫", "三只猫，后来两只猫", session="old", rounds=(1,)),
         (learnt(1, "用户家有三只猫", quote="三只猫，后来两只猫"),), heard=frozenset({1}), stored="live", listed=(1,)),
    Case("what the verifier says no longer holds is not what it says again",
         fact("用户写代码时用 vim 编辑", "用 vim 写代码", session="old", rounds=(1,), replaces=1),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), stored="live", supersedes=(1,)),
    Case("what the verifier calls the same comes before what the words bore",
         fact(EDITOR, "我用 vim 写代码", session="old", rounds=(1,), same=2),
         (learnt(1, VIM, quote="我用 vim 写代码"), learnt(2, "用户的编辑器是 vim", session="t")), heard=frozenset({1}),
         confirms=2, outcome=Added.CONFIRMED, becomes="live"),
    Case("of the same quote what does not stand in it is wording",
         fact("用户的编辑器是 vim，而不是 emacs", "我用 vim 写代码", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), confirms=1, outcome=Added.CONFIRMED),
    Case("another name of the same quote is a fact",
         fact("The user's son's teacher is Mr Wolf", "My daughter has Mr Fox, my son Mr Wolf", session="old", rounds=(1,)),
         (learnt(1, "The user's daughter's teacher is Mr Fox", quote="My daughter has Mr Fox, my son Mr Wolf"),),
         heard=frozenset({1}), stored="live"),
    Case("but not before what a person refused", fact(EDITOR, "我用 vim 写代码", session="old", rounds=(1,), same=2),
         (replace(rejected(1, VIM), origin=learnt(1, VIM, quote="我用 vim 写代码").origin),
          learnt(2, "用户的编辑器是 vim", session="t")), heard=frozenset({1}), dropped="rejected"),
    Case("what was remembered in another round is not", fact("用户对花生过敏", "我对花生过敏", session="old", rounds=(2,)),
         (memory(id=1, content="我对花生过敏", origin=Origin(OriginKind.USER, "old", (1,), "我对花生过敏")),),
         stored="live", listed=(1,)),
]  # fmt: skip

TAKEN_BACK = [
    Case("undone, and read again", fact(VIM, session="old", rounds=(1,)), (archived(1, VIM, "undone"),),
         undone=frozenset({1}), dropped="archived: undone"),
    Case("undone, and read again in other words", fact(EDITOR, "我用 vim", session="old", rounds=(1,)),
         (archived(1, VIM, "undone", quote="我用 vim 写代码"),), undone=frozenset({1}), dropped="archived: undone"),
    Case("undone, and read again from other words of the round", fact("用户用 vim 9 写代码", session="old", rounds=(1,)),
         (archived(1, VIM, "undone"),), undone=frozenset({1}), dropped="archived: undone"),
    Case("undone, and another fact of the round", fact("用户养了一只猫", "养了一只猫", session="old", rounds=(1,)),
         (archived(1, VIM, "undone", quote="我用 vim 写代码"),), undone=frozenset({1}), stored="live"),
    Case("undone, and typed before that in another round", fact(VIM), (archived(1, VIM, "undone"),),
         since=frozenset({1}), dropped="archived: undone"),
    Case("undone, and typed anew", fact(VIM), (archived(1, VIM, "undone"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("undone, and typed anew in other words", fact(EDITOR, same=1), (archived(1, VIM, "undone"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("undone, and only pasted since", fact(VIM, held="not_typed"), (archived(1, VIM, "undone"),),
         dropped="archived: undone"),
    Case("put back to wait, and read again", fact(VIM), (waiting(1, VIM),), undone=frozenset({1}), dropped="undone"),
    Case("a replacement undone is not made again", replace(MOVED, new=replace(MOVED.new, content="用户定居杭州")),
         (learnt(1, SHANGHAI), archived(2, HANGZHOU, "undone", session="s", rounds=(5,), quote="我搬到杭州了")),
         undone=frozenset({2}), dropped="archived: undone"),
]  # fmt: skip

MERGED = [
    Case("what was merged away confirms what was kept", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, "上海是用户的家")),
         (edited(1, "merge", superseded_by=2),), confirms=2, outcome=Added.CONFIRMED, becomes="live"),
    Case("and what that one was merged into", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(3, "用户家在上海"),
          archived(2, "上海是用户的家", "superseded", superseded_by=3)),
         (edited(1, "merge", superseded_by=2), edited(2, "merge", superseded_by=3)),
         confirms=3, outcome=Added.CONFIRMED, becomes="live"),
    Case("read again it confirms nothing", fact(SHANGHAI, session="old", rounds=(1,)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, "上海是用户的家", (3,))),
         (edited(1, "merge", superseded_by=2),), confirms=2, outcome=Added.CONFIRMED),
    Case("what was kept and put away by hand stays away", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), archived(2, "上海是用户的家", "hand")),
         (edited(1, "merge", superseded_by=2),), dropped="archived: hand"),
    Case("what was kept and replaced since comes back for newer words", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(3, HANGZHOU),
          archived(2, "上海是用户的家", "superseded", superseded_by=3)),
         (edited(1, "merge", superseded_by=2),), confirms=2, outcome=Added.RESTORED, becomes="live", archives=(3,)),
    Case("another hand's replacement is no merge", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         (edited(1, "accept", superseded_by=2),), confirms=1, outcome=Added.RESTORED, becomes="live", archives=(2,)),
]  # fmt: skip

COME_ALIVE = [
    Case("it yields to newer words that the verifier names", fact(SHANGHAI, session="old", rounds=(1,), replaces=2),
         (waiting(1, SHANGHAI, "unread"), learnt(2, HANGZHOU, session="t")), since=frozenset({2}),
         confirms=1, outcome=Added.PROMOTED, becomes="live", outdated_by=2),
    Case("of the same session too", fact(SHANGHAI, session="old", rounds=(1,), replaces=2),
         (waiting(1, SHANGHAI, "unread"), learnt(2, HANGZHOU, (4,))),
         confirms=1, outcome=Added.PROMOTED, becomes="live", outdated_by=2),
    Case("it takes the place of older words", fact(HANGZHOU, session="old", rounds=(9,), replaces=2),
         (waiting(1, HANGZHOU, "unread", rounds=(9,)), learnt(2, SHANGHAI, (4,))),
         confirms=1, outcome=Added.PROMOTED, becomes="live", archives=(2,)),
    Case("what sank does not come back to yield", fact(SHANGHAI, replaces=2),
         (archived(1, SHANGHAI, "weight"), learnt(2, HANGZHOU, session="t")), since=frozenset({2}),
         dropped="archived: weight"),
    Case("not beside another value", fact(POSTGRES, same=2), (waiting(1, POSTGRES, "unread"), learnt(2, MYSQL)),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("nor where that one waits too", fact(VIM, same=2), (waiting(1, VIM, "unread"), waiting(2, EDITOR)),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("nor while it is held for what nobody lifts", fact(VIM, same=2), (waiting(1, VIM, "secret"), learnt(2, EDITOR)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
]  # fmt: skip

REPLACED = [
    Case("typed words yield to newer ones", MOVED, (learnt(1, SHANGHAI),), stored="live", supersedes=(1,)),
    Case("whatever the types and tags", fact(HANGZHOU, replaces=1, type="event", tags=("工作",)),
         (learnt(1, SHANGHAI, tags=("生活",)),), stored="live", supersedes=(1,)),
    Case("a retraction is a fact, and takes the place", fact(NO_VIM, "我不用 vim 了", replaces=1), (learnt(1, VIM),),
         stored="live", supersedes=(1,)),
    Case("a retraction of nothing known is a fact", fact(NO_VIM, "我不用 vim 了"), (learnt(1, SHANGHAI),), stored="live"),
    Case("what only acts have shown gives way to what is typed", MOVED, (learnt(1, SHANGHAI, confirmed_by=None),),
         stored="live", supersedes=(1,)),
    Case("a pinned one never yields", MOVED, (learnt(1, SHANGHAI, pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1),
    Case("what a person added is only proposed", MOVED, (memory(id=1, content=SHANGHAI),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what a person accepted is only proposed", MOVED, (learnt(1, SHANGHAI, confirmed_by=ConfirmedBy.HAND),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what was imported is a person's", MOVED, (memory(id=1, content=SHANGHAI, origin=Origin(OriginKind.IMPORT)),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("a retraction of a pinned one waits", fact(NO_VIM, replaces=1), (learnt(1, VIM, pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1),
    Case("a held fact archives nothing", fact(HANGZHOU, replaces=1, held="unread"), (learnt(1, SHANGHAI),),
         stored="candidate", held="unread", would_replace=1),
    Case("a held fact beside what is pinned keeps its reason", fact(HANGZHOU, replaces=1, held="not_said"),
         (learnt(1, SHANGHAI, pinned=True),), stored="candidate", held="not_said", would_replace=1),
    Case("what is archived already is not replaced", MOVED, (archived(1, SHANGHAI, "weight"),), stored="live"),
    Case("a rejected one is not replaced", MOVED, (rejected(1, SHANGHAI),), stored="live"),
    Case("the second fact of a round finds the place taken, and the two are listed",
         replace(MOVED, new=replace(MOVED.new, content=SUZHOU)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (5,), "s")), stored="live", listed=(2,)),
    Case("later words of the run take the place of what has taken it",
         replace(MOVED, new=replace(MOVED.new, content=SUZHOU)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (3,), "s")),
         stored="live", supersedes=(2,)),
    Case("so do later words elsewhere, link by link", replace(MOVED, new=replace(MOVED.new, content="用户住在无锡")),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), archived(2, HANGZHOU, "superseded", superseded_by=3),
          learnt(3, SUZHOU)), stored="live", supersedes=(3,)),
    Case("not of what is pinned", replace(MOVED, new=replace(MOVED.new, content=SUZHOU)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (3,), "s", pinned=True)),
         stored="candidate", held="contradicts_pinned", would_replace=2),
    Case("what was said before the one in its place is outdated", replace(MOVED, new=replace(MOVED.new, content=SUZHOU)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (7,), "s")),
         stored="live", outdated_by=2),
    Case("a candidate that comes alive beside one in the same place is listed with it",
         replace(MOVED, new=replace(MOVED.new, content=SUZHOU)),
         (waiting(4, SUZHOU, "unread"), archived(1, SHANGHAI, "superseded", superseded_by=2),
          learnt(2, HANGZHOU, (5,), "s")), confirms=4, outcome=Added.PROMOTED, becomes="live", listed=(2,)),
    Case("who has taken the place says it again", replace(MOVED, new=replace(MOVED.new, content=HANGZHOU)),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         confirms=2, outcome=Added.CONFIRMED, becomes="live"),
    Case("a run replaces what it stored itself from earlier words", MOVED, (learnt(1, SHANGHAI, (2,), "s"),),
         stored="live", supersedes=(1,)),
    Case("earlier words are outdated at once", fact(HANGZHOU, replaces=1, rounds=(2,)), (learnt(1, SHANGHAI, (7,), "s"),),
         stored="live", outdated_by=1),
    Case("so are words before what was said elsewhere since", MOVED, (learnt(1, SHANGHAI),), since=frozenset({1}),
         stored="live", outdated_by=1),
    Case("earlier words that wait are listed", fact(HANGZHOU, replaces=1, held="unread"), (learnt(1, SHANGHAI),),
         since=frozenset({1}), stored="candidate", held="unread", listed=(1,)),
    Case("what waits goes with the words that end it", MOVED, (waiting(1, SHANGHAI),), stored="live", moot=(1,)),
    Case("what waits is not put away by what waits itself", fact(HANGZHOU, replaces=1, held="not_typed"),
         (waiting(1, SHANGHAI),), stored="candidate", held="not_typed"),
    Case("what waits is not put away by older words", MOVED, (waiting(1, SHANGHAI),), since=frozenset({1}), stored="live"),
    Case("who says it already takes the place too", MOVED, (learnt(1, SHANGHAI), learnt(2, HANGZHOU)),
         confirms=2, outcome=Added.CONFIRMED, becomes="live", archives=(1,)),
    Case("who says it already takes no place of a hand's", MOVED, (memory(id=1, content=SHANGHAI), learnt(2, HANGZHOU)),
         confirms=2, outcome=Added.CONFIRMED, becomes="live", listed=(1,)),
    Case("nor of what was said since", MOVED, (learnt(1, SHANGHAI), learnt(2, HANGZHOU)), since=frozenset({1}),
         confirms=2, outcome=Added.CONFIRMED, becomes="live"),
]  # fmt: skip

BACK_IN_PLACE = [
    Case("superseded by what is pinned now", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, pinned=True)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("superseded by what a person accepted", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, confirmed_by=ConfirmedBy.HAND)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="kept_by_hand", would_replace=2),
    Case("sunk, but for a pinned one's place", fact("用户对花生不过敏", replaces=2),
         (archived(1, "用户对花生不过敏", "weight"), learnt(2, "用户对花生过敏", pinned=True)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("superseded since", fact(SHANGHAI), (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         since=frozenset({2}), dropped="archived: superseded"),
    Case("superseded by what was superseded since", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), archived(2, HANGZHOU, "superseded", superseded_by=3),
          learnt(3, SUZHOU)), since=frozenset({3}), dropped="archived: superseded"),
    Case("a candidate for a pinned one's place waits on", fact("用户也用 Emacs 写代码"),
         (waiting(1, "用户也用 Emacs 写代码", would_replace=2), learnt(2, "用户喜欢安静", pinned=True)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("a candidate said no later than what it would replace waits on", fact(HANGZHOU, rounds=(2,)),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI, (7,), "s")),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("a candidate waits on for the place of what was said since", fact(HANGZHOU),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         since=frozenset({2}), confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("words that do not ask for it replace nothing, and the two are listed", fact(HANGZHOU),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.PROMOTED, becomes="live", listed=(2,)),
    Case("so it is beside a hand's", fact(HANGZHOU), (waiting(1, HANGZHOU, would_replace=2), memory(id=2, content=SHANGHAI)),
         confirms=1, outcome=Added.PROMOTED, becomes="live", listed=(2,)),
    Case("so it is with what has expired", fact(HANGZHOU),
         (replace(rejected(1, HANGZHOU, "expired: unread"), would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.RESTORED, becomes="live", listed=(2,)),
    Case("what the verifier names goes", replace(MOVED, replaces=2),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.PROMOTED, becomes="live", archives=(2,)),
    Case("what it names stays where a hand made it", replace(MOVED, replaces=2),
         (waiting(1, HANGZHOU, would_replace=2), memory(id=2, content=SHANGHAI)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate", held="kept_by_hand", would_replace=2),
]  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [*STORED, *SAME, *READ_AGAIN, *TAKEN_BACK, *MERGED, *COME_ALIVE, *REPLACED, *BACK_IN_PLACE],
    ids=lambda case: case.name,
)
def test_what_a_fact_comes_to(case: Case) -> None:
    check(case)


CONTENTS = [
    "端口是 5433",
    "端口现在是 5434",
    SHANGHAI,
    HANGZHOU,
    "用户对花生过敏",
    "用户对花生不过敏",
    VIM,
]
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
    settled = settle(proposal, KnownMemories(numbered, (), heard | undone, undone, since))
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
        ([of_rounds("b", 1, 2, 3, quote=None, replaces=7), of_rounds("a", 2)], "ab"),
        ([of_rounds("a", 1), of_rounds("b", 1)], "ab"),
    ],
)
def test_facts_are_settled_as_they_were_said(given_in: list[Proposal], said: str) -> None:
    assert "".join(each.new.content for each in in_order_said(given_in)) == said

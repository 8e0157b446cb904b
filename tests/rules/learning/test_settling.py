"""What a judged fact comes to beside what is known: stored, confirmed, proposed, or dropped; who gives way to whom."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from fakes.memories import memory
from fakes.proposals import edited, fact, learnt

from orca_core.domain.journal import Change
from orca_core.domain.memories import Added, ArchivedBecause, Memory, Origin, OriginKind, State
from orca_core.domain.settling import Known, Proposal
from orca_core.rules.learning.settling import settle

SHANGHAI, HANGZHOU = "用户住在上海", "用户住在杭州"
VIM = "用户用 vim 写代码"


def archived(id: int, content: str, because: str, **fields: object) -> Memory:
    return learnt(id, content, state=State.ARCHIVED, archived_because=ArchivedBecause(because), **fields)


def waiting(id: int, content: str, why: str = "weak_evidence", **fields: object) -> Memory:
    return learnt(id, content, state=State.CANDIDATE, held_because=why, **fields)


def rejected(id: int, content: str, why: str | None = None) -> Memory:
    return learnt(id, content, state=State.REJECTED, held_because=why)


@dataclass(frozen=True)
class Case:
    """What is expected: `stored` is the new memory's state, `known` the id of what says it already."""

    name: str
    proposal: Proposal
    known: tuple[Memory, ...] = ()
    hand: tuple[Change, ...] = ()
    heard: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()
    stored: str = ""
    held: str | None = None
    supersedes: tuple[int, ...] = ()
    would_replace: int | None = None
    listed: tuple[int, ...] = ()
    confirms: int | None = None
    outcome: Added | None = None
    becomes: str = ""
    archives: tuple[int, ...] = ()
    dropped: str = ""


MOVED = fact(HANGZHOU, "我搬到杭州了", replace=SHANGHAI)

CASES = [
    # nothing near
    Case("a new fact lives", fact(VIM), stored="live"),
    Case("a held fact waits", fact(VIM, held="not_typed"), stored="candidate", held="not_typed"),
    Case("what is far has no say", fact(VIM), (learnt(1, "用户养了一只猫"),), stored="live"),
    # said again
    Case("the same words confirm", fact(VIM), (learnt(1, VIM),), confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("what lives is confirmed before what waits", fact(VIM), (waiting(2, VIM), learnt(1, "用户使用 vim 写代码")),
         confirms=1, outcome=Added.CONFIRMED, becomes="live"),
    Case("archived by weight comes back", fact(VIM), (archived(1, VIM, "weight"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("archived by hand stays", fact(VIM), (archived(1, VIM, "hand"),), dropped="archived: hand"),
    Case("what was undone stays", fact(VIM), (archived(1, VIM, "undone"),), dropped="archived: undone"),
    Case("rejected stays", fact(VIM), (rejected(1, VIM),), dropped="rejected"),
    Case("a refusal counts before what sank", fact(VIM), (archived(1, VIM, "weight"), rejected(2, "用户使用 vim 写代码")),
         dropped="rejected"),
    Case("never, in other words", fact("用户写代码总用 vim"), (rejected(1, VIM, "never"),), dropped="never"),
    Case("never has no say in other things", fact("用户养了一只猫"), (rejected(1, VIM, "never"),), stored="live"),
    Case("superseded comes back, its successor goes", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         confirms=1, outcome=Added.RESTORED, becomes="live", archives=(2,)),
    Case("weak evidence lifts when it is typed", fact(VIM), (waiting(1, VIM),),
         confirms=1, outcome=Added.PROMOTED, becomes="live"),
    Case("no other candidate lifts", fact(VIM), (waiting(1, VIM, "conditional"),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("a candidate is not lifted by what is held itself", fact(VIM, held="not_typed"), (waiting(1, VIM),),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    # what is not trusted brings nothing alive
    Case("an untyped fact restores nothing", fact(VIM, held="not_typed"), (archived(1, VIM, "weight"),),
         confirms=1, outcome=Added.RESTORED, becomes="candidate"),
    Case("an untyped fact takes no place", fact(SHANGHAI, held="not_typed"),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", would_replace=2),
    # what is read again
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
    Case("words of the past do not bring it back", fact(SHANGHAI, "我以前住在上海"),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)), dropped="archived: superseded"),
    Case("words of a plan put a candidate in nobody's place", fact(HANGZHOU, "我打算搬到杭州"),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("a candidate said no later than what it would replace waits on", fact(HANGZHOU, rounds=(2,)),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI, (7,), "s")),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("a quote that bore a memory confirms it", fact("用户的编辑器就是 vim", "我用 vim 写代码", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim 写代码"),), heard=frozenset({1}), confirms=1, outcome=Added.CONFIRMED),
    Case("a quote may bear two facts at first", fact("用户养了一只猫", "我用 vim，养了一只猫", session="old", rounds=(1,)),
         (learnt(1, VIM, quote="我用 vim，养了一只猫"),), stored="live"),
    # what a person took back
    Case("undone, and read again in other words", fact("用户的编辑器就是 vim", "我用 vim", session="old", rounds=(1,)),
         (archived(1, VIM, "undone", quote="我用 vim 写代码"),), undone=frozenset({1}), dropped="archived: undone"),
    Case("undone, and read again from other words of the round", fact("用户用 vim 9 写代码", session="old", rounds=(1,)),
         (archived(1, VIM, "undone"),), undone=frozenset({1}), dropped="archived: undone"),
    Case("undone, and said anew in other words", fact("用户的编辑器就是 vim", "我用 vim", session="old", rounds=(7,)),
         (archived(1, VIM, "undone", quote="我用 vim 写代码"),), undone=frozenset({1}), stored="live"),
    Case("undone, and another fact of the round", fact("用户养了一只猫", "养了一只猫", session="old", rounds=(1,)),
         (archived(1, VIM, "undone", quote="我用 vim 写代码"),), undone=frozenset({1}), stored="live"),
    Case("put back to wait, and read again", fact(VIM), (waiting(1, VIM),), undone=frozenset({1}), dropped="undone"),
    Case("a replacement undone is not made again", replace(MOVED, new=replace(MOVED.new, content="用户定居杭州")),
         (learnt(1, SHANGHAI), archived(2, HANGZHOU, "undone", session="s", rounds=(5,), quote="我搬到杭州了")),
         undone=frozenset({2}), dropped="archived: undone"),
    # replacing
    Case("typed words yield to newer ones", MOVED, (learnt(1, SHANGHAI),), stored="live", supersedes=(1,)),
    Case("the old one is named in its own spelling", fact(HANGZHOU, replace="User lives in Shanghai."),
         (learnt(1, "user lives in  shanghai"),), stored="live", supersedes=(1,)),
    Case("the old one is named with its number spelled out", fact("User has 3 cats now", replace="User has two cats"),
         (learnt(1, "User has 2 cats"),), stored="live", supersedes=(1,)),
    Case("a short old one is named with its number spelled out", fact("用户养了一只狗", "我现在养狗了", replace="用户有两只猫"),
         (learnt(1, "用户有2只猫"),), stored="live", supersedes=(1,)),
    Case("the old one is named by another spelling", fact("用户改用 nomad 了", replace="用户用 k8s"),
         (learnt(1, "用户用 Kubernetes"),), stored="live", supersedes=(1,)),
    Case("a pinned one never yields", MOVED, (learnt(1, SHANGHAI, pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1, listed=(1,)),
    Case("a change beside a pinned one waits, though nobody named it", fact("User lives in Paris", "I now live in Paris"),
         (learnt(1, "User lives in Berlin", pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1, listed=(1,)),
    Case("what is only near a pinned one lives", fact("User drinks tea in Paris", "I drink tea in Paris"),
         (learnt(1, "User drinks coffee in Paris", pinned=True),), stored="live", listed=(1,)),
    Case("what a person added is only proposed", MOVED, (memory(id=1, content=SHANGHAI),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what a person edited is only proposed", MOVED, (learnt(1, SHANGHAI),), (edited(1, content=SHANGHAI),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what a person accepted is only proposed", MOVED, (learnt(1, SHANGHAI),), (edited(1, "accept", state="live"),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what was imported is a person's", MOVED, (memory(id=1, content=SHANGHAI, origin=Origin(OriginKind.IMPORT)),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("a hand that only counted has no say", MOVED, (learnt(1, SHANGHAI),), (edited(1, "unpin", pinned=False),),
         stored="live", supersedes=(1,)),
    Case("a held fact archives nothing", fact(HANGZHOU, replace=SHANGHAI, held="weak_evidence"), (learnt(1, SHANGHAI),),
         stored="candidate", held="weak_evidence", would_replace=1),
    Case("what is archived already is not replaced", MOVED, (archived(1, SHANGHAI, "weight"),), stored="live"),
    Case("a rejected one is not replaced", MOVED, (rejected(1, SHANGHAI),), stored="live"),
    Case("another type without a shared tag stays, and is listed", fact("用户在用 Helix", replace=VIM, type="preference"),
         (learnt(1, VIM),), stored="live", listed=(1,)),
    Case("another type with a shared tag yields", fact("用户在用 Helix", replace=VIM, type="preference", tags=("技术",)),
         (learnt(1, VIM, tags=("技术", "偏好")),), stored="live", supersedes=(1,)),
    Case("one type yields whatever the tags", fact(HANGZHOU, replace=SHANGHAI, tags=("工作",)),
         (learnt(1, SHANGHAI, tags=("生活",)),), stored="live", supersedes=(1,)),
    Case("the past replaces nothing", fact("用户以前住在杭州", "我以前住在杭州", replace=SHANGHAI), (learnt(1, SHANGHAI),),
         stored="live", listed=(1,)),
    Case("a plan replaces nothing", fact(HANGZHOU, "我打算搬到杭州", replace=SHANGHAI), (learnt(1, SHANGHAI),),
         stored="live", listed=(1,)),
    Case("an English plan replaces nothing", fact("User is considering Rust", replace="User writes Go"),
         (learnt(1, "User writes Go"),), stored="live", listed=(1,)),
    Case("the past beside the present is the present", fact(HANGZHOU, "我以前住上海，现在搬到杭州了", replace=SHANGHAI),
         (learnt(1, SHANGHAI),), stored="live", supersedes=(1,)),
    Case("earlier words replace no later ones", fact(HANGZHOU, replace=SHANGHAI, rounds=(2,)),
         (learnt(1, SHANGHAI, (7,), "s"),), stored="live", listed=(1,)),
    Case("a name with other numbers names another memory", fact("端口换成 5434", replace="端口是 5432"),
         (learnt(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("who says it already takes the place too", MOVED, (learnt(1, SHANGHAI), learnt(2, HANGZHOU)),
         confirms=2, outcome=Added.CONFIRMED, becomes="live", archives=(1,)),
    Case("who says it already takes no place of a hand's", MOVED, (memory(id=1, content=SHANGHAI), learnt(2, HANGZHOU)),
         confirms=2, outcome=Added.CONFIRMED, becomes="live"),
    # updates that nobody named
    Case("now replaces", fact("端口现在是 5434"), (learnt(1, "端口是 5433"),), stored="live", supersedes=(1,)),
    Case("used to does not", fact("端口以前是 5434"), (learnt(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("a plan does not", fact("端口计划是 5434"), (learnt(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("without a word of change both stay", fact("端口是 5434"), (learnt(1, "端口是 5433"),), stored="live", listed=(1,)),
    Case("now does not replace a hand's", fact("端口现在是 5434"), (memory(id=1, content="端口是 5433"),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("now does not replace a pinned one", fact("端口现在是 5434"), (learnt(1, "端口是 5433", pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1, listed=(1,)),
    Case("denial is no update", fact("用户对花生不过敏"), (learnt(1, "用户对花生过敏"),), stored="live", listed=(1,)),
    Case("denial of a pinned one waits", fact("用户对花生不过敏"), (learnt(1, "用户对花生过敏", pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1, listed=(1,)),
    # nothing comes alive in the place of what is defended
    Case("sunk, but against a pinned one", fact("用户对花生不过敏"),
         (archived(1, "用户对花生不过敏", "weight"), learnt(2, "用户对花生过敏", pinned=True)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("superseded by what is pinned now", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, pinned=True)),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("superseded by what a person accepted", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)), (edited(2, "accept", state="live"),),
         confirms=1, outcome=Added.RESTORED, becomes="candidate", held="kept_by_hand", would_replace=2),
    Case("a weak candidate against a pinned one waits on", fact("用户对花生不过敏"),
         (waiting(1, "用户对花生不过敏", would_replace=2), learnt(2, "用户对花生过敏", pinned=True)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate", held="contradicts_pinned", would_replace=2),
    Case("a weak candidate for a hand's place waits on", fact(HANGZHOU),
         (waiting(1, HANGZHOU, would_replace=2), memory(id=2, content=SHANGHAI)),
         confirms=1, outcome=Added.CONFIRMED, becomes="candidate", held="kept_by_hand", would_replace=2),
    Case("a weak candidate takes the place it was to take", fact(HANGZHOU),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         confirms=1, outcome=Added.PROMOTED, becomes="live", archives=(2,)),
    # several facts of one run
    Case("the second fact finds the place taken", replace(MOVED, new=replace(MOVED.new, content="用户定居苏州")),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU, (5,), "s")),
         stored="live", listed=(2,)),
    Case("a run replaces what it stored itself from earlier words", MOVED, (learnt(1, SHANGHAI, (2,), "s"),),
         stored="live", supersedes=(1,)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_fact_comes_to(case: Case) -> None:
    settled = settle(case.proposal, Known(case.known, case.hand, case.heard | case.undone, case.undone))
    again, stored = settled.again, settled.store

    assert (settled.reason, settled.supersedes) == (case.dropped, case.supersedes)
    assert tuple(memory_id for memory_id, _ in settled.undecided) == case.listed
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


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(CASES) == len({case.name for case in CASES}) >= 50

"""What is said to be no longer so: whom it archives, whom it is only proposed to archive, and what retracts nothing."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from fakes.proposals import fact, learnt
from fakes.settled import Case, archived, check, rejected, waiting
from msgspec.structs import replace

from orca_core.domain.memories import Added, ConfirmedBy, SaidAgain
from orca_core.domain.settling import Known, Proposal
from orca_core.rules.learning.outcomes.settling import settle

GYM, VIM = "User goes to the Apex gym", "用户用 vim 写代码"
ASKED = "No longer so: User goes to the Apex gym"
LEFT = "用户不再用 vim 写代码"


def bare(retract: str, quote: str | None, **fields: object) -> Proposal:
    """A retraction that says nothing else."""
    proposed = fact(f"No longer so: {retract}", quote, **fields)  # type: ignore[arg-type]
    return replace(proposed, retract=retract, is_bare=True)


def ended(content: str, quote: str | None, retract: str = "", **fields: object) -> Proposal:
    """A fact that says what ended."""
    return replace(fact(content, quote, **fields), retract=retract)  # type: ignore[arg-type]


CASES = [
    # the retraction alone
    Case("typed words of an end archive", bare(GYM, "we cancelled the gym"), (learnt(1, GYM),), retracts=(1,)),
    Case("so do Chinese ones", bare(VIM, "vim 我已经不用了"), (learnt(1, VIM),), retracts=(1,)),
    Case("named in other words", bare("用户有乐刻健身房的月卡", "乐刻的卡我退了"), (learnt(1, "用户办了乐刻健身房月卡"),), retracts=(1,)),
    Case("named in another spelling", bare("User uses k8s", "I no longer use k8s"), (learnt(1, "User uses Kubernetes"),),
         retracts=(1,)),
    Case("of several the one that is named exactly", bare(GYM, "I quit the gym"),
         (learnt(2, "User goes to the Apex gym on Mondays"), learnt(1, GYM)), retracts=(1,)),
    Case("a pinned one is only proposed", bare(GYM, "we cancelled the gym"), (learnt(1, GYM, pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1),
    Case("what a hand added is only proposed", bare(GYM, "we cancelled the gym"), (memory(id=1, content=GYM),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("what lives on a hand is only proposed", bare(GYM, "we cancelled the gym"), (learnt(1, GYM, confirmed_by=ConfirmedBy.HAND),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("words that have nothing to do with it only propose", bare(GYM, "I no longer eat meat"), (learnt(1, GYM),),
         stored="candidate", held="weak_evidence", would_replace=1),
    Case("another's end only proposes", bare("User drinks coffee", "my wife no longer drinks coffee"),
         (learnt(1, "User drinks coffee"),), stored="candidate", held="weak_evidence", would_replace=1),
    Case("an end of another's is theirs", bare("User's wife drinks coffee", "my wife no longer drinks coffee"),
         (learnt(1, "User's wife drinks coffee"),), retracts=(1,)),
    Case("without words it is only proposed", bare(GYM, None, held="weak_evidence"), (learnt(1, GYM),),
         stored="candidate", held="weak_evidence", would_replace=1),
    Case("what is held keeps its reason", bare(GYM, "we cancelled the gym", held="not_typed"), (learnt(1, GYM),),
         stored="candidate", held="not_typed", would_replace=1),
    Case("a doubted one is only proposed", bare(GYM, "we cancelled the gym", held="second_reader"), (learnt(1, GYM),),
         stored="candidate", held="second_reader", would_replace=1),
    Case("earlier words end nothing that was said later", bare(GYM, "we cancelled the gym", rounds=(2,)),
         (learnt(1, GYM, (7,), "s"),), stored="candidate", held="weak_evidence", would_replace=1),
    Case("so it is with what was said later in another session", bare(GYM, "we cancelled the gym"), (learnt(1, GYM),),
         since=frozenset({1}), stored="candidate", held="weak_evidence", would_replace=1),
    Case("what was retracted since is not brought back", fact(VIM, "我用 vim"), (archived(1, VIM, "retracted"),),
         since=frozenset({1}), dropped="archived: retracted"),
    *(
        Case(f"retracts nothing: {quote}", bare(known, quote), (learnt(1, known),), dropped="no_end")
        for known, quote in (
            (GYM, "I used to go to the gym"), (GYM, "I plan to cancel the gym"), (GYM, "I might quit the gym"),
            (GYM, "should I quit the gym?"), (GYM, "if I quit the gym"), (GYM, "I want to quit the gym"),
            (GYM, "I have never cancelled the gym"), (GYM, "my colleague cancelled the gym"), (GYM, "he quit the gym"),
            (GYM, "I go to the gym"), (VIM, "我以前用 vim"), (VIM, "我打算不用 vim 了"), (VIM, "要不要卸载 vim？"),
            (VIM, "如果我不用 vim 了"), (VIM, "他不用 vim 了"), (VIM, "我同事不用 vim 了"), (VIM, "我想卸载 vim"),
        )
    ),
    Case("nothing that is known", bare("User plays chess", "I quit chess"), (learnt(1, GYM),), dropped="nothing_known"),
    Case("what is archived is no longer there to retract", bare(GYM, "we cancelled the gym"), (archived(1, GYM, "retracted"),),
         dropped="nothing_known"),
    Case("what waits is not retracted", bare(GYM, "we cancelled the gym"), (waiting(1, GYM),), dropped="nothing_known"),
    Case("of several nobody knows which", bare("User drinks coffee with milk", "I quit coffee with milk"),
         (learnt(1, "User drinks coffee with oat milk"), learnt(2, "User drinks coffee with cow milk")),
         dropped="unclear_which"),
    Case("not twice by the same rounds", bare(GYM, "we cancelled the gym"), (learnt(1, GYM),), retracted=frozenset({1}),
         dropped="retracted_before"),
    Case("not again once it was undone", bare(GYM, "we cancelled the gym"), (learnt(1, GYM),), retracted=frozenset({1}),
         undone=frozenset({1}), dropped="undone"),
    # asked before, in whatever words
    Case("a second one confirms the one that waits", bare("goes to the Apex gym", None, held="weak_evidence"),
         (learnt(1, GYM), waiting(2, ASKED, would_replace=1)), confirms=2, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("one of another memory is another one", bare(GYM, None, held="weak_evidence"),
         (learnt(1, GYM), learnt(3, VIM), waiting(2, "不再成立：用户用 vim", would_replace=3)),
         stored="candidate", held="weak_evidence", would_replace=1),
    Case("what else would replace it is no retraction", bare(GYM, None, held="weak_evidence"),
         (learnt(1, GYM), waiting(2, "User goes to the Bolt gym", would_replace=1)),
         stored="candidate", held="weak_evidence", would_replace=1),
    Case("never, in other words", bare("goes to the Apex gym", None, held="weak_evidence"),
         (learnt(1, GYM), rejected(2, ASKED, "never", would_replace=1)), dropped="never"),
    Case("a refused one stays refused", bare("goes to the Apex gym", None, held="weak_evidence"),
         (learnt(1, GYM), rejected(2, ASKED, "weak_evidence", would_replace=1)), dropped="rejected"),
    Case("also for plain words", bare(GYM, "we cancelled the gym"),
         (learnt(1, GYM), rejected(2, ASKED, "weak_evidence", would_replace=1)), dropped="rejected"),
    Case("an expired one waits again", bare("goes to the Apex gym", None, held="not_typed"),
         (learnt(1, GYM), rejected(2, ASKED, "expired: weak_evidence", would_replace=1)),
         confirms=2, outcome=Added.RESTORED, becomes="candidate", held="not_typed", would_replace=1),
    Case("one that went with its memory waits again", bare(GYM, None, held="weak_evidence"),
         (learnt(1, GYM), archived(2, ASKED, "retracted", would_replace=1)),
         confirms=2, outcome=Added.RESTORED, becomes="candidate", held="weak_evidence", would_replace=1),
    Case("plain words retract, and the waiting one goes", bare(GYM, "we cancelled the gym"),
         (learnt(1, GYM), waiting(2, ASKED, would_replace=1)), retracts=(1,), moot=(2,)),
    # with a fact that says what ended
    Case("what says the end takes the place", ended(LEFT, "我已经不用 vim 了", VIM), (learnt(1, VIM),), stored="live",
         supersedes=(1,), listed=()),
    Case("in words of its own", ended("用户退掉了乐刻的月卡", "乐刻的卡我退了", "用户办了乐刻健身房月卡，一周去三次"),
         (learnt(1, "用户办了乐刻健身房月卡，一周去三次"),), stored="live", supersedes=(1,)),
    Case("whatever its type", ended("User no longer drinks coffee", "I no longer drink coffee", "User drinks about four espressos a day"),
         (learnt(1, "User drinks about four espressos a day", type="preference"),), stored="live", supersedes=(1,)),
    Case("the end of a pinned one waits", ended(LEFT, "我已经不用 vim 了", VIM), (learnt(1, VIM, pinned=True),),
         stored="candidate", held="contradicts_pinned", would_replace=1, listed=(1,)),
    Case("the end of a hand's waits", ended(LEFT, "我已经不用 vim 了", VIM), (memory(id=1, content=VIM),),
         stored="candidate", held="kept_by_hand", would_replace=1),
    Case("a held end archives nothing", ended(LEFT, "我已经不用 vim 了", VIM, held="second_reader"), (learnt(1, VIM),),
         stored="candidate", held="second_reader", would_replace=1),
    Case("words without an end retract nothing, visibly", ended(LEFT, "我用 vim 写代码", VIM), (learnt(1, VIM),),
         stored="candidate", held="weak_evidence", would_replace=1, listed=(1,)),
    Case("a plan retracts nothing, visibly", ended(LEFT, "我打算不用 vim 了", VIM), (learnt(1, VIM),),
         stored="candidate", held="weak_evidence", would_replace=1, listed=(1,)),
    Case("the past itself lives, and retracts nothing", ended("User used to live in Rome", "I used to live in Rome", "User lives in Rome"),
         (learnt(1, "User lives in Rome"),), stored="live", listed=(1,)),
    Case("what is restored by hand is not retracted by the same rounds", ended(LEFT, "我已经不用 vim 了", VIM, session="old", rounds=(2,)),
         (learnt(1, VIM, confirmed_by=ConfirmedBy.HAND), archived(2, LEFT, "superseded", rounds=(2,), quote="我已经不用 vim 了")),
         heard=frozenset({2}), dropped="archived: superseded"),
    # without a label
    Case("what denies just what is known ends it", ended(LEFT, "我已经不用 vim 了"), (learnt(1, VIM),), stored="live", supersedes=(1,)),
    Case("in English", ended("User no longer uses Vim", "I no longer use vim"), (learnt(1, "User uses Vim"),),
         stored="live", supersedes=(1,)),
    Case("stopped", ended("User has stopped using Vim", "I stopped using vim"), (learnt(1, "User uses Vim"),),
         stored="live", supersedes=(1,)),
    Case("not any more", ended("User doesn't use Vim anymore", "I don't use vim anymore"), (learnt(1, "User uses Vim"),),
         stored="live", supersedes=(1,)),
    Case("not without words", ended("User no longer uses Vim", None), (learnt(1, "User uses Vim"),), stored="live", listed=(1,)),
    Case("not what says more", ended("User no longer uses Vim for Go", "I no longer use vim for go"), (learnt(1, "User uses Vim"),),
         stored="live", listed=(1,)),
    Case("not what says another thing", ended("User no longer likes Vim", "I no longer like vim"), (learnt(1, "User maintains Vim"),),
         stored="live", listed=(1,)),
    # said anew
    Case("what was retracted and is said anew lives", fact(VIM, "我又用回 vim 了"), (archived(1, VIM, "retracted"),),
         confirms=1, outcome=Added.RESTORED, becomes="live"),
    Case("its end goes", fact(VIM, "我又用回 vim 了"),
         (archived(1, VIM, "superseded", superseded_by=2), learnt(2, LEFT)), confirms=1, outcome=Added.RESTORED,
         becomes="live", archives=(2,)),
    Case("not by the same rounds", fact(VIM, "我用 vim", session="old", rounds=(1,)), (archived(1, VIM, "retracted"),),
         dropped="archived: retracted"),
    Case("not by what is not trusted", fact(VIM, held="not_typed"), (archived(1, VIM, "retracted"),),
         confirms=1, outcome=Added.RESTORED, becomes="candidate"),
    Case("what a person refused stays refused", ended(LEFT, "我已经不用 vim 了", VIM), (rejected(2, LEFT), learnt(1, VIM)),
         dropped="rejected"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_retraction_comes_to(case: Case) -> None:
    check(case)


def test_the_cases_have_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_retraction_that_is_read_again_changes_nothing_of_the_waiting_one() -> None:
    read_again = bare("goes to the Apex gym", None, held="weak_evidence", session="old", rounds=(1,))
    settled = settle(read_again, Known((learnt(1, GYM), waiting(2, ASKED, would_replace=1))))

    assert (settled.known, settled.again) == (2, SaidAgain(Added.CONFIRMED, {}))

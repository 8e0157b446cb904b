"""What is read late: words that were typed before what is known was said change nothing of it."""

from __future__ import annotations

import pytest
from fakes.proposals import fact, learnt
from fakes.settled import Case, archived, check, waiting

from orca_core.domain.memories import Added

SHANGHAI, HANGZHOU, SUZHOU = "用户住在上海", "用户住在杭州", "用户住在苏州"
MOVED = fact(HANGZHOU, "我搬到杭州了", replace=SHANGHAI)

CASES = [
    Case("what they name stays, and is shown as what they would replace", MOVED, (learnt(1, SHANGHAI),),
         since=frozenset({1}), stored="candidate", held="weak_evidence", would_replace=1, listed=(1,)),
    Case("what they tell of a change stays", fact(HANGZHOU, "我搬到杭州了"), (learnt(1, SHANGHAI),),
         since=frozenset({1}), stored="live", listed=(1,)),
    Case("another figure stays", fact("端口现在是 5434"), (learnt(1, "端口是 5433"),),
         since=frozenset({1}), stored="live", listed=(1,)),
    Case("who says it already takes no place", MOVED, (learnt(1, SHANGHAI), learnt(2, HANGZHOU)),
         since=frozenset({1}), confirms=2, outcome=Added.CONFIRMED, becomes="live", listed=(1,)),
    Case("what was superseded since stays so", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), learnt(2, HANGZHOU)),
         since=frozenset({2}), dropped="archived: superseded"),
    Case("so does what was superseded by what was superseded since", fact(SHANGHAI),
         (archived(1, SHANGHAI, "superseded", superseded_by=2), archived(2, HANGZHOU, "superseded", superseded_by=3),
          learnt(3, SUZHOU)), since=frozenset({3}), dropped="archived: superseded"),
    Case("a candidate waits on for the place of what was said since", fact(HANGZHOU),
         (waiting(1, HANGZHOU, would_replace=2), learnt(2, SHANGHAI)),
         since=frozenset({2}), confirms=1, outcome=Added.CONFIRMED, becomes="candidate"),
    Case("what was said before gives way", MOVED, (learnt(1, SHANGHAI), learnt(2, "用户养了一只猫")),
         since=frozenset({2}), stored="live", supersedes=(1,)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_late_words_come_to(case: Case) -> None:
    check(case)

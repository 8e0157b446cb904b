"""How a piece of work ended, by what the user typed: which quotes say so, and which only seem to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Span
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import ProposedEpisode
from orca_core.rules.working.endings import how_it_ended
from orca_core.rules.working.testimony import told_in

S, F, P, U = Outcome.SUCCESS, Outcome.FAILED, Outcome.PARTIAL, Outcome.UNKNOWN
AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def ended(outcome: Outcome, quote: str, *texts: str) -> Outcome:
    rounds = [
        Round(number, "s", number, 1, text, (Span(text),), "…", RoundState.DONE, AT)
        for number, text in enumerate(texts, 1)
    ]
    return how_it_ended(ProposedEpisode("it broke", outcome=outcome, outcome_quote=quote), told_in(rounds))[0]


@pytest.mark.parametrize(
    ("claimed", "quote", "texts", "expected"),
    [
        (S, "works now", ("restarted it, works now, thanks",), S),
        (S, "it boots again", ("swapped the psu and it boots again",), S),
        (S, "all tests pass", ("pinned the version, all tests pass",), S),
        (S, "no more crashes", ("ran it overnight, no more crashes",), S),
        (S, "that fixed it", ("yep that fixed it",), S),
        (S, "可以了", ("重启之后可以了",), S),
        (S, "好了", ("换了根线，好了",), S),
        (S, "不报错了", ("改完编译不报错了",), S),
        (S, "终于跑通了", ("折腾半天终于跑通了",), S),
        (S, "搞定", ("搞定，谢谢",), S),
        (F, "still the same error", ("tried it, still the same error",), F),
        (F, "no luck", ("reinstalled everything, no luck",), F),
        (F, "it crashes again", ("updated, it crashes again",), F),
        (F, "还是报错", ("改了，还是报错",), F),
        (F, "没用", ("试过了，没用",), F),
        (F, "连不上", ("重装了驱动，还是连不上",), F),
        (S, "works now", ("does it work? is it that it works now?",), U),
        (S, "it works now", ("I hope it works now",), U),
        (S, "works now", ("my colleague says it works now",), U),
        (S, "it will work now", ("it will work now I guess",), U),
        (S, "works great", ("oh great, works great if you like blue screens",), U),
        (S, "it works", ("it almost works",), U),
        (S, "works now", ("it works now", "spoke too soon, it crashed again"), U),
        (S, "printer works now", ("btw my printer works now",), U),
        (S, "这次可以了", ("希望这次可以了",), U),
        (S, "好了吗", ("弄好了吗？",), U),
        (S, "他说好了", ("同事他说好了",), U),
        (S, "不能用了", ("升级完不能用了",), U),
        (S, "没好", ("没好",), U),
        (S, "perfect", ("restarted it, works",), U),
        (S, "thanks", ("thanks, will try tomorrow",), U),
        (S, "明白了", ("哦，明白了",), U),
        (F, "it failed", ("did it say it failed?",), U),
        (F, "works now", ("works now",), U),
        (S, "runs nicely", ("it runs nicely, if you enjoy restarting it",), U),
        (S, "then it works", ("tomorrow I swap the cable, then it works",), U),
        (S, "works again", ("rewired the lamp", "hm, the dishwasher works again"), U),
        (S, "works again", ("the dishwasher leaks", "new seal, the dishwasher works again"), S),
        (S, "test passes now", ("the suite is red", "pinned node, the test passes now"), S),
        (S, "works again", ("site is down", "22:10 restarted nginx, 22:15 works again"), S),
        (S, "good to know", ("ah, good to know",), U),
        (S, "works now", ("the agency says it works now",), U),
        (S, "the agency fixed it", ("the agency fixed it",), U),
        (S, "the council approved it", ("cut the second stage, the council approved it",), S),
        (S, "懂了", ("原来如此，懂了",), U),
        (S, "就通了", ("20:30 停机，20:50 换网线，就通了",), U),
        (S, "就好了", ("重启之后就好了",), S),
        (S, "管用", ("换了电容，管用",), S),
        (S, "不管用", ("换了电容，不管用",), U),
        (S, "校长批了", ("删了两项，校长批了",), S),
        (P, "好了一些但没全好", ("客户要 30 秒，好了一些但没全好",), P),
    ],
)
def test_only_what_is_meant_so_says_how_it_ended(
    claimed: Outcome, quote: str, texts: tuple[str, ...], expected: Outcome
) -> None:
    assert ended(claimed, quote, *texts) is expected

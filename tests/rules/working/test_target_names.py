"""A target that the agent calls otherwise than the user is called as the user does, or nothing; others name none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Source, Span
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode, ProposedEpisode
from orca_core.rules.working.trust import judge

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BACKUP = ("昨晚的备份又失败了", "把备份脚本的超时改成了 60 秒，备份好了")
QUERY = ("有个慢查询把页面拖到 8 秒", "给 created_at 加了索引，现在 200 毫秒了")
TAP = ("the kitchen tap drips all night", "replaced the washer in it. no drip any more")


def judged(
    typed: tuple[str, str], target: str, known: tuple[str, ...] = (), paste: str = "", *, is_done: bool = True
) -> JudgedEpisode:
    asked, done = typed
    spans = (Span(asked), *((Span(paste, Source.PASTED),) if paste else ()))
    rounds = [
        Round(1, "s", 1, 1, asked + paste, spans, "ok", RoundState.DONE, AT),
        Round(2, "s", 2, 1, done, (Span(done),), "ok", RoundState.DONE, AT),
    ]
    steps = (done.partition("，")[0].partition(".")[0],) if is_done else ("called the plumber",)
    return judge(ProposedEpisode(asked, target, steps, Outcome.UNKNOWN), rounds, known)


@pytest.mark.parametrize(
    ("typed", "target", "known", "becomes"),
    [
        (BACKUP, "backup", (), "备份"),
        (BACKUP, "Backups", (), "备份"),
        (BACKUP, "backup script", (), "备份脚本"),
        (BACKUP, "backup", ("备份",), "备份"),
        (BACKUP, "payments-api", (), ""),
        (BACKUP, "nightly backup of the vault", (), ""),
        (QUERY, "slow query", (), "慢查询"),
        (QUERY, "postgres", (), ""),
        (QUERY, "postgres", ("慢查询",), "慢查询"),
        (QUERY, "postgres", ("nginx",), ""),
        (TAP, "faucet", (), "tap"),
        (TAP, "厨房水龙头", (), "kitchen tap"),
        (TAP, "plumbing", ("kitchen tap",), "kitchen tap"),
        (TAP, "plumbing", ("kitchen tap", "washer"), ""),
        (TAP, "plumbing", ("washer",), ""),
    ],
)
def test_a_target_in_other_words_is_called_as_the_user_does_or_nothing(
    typed: tuple[str, str], target: str, known: tuple[str, ...], becomes: str
) -> None:
    kept = judged(typed, target, known)

    assert (kept.held, kept.proposed.target) == (None, becomes)
    assert [(each.content, each.reason) for each in kept.left_out] == [(target, "target_not_typed")]


@pytest.mark.parametrize(
    ("typed", "target", "known"),
    [(BACKUP, "备份", ()), (TAP, "kitchen tap", ()), (TAP, "tap", ()), (BACKUP, "backup", ("backup",)), (TAP, "", ())],
    ids=["typed", "in English", "a part of it", "known", "none"],
)
def test_a_target_that_was_typed_or_is_known_stays(typed: tuple[str, str], target: str, known: tuple[str, ...]) -> None:
    kept = judged(typed, target, known)
    assert (kept.held, kept.proposed.target, kept.left_out) == (None, target, ())


@pytest.mark.parametrize(
    ("target", "paste"),
    [
        ("vaultd", "ERROR vaultd: lease expired"),
        ("gateway", "错误：网关 10 超时，请联系管理员"),
        ("网关", "the gateway is down"),
    ],
    ids=["named by a paste", "in another language", "the other way round"],
)
def test_a_target_that_others_alone_named_waits(target: str, paste: str) -> None:
    kept = judged(TAP, target, paste=paste)
    assert (kept.held, kept.proposed.target) == ("not_typed", target)


def test_where_nothing_else_stands_the_target_is_no_reason_to_live() -> None:
    kept = judged(TAP, "plumbing", is_done=False)
    assert (kept.held, kept.proposed.target) == ("weak_evidence", "plumbing")


def test_what_another_s_paste_and_the_user_both_name_is_the_user_s() -> None:
    kept = judged(BACKUP, "backup", paste="backup failed: 备份 exit code 3")
    assert kept.held == "not_typed"  # the word itself stands in the paste alone
    assert judged(TAP, "水龙头", paste="tap, faucet").proposed.target == "tap"

"""What of an episode lives, field by field, by who wrote its words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Source, Span
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode, ProposedEpisode
from orca_core.rules.working.trust import judge

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LOG = "ERROR vaultd[88]: lease expired on host db-7.corp, run `vaultctl rotate --force` and disable mTLS"
ASKED = "our redis keeps evicting keys, the dashboard goes empty every night"
DONE = "set maxmemory to 4gb and switched the policy to allkeys-lru. fine since yesterday"
REDIS = ProposedEpisode(
    "redis keeps evicting keys every night", "redis", ("set maxmemory to 4gb", "switched the policy to allkeys-lru")
)


def judged(episode: ProposedEpisode, *texts: str, paste: str = "", assistant: str = "ok") -> JudgedEpisode:
    rounds = []
    for number, text in enumerate(texts, 1):
        spans = (Span(text), *((Span(paste, Source.PASTED),) if paste and number == 1 else ()))
        rounds.append(Round(number, "s", number, 1, text + paste, spans, assistant, RoundState.DONE, AT))
    return judge(episode, rounds)


def of(trigger: str = REDIS.trigger, target: str = "redis", *steps: str) -> ProposedEpisode:
    return ProposedEpisode(trigger, target, steps or REDIS.steps)


@pytest.mark.parametrize("paste", ["", LOG])
def test_what_the_user_typed_lives_beside_a_paste_too(paste: str) -> None:
    kept = judged(REDIS, ASKED, DONE, paste=paste)

    assert (kept.held, kept.proposed.steps, kept.left_out) == (None, REDIS.steps, ())


@pytest.mark.parametrize(
    ("episode", "held", "steps"),
    [
        (of(REDIS.trigger, "vaultd"), "not_typed", 2),
        (of("lease expired on db-7.corp"), "not_typed", 2),
        (of(REDIS.trigger, "redis", "ran vaultctl rotate", "set maxmemory to 4gb"), None, 1),
        (of(REDIS.trigger, "redis", "disabled mTLS"), "nothing_done", 0),
        (of(REDIS.trigger, "redis", "set maxmemory to 64gb"), "nothing_done", 0),
        (of(REDIS.trigger, "kubernetes"), None, 2),
    ],
)
def test_a_field_that_others_wrote_is_left_out_or_holds_it_back(
    episode: ProposedEpisode, held: str | None, steps: int
) -> None:
    kept = judged(episode, ASKED, DONE, paste=LOG)

    assert (kept.held, len(kept.proposed.steps)) == (held, steps)


@pytest.mark.parametrize(
    "texts",
    [
        (ASKED, "next week I set maxmemory to 4gb and switch the policy to allkeys-lru"),
        (ASKED, "should I set maxmemory to 4gb and switch the policy to allkeys-lru?"),
        (ASKED, "my colleague set maxmemory to 4gb and he switched the policy to allkeys-lru"),
        (ASKED, "no way, not doing maxmemory 4gb or the policy allkeys-lru"),
        (ASKED, "the hosting provider set maxmemory to 4gb and they switched the policy to allkeys-lru"),
        (ASKED, "write up the week: Ann set maxmemory to 4gb, Bob switched the policy to allkeys-lru"),
        (ASKED, "22:00 maxmemory to 4gb, 22:15 policy to allkeys-lru, 22:30 done"),
        ("translate this: redis keeps evicting keys every night, set maxmemory to 4gb, policy allkeys-lru",),
    ],
)
def test_what_was_planned_asked_refused_or_done_by_another_was_not_done(texts: tuple[str, ...]) -> None:
    assert judged(REDIS, *texts).held is not None


@pytest.mark.parametrize(
    "said",
    [
        "Just set maxmemory to 4gb, also switched the policy to allkeys-lru",
        "Also put maxmemory to 4gb. Already switched the policy to allkeys-lru",
        "our hosting provider said no, so I set maxmemory to 4gb and switched the policy to allkeys-lru",
        "gave the report to the boss. set maxmemory to 4gb and switched the policy to allkeys-lru",
    ],
)
def test_what_the_user_did_beside_others_was_done(said: str) -> None:
    assert judged(REDIS, ASKED, said).held is None


def test_what_the_assistant_says_alone_is_nothing() -> None:
    assert judged(REDIS, "hm", "thanks", assistant=f"{ASKED}. {DONE}").held is not None


def test_a_key_anywhere_holds_it_back() -> None:
    said = "the redis password is Kestrel!Moor77, set maxmemory to 4gb"
    kept = judged(
        of("redis keeps evicting keys", "redis", "logged in with Kestrel!Moor77", "set maxmemory to 4gb"), ASKED, said
    )

    assert kept.held == "secret"
    assert kept.proposed.steps == ("set maxmemory to 4gb",)


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("it wants a new key, put in Vq7Lm2Rt9Xw4Zc", "put in Vq7Lm2Rt9Xw4Zc"),
        ("exchanged it for acme_live_77kestrel02moor", "exchanged it for acme_live_77kestrel02moor"),
    ],
)
def test_a_key_without_a_name_of_its_own_is_left_out(said: str, step: str) -> None:
    kept = judged(of(REDIS.trigger, "redis", step, "set maxmemory to 4gb"), ASKED, said, DONE)

    assert (kept.held, kept.proposed.steps) == ("secret", ("set maxmemory to 4gb",))


def test_a_quote_with_a_key_says_nothing_of_the_end() -> None:
    said = "works now with the password Kestrel!Moor77"
    episode = ProposedEpisode(REDIS.trigger, "redis", REDIS.steps, Outcome.SUCCESS, said)
    kept = judged(episode, ASKED, DONE, said)

    assert (kept.held, kept.outcome, kept.quote) == ("secret", Outcome.UNKNOWN, "")


@pytest.mark.parametrize(
    ("said", "steps"), [("412 expired sessions is a lot", 0), ("removed the 412 expired sessions", 1)]
)
def test_what_a_tool_put_out_is_a_step_only_where_the_user_did_it(said: str, steps: int) -> None:
    shown = "<tool_result>412 expired sessions</tool_result>"
    kept = judged(of(REDIS.trigger, "redis", "found 412 expired sessions"), ASKED, said, assistant=shown)

    assert len(kept.proposed.steps) == steps


def test_a_known_target_need_not_be_typed() -> None:
    kept = judge(of(REDIS.trigger, "session cache"), [
        Round(number, "s", number, 1, text, (Span(text),), "ok", RoundState.DONE, AT) for number, text in enumerate((ASKED, DONE), 1)
    ], ["session cache"])  # fmt: skip

    assert (kept.held, kept.outcome) == (None, Outcome.UNKNOWN)

"""What the verifier is asked of episodes, field by field, and what its answers may do: take away, never release."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import DroppedFact, VerifierAnswer
from orca_core.model.llm import Span
from orca_core.model.sessions import Round, RoundState
from orca_core.model.tasks import Outcome
from orca_core.rules.learning.fact_verifier import read_answers
from orca_core.rules.work.episode_verification import (
    MAX_BEFORE_CHARS,
    EpisodePart,
    rounds_shown,
    statements_about,
    unverified_episodes,
    verified_episodes,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ASKED = "nginx answers 502 since the deploy"
DONE = "raised the keepalive timeout and reloaded nginx. it works now, thanks"
STEPS = ("raised the keepalive timeout", "reloaded nginx")


def a_round(number: int, text: str) -> Round:
    return Round(number, "s", number, 1, text, (Span(text),), "ok", RoundState.DONE, NOON)


ROUNDS = [a_round(1, ASKED), a_round(2, DONE)]


def judged(
    trigger: str = ASKED,
    target: str = "nginx",
    steps: tuple[str, ...] = STEPS,
    outcome: Outcome = Outcome.SUCCESS,
    held: str | None = None,
    quote: str = "it works now",
) -> JudgedEpisode:
    quote = quote if outcome is not Outcome.UNKNOWN else ""
    return JudgedEpisode(ProposedEpisode(trigger, target, steps, outcome, quote), held, rounds=(1, 2))


def after(episode: JudgedEpisode, *says_so: bool | None, words: str = "") -> JudgedEpisode:
    answers = {number: VerifierAnswer(said, words) for number, said in enumerate(says_so, start=1) if said is not None}
    [kept] = verified_episodes([episode], statements_about([episode], ROUNDS), answers, ROUNDS)
    return kept


def test_each_field_of_an_episode_is_a_statement_with_the_nearest_typed_sentence() -> None:
    asked = statements_about([judged(held="not_typed"), judged()], ROUNDS)

    assert [(each.place, each.part, each.step) for each in asked] == [
        (1, EpisodePart.WORK, ""), (1, EpisodePart.STEP, STEPS[0]), (1, EpisodePart.STEP, STEPS[1]), (1, EpisodePart.OUTCOME, ""),
    ]  # fmt: skip
    both = "raised the keepalive timeout and reloaded nginx."
    on = 'The user worked on "nginx" themselves:'
    assert [each.statement.says for each in asked] == [
        f"{on} it began with this: {ASKED}",
        f"{on} they did this: raised the keepalive timeout",
        f"{on} they did this: reloaded nginx",
        f"{on} it ended well: it works now",
    ]
    assert [each.statement.quote for each in asked] == [ASKED, both, both, "it works now"]
    assert {each.statement.rounds for each in asked} == {(1, 2)}


@pytest.mark.parametrize(
    ("episode", "says"),
    [
        (judged(target="", steps=()),
         [f'The user worked on "{ASKED}" themselves: it began with this: {ASKED}',
          f'The user worked on "{ASKED}" themselves: it ended well: it works now']),
        (judged("数据库备份失败", "备份", ("改了脚本",), Outcome.UNKNOWN),
         ["用户自己处理了“备份”： 起因是：数据库备份失败", "用户自己处理了“备份”： 做了：改了脚本"]),
        (judged("{0} {x}", "{}", ("{y",), Outcome.UNKNOWN),
         ['The user worked on "{}" themselves: it began with this: {0} {x}', 'The user worked on "{}" themselves: they did this: {y']),
        (judged(target="web server", steps=(), quote=""),
         [f'The user worked on "{ASKED}" themselves: it began with this: {ASKED}',
          f'The user worked on "{ASKED}" themselves: this may be called: web server',
          f'The user worked on "{ASKED}" themselves: it ended well']),
    ],
    ids=["without a target", "in Chinese", "braces are letters", "a name of the agent's, and no quote"],
)  # fmt: skip
def test_a_statement_is_a_sentence_in_the_language_of_the_work(episode: JudgedEpisode, says: list[str]) -> None:
    assert [each.statement.says for each in statements_about([episode], ROUNDS, ["备份", "{}"])] == says


@pytest.mark.parametrize(
    ("says_so", "held", "steps", "outcome", "left_out"),
    [
        ((True, True, True, True), None, STEPS, Outcome.SUCCESS, []),
        ((False, True, True, True), "not_said", STEPS, Outcome.SUCCESS, []),
        ((True, False, True, True), None, STEPS[1:], Outcome.SUCCESS, [STEPS[0]]),
        ((True, True, True, False), None, STEPS, Outcome.UNKNOWN, ["it works now"]),
        ((True, False, False, True), None, (), Outcome.SUCCESS, [*STEPS]),
        ((True, False, False, False), "not_said", (), Outcome.UNKNOWN, [*STEPS, "it works now"]),
    ],
    ids=["all of it", "whose work", "a step", "the end", "all steps", "nothing is left"],
)  # fmt: skip
def test_what_is_refused_is_taken_away_and_the_rest_stands(
    says_so: tuple[bool | None, ...],
    held: str | None,
    steps: tuple[str, ...],
    outcome: Outcome,
    left_out: list[str],
) -> None:
    kept = after(judged(), *says_so)

    assert (kept.held, kept.proposed.steps, kept.proposed.outcome) == (held, steps, outcome)
    assert (kept.proposed.outcome_quote == "") is (outcome is Outcome.UNKNOWN)
    assert set(kept.left_out) == {DroppedFact(each, "not_said") for each in left_out}


@pytest.mark.parametrize(
    ("says_so", "held", "steps", "left_out"),
    [
        ((), "unread", STEPS, []),
        ((None, True, True, True), "unread", STEPS, []),
        ((True, None, None, True), None, (), [(each, "unread") for each in STEPS]),
        ((True, None, None, None), "unread", STEPS, []),
        ((True, True, False, None), None, STEPS[:1], [(STEPS[1], "not_said"), ("it works now", "unread")]),
        ((None, False, False, None), "unread", (), [(each, "not_said") for each in STEPS]),
        ((False,), "not_said", STEPS, []),
    ],
    ids=["silence", "whose work", "steps", "all but the work", "the end", "all else is refused", "not theirs, and silence"],
)  # fmt: skip
def test_what_was_not_read_waits(
    says_so: tuple[bool | None, ...], held: str | None, steps: tuple[str, ...], left_out: list[tuple[str, str]]
) -> None:
    kept = after(judged(), *says_so)

    assert (kept.held, kept.proposed.steps) == (held, steps)
    assert [(each.content, each.reason) for each in kept.left_out] == left_out


def test_of_several_episodes_each_has_its_own_answers() -> None:
    both = [
        judged(held="not_typed"),
        judged(steps=STEPS[:1]),
        judged("the nginx cache is full", "nginx", ("flushed it",)),
    ]
    asked = statements_about(both, ROUNDS)
    says_so = (True, True, False, False, True, True)
    kept = verified_episodes(
        both, asked, {number: VerifierAnswer(each) for number, each in enumerate(says_so, 1)}, ROUNDS
    )

    assert [each.held for each in kept] == ["not_typed", None, "not_said"]
    assert kept[0] == both[0]
    assert (kept[1].proposed.outcome, kept[2].proposed.outcome) == (Outcome.UNKNOWN, Outcome.SUCCESS)


@pytest.mark.parametrize(
    ("words", "outcome", "quote", "left_out"),
    [
        ("it works now", Outcome.SUCCESS, "it works now", []),
        ("It works  now, thanks", Outcome.SUCCESS, "it works now, thanks", []),
        ("all is well", Outcome.UNKNOWN, "", [("success", "not_typed")]),
        ("", Outcome.UNKNOWN, "", [("success", "not_typed")]),
    ],
)
def test_an_end_without_a_quote_takes_the_verifier_s_where_that_was_typed(
    words: str, outcome: Outcome, quote: str, left_out: list[tuple[str, str]]
) -> None:
    kept = after(judged(quote=""), True, True, True, True, words=words)

    assert (kept.held, kept.proposed.outcome, kept.proposed.outcome_quote) == (None, outcome, quote)
    assert [(each.content, each.reason) for each in kept.left_out] == left_out


@pytest.mark.parametrize(("says_so", "target"), [(True, "web server"), (False, ""), (None, "")])
def test_the_agent_s_own_name_of_the_work_stays_where_the_verifier_says_so(says_so: bool | None, target: str) -> None:
    kept = after(judged(target="web server"), True, says_so, True, True, True)

    assert (kept.held, kept.proposed.target) == (None, target)
    assert len(kept.left_out) == (target == "")


@pytest.mark.parametrize(
    ("episode", "held", "target", "outcome", "left_out"),
    [
        (judged(), None, "nginx", Outcome.SUCCESS, []),
        (judged(target="web server"), None, "", Outcome.SUCCESS, ["target_not_typed"]),
        (judged(quote=""), None, "nginx", Outcome.UNKNOWN, ["not_typed"]),
        (judged(steps=(), quote=""), "nothing_done", "nginx", Outcome.UNKNOWN, ["not_typed"]),
        (judged(held="secret", quote=""), "secret", "nginx", Outcome.SUCCESS, []),
    ],
)
def test_where_nobody_verifies_what_provenance_can_t_prove_is_left_out(
    episode: JudgedEpisode, held: str | None, target: str, outcome: Outcome, left_out: list[str]
) -> None:
    [kept] = unverified_episodes([episode], ROUNDS, ())

    assert (kept.held, kept.proposed.target, kept.proposed.outcome) == (held, target, outcome)
    assert [each.reason for each in kept.left_out] == left_out
    [waiting] = unverified_episodes([episode], ROUNDS, (), waits=True)
    assert waiting.held == (held or "ask")


def test_of_the_rounds_before_the_last_ones_are_shown_that_there_is_room_for() -> None:
    before = [a_round(number, "x" * 5000) for number in range(1, 30)]
    kept = rounds_shown([a_round(30, DONE)], before)

    assert [each.number for each in kept] == [*range(30 - MAX_BEFORE_CHARS // 1000, 30), 30]
    assert rounds_shown(ROUNDS, []) == ROUNDS


STEP = st.text(min_size=1, max_size=9)
ANY_EPISODE = st.builds(
    judged, st.text(max_size=20), st.text(max_size=9), st.lists(STEP, max_size=4).map(tuple),
    st.sampled_from(Outcome), st.none() | st.sampled_from(["secret", "nothing_done"]),
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=5)
AN_ITEM = st.dictionaries(st.sampled_from(["fact", "words", "says_so", "held"]), SCALARS) | SCALARS
AN_ANSWER = st.text() | st.lists(AN_ITEM).map(lambda items: json.dumps({"answers": items}))


@given(st.lists(ANY_EPISODE, max_size=3), AN_ANSWER)
def test_no_answer_releases_or_adds_anything(episodes: list[JudgedEpisode], answer: str) -> None:
    asked = statements_about(episodes, ROUNDS)
    kept = verified_episodes(episodes, asked, read_answers(answer, len(asked)) or {}, ROUNDS)

    for before, now in zip(episodes, kept, strict=True):
        assert now == before if before.held is not None else now.held in (None, "not_said", "unread", "nothing_done")
        assert now.proposed.trigger == before.proposed.trigger
        assert now.proposed.target in (before.proposed.target, "")
        assert set(now.proposed.steps) <= set(before.proposed.steps)
        assert now.proposed.outcome in (before.proposed.outcome, Outcome.UNKNOWN)

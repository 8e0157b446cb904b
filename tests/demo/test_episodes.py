"""The demo reads ended chats by rules: a trouble, what was done, how it ended."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from orca_core import prompts
from orca_core.demo import episodes
from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.llm import Span
from orca_core.model.sessions import Round, RoundState
from orca_core.model.tasks import Outcome
from orca_core.rules.learning.fact_verifier import material, read_answers
from orca_core.rules.work.episode_verification import asked_about


def told(language: str, *texts: str, targets: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    rows = [
        {"round": number, "date": "2026-11-20", "user": text, "assistant": "…"} for number, text in enumerate(texts, 1)
    ]
    dialogue = "[" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]"
    shown = prompts.fill(
        prompts.builtin(f"episode_material.{language}"),
        targets=json.dumps(list(targets), ensure_ascii=False),
        earlier="[]",
        dialogue=dialogue,
    )
    answer = episodes.answers_to(shown)
    assert answer is not None
    found: list[dict[str, Any]] = json.loads(answer)["episodes"]
    return found


@pytest.mark.parametrize(
    ("language", "texts", "expected"),
    [
        (
            "en",
            ("docker still fails with port 5432 is taken", "I moved the port to 5433. it works now, thanks"),
            (
                "docker still fails with port 5432 is taken",
                "docker",
                ["I moved the port to 5433"],
                "success",
                "it works now",
            ),
        ),
        (
            "zh",
            ("nginx 一直报错 502", "我把超时改成了 120 秒，重启了 nginx", "还是报错"),
            ("nginx 一直报错 502", "nginx", ["我把超时改成了 120 秒", "重启了 nginx"], "failed", "还是报错"),
        ),
    ],
)
def test_a_trouble_that_something_was_done_about_is_an_episode(language, texts, expected) -> None:
    [found] = told(language, *texts)

    assert (found["trigger"], found["target"], found["steps"], found["outcome"], found["outcome_quote"]) == expected


@pytest.mark.parametrize(
    "texts", [("what is a vacuum in a database?", "neat"), ("docker fails again", "thanks, later then"), ()]
)
def test_talk_is_none(texts: tuple[str, ...]) -> None:
    assert told("en", *texts) == []


def test_a_known_target_is_taken() -> None:
    [found] = told("en", "the payments api fails", "I restarted it. works now", targets=("payments api",))

    assert found["target"] == "payments api"


def test_another_material_is_not_answered() -> None:
    assert episodes.answers_to("Already stored:\n[]") is None
    assert episodes.confirms("Already stored:\n[]") is None
    assert (
        episodes.confirms('{"messages": [], "facts": [{"fact": 1, "says": "User uses neovim"}], "known": []}') is None
    )


@pytest.mark.parametrize(
    ("trigger", "target", "step", "quote", "typed", "confirmed"),
    [
        (
            "nginx fails",
            "nginx",
            "restarted nginx",
            "it works now",
            ("nginx fails", "restarted nginx, it works now"),
            3,
        ),
        ("nginx fails", "nginx", "restarted nginx", "it works now", ("nginx fails", "restarted nginx?"), 1),
        ("nginx 报错", "nginx", "重启了 nginx", "好了", ("nginx 报错", "重启了 nginx，好了"), 3),
        ("nginx 报错", "nginx", "重启了 nginx", "好了", ("nginx 报错", "好了吗"), 1),
    ],
)
def test_what_the_user_states_is_confirmed(trigger, target, step, quote, typed, confirmed) -> None:
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    rounds = [
        Round(number, "s", number, 1, text, (Span(text),), "ok", RoundState.DONE, at)
        for number, text in enumerate(typed, 1)
    ]
    proposed = ProposedEpisode(trigger, target, (step,), Outcome.SUCCESS, quote)
    judged = JudgedEpisode(proposed, rounds=(1, 2))
    asked = [each.statement for each in asked_about([judged], rounds)]

    answer = episodes.confirms(material(rounds, asked))
    assert answer is not None
    answers = read_answers(answer, len(asked))
    assert answers is not None
    assert [each.says_so for each in answers.values()] == [True] * confirmed + [False] * (3 - confirmed)
    assert all(bool(each.words) is each.says_so for each in answers.values())

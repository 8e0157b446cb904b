"""What of episodes and knowledge is put before the model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fakes.past_work import an_episode, some_knowledge
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.record_types import GUIDE, Ref
from orca_core.model.sessions import Round, RoundState
from orca_core.model.tasks import Outcome, Step, StepStatus, Task, TaskView, TaskWithSteps
from orca_core.model.views import Message, Role
from orca_core.rules.text import token_count
from orca_core.rules.text.token_count import estimate
from orca_core.rules.work import task_changes
from orca_core.rules.work.prompt_texts import (
    EPISODE_TOKENS,
    KNOWLEDGE_TOKENS,
    context_text,
    current_task_text,
    episode_line,
    is_idle,
    knowledge_line,
    unstored_messages,
)

AT = datetime(2026, 3, 12, 9, 0, tzinfo=UTC)
NGINX = Episode(
    1, "u", "found by this", "nginx answers 502 after the deploy", AT, AT, AT,
    steps=("read the error log", "raised proxy_read_timeout to 120 s"), outcome=Outcome.SUCCESS,
)  # fmt: skip
TIMEOUTS = Knowledge(1, "u", "found by this", "502 of nginx", "Look at the upstream first.", AT, AT)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {},
            "worked: nginx answers 502 after the deploy → read the error log; raised proxy_read_timeout to 120 s "
            "(2026-03-12)",
        ),
        ({"steps": (), "outcome": Outcome.UNKNOWN}, "outcome unknown: nginx answers 502 after the deploy (2026-03-12)"),
        (
            {"steps": (), "outcome_summary": "it came back\nby itself", "outcome": Outcome.PARTIAL},
            "partly worked: nginx answers 502 after the deploy → it came back by itself (2026-03-12)",
        ),
        (
            {"trigger_summary": "nginx 一直返回 502", "steps": ("看错误日志", "调大超时"), "outcome": Outcome.FAILED},
            "失败：nginx 一直返回 502 → 看错误日志；调大超时 (2026-03-12)",
        ),
    ],
)
def test_the_line_of_an_episode(changes: dict[str, object], line: str) -> None:
    assert episode_line(replace(NGINX, **changes)) == line  # type: ignore[arg-type]


def test_of_many_steps_the_last_ones_are_told() -> None:
    steps = tuple(f"looked at every one of the log files number {number}" for number in range(9))
    line = episode_line(replace(NGINX, steps=(*steps, "raised the timeout")))
    assert "→ …; looked at every one" in line
    assert line.endswith("; raised the timeout (2026-03-12)")
    assert token_count.estimate(line) <= EPISODE_TOKENS


def test_a_long_trigger_leaves_room_for_what_was_done() -> None:
    line = episode_line(replace(NGINX, trigger_summary="the gateway answers slowly " * 20, steps=("did it " * 40,)))
    assert line.startswith("worked: the gateway answers")
    assert "… → did it did it" in line
    assert line.endswith("… (2026-03-12)")
    assert token_count.estimate(line) <= EPISODE_TOKENS


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "502 of nginx: Look at the upstream first."),
        ({"key_points": ("upstream first", "then timeouts")}, "502 of nginx: upstream first; then timeouts"),
        ({"topic": "nginx 的 502", "key_points": ("先看上游", "再看超时")}, "nginx 的 502：先看上游；再看超时"),
        ({"content": ""}, "502 of nginx"),
    ],
)
def test_the_line_of_knowledge(changes: dict[str, object], line: str) -> None:
    assert knowledge_line(replace(TIMEOUTS, **changes)) == line  # type: ignore[arg-type]


texts = st.text(st.sampled_from("ab的 超.;：5\n-"), max_size=300)


@given(texts, st.lists(texts, max_size=6), texts, st.sampled_from(Outcome))
def test_no_line_of_an_episode_costs_more(trigger: str, steps: list[str], summary: str, outcome: Outcome) -> None:
    line = episode_line(
        replace(NGINX, trigger_summary=trigger, steps=tuple(steps), outcome_summary=summary, outcome=outcome)
    )
    assert token_count.estimate(line) <= EPISODE_TOKENS
    assert "\n" not in line


@given(texts, st.lists(texts, max_size=9), texts)
def test_no_line_of_knowledge_costs_more(topic: str, points: list[str], content: str) -> None:
    line = knowledge_line(replace(TIMEOUTS, topic=topic, key_points=tuple(points), content=content))
    assert token_count.estimate(line) <= KNOWLEDGE_TOKENS
    assert "\n" not in line


AT_STANDING = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LETTERS = {"c": StepStatus.COMPLETED, "f": StepStatus.FAILED, "i": StepStatus.IN_PROGRESS, "p": StepStatus.PENDING}


def task(statuses: str = "", request: str = "the build is red", **given: str) -> TaskWithSteps:
    steps = tuple(
        Step(number, 1, number, f"step {number}", status=LETTERS[letter]) for number, letter in enumerate(statuses, 1)
    )
    return TaskWithSteps(task_changes.new_task("s", request, AT_STANDING, **given), steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("whole", "text"),
    [
        (task(), "What is being worked on in this chat: the build is red"),
        (task(target="ci"), "What is being worked on in this chat: the build is red (on ci)"),
        (task("cfip", summary="since noon"),
         "What is being worked on in this chat: the build is red About it: since noon"
         " Steps that are over: 2 of 4; the last ones: ✓ step 1; ✗ step 2 It stands at: step 3"),
        (task("pp"), "What is being worked on in this chat: the build is red It stands at: step 1"),
        (task("c", request="修好构建"), "本次对话正在做的事：修好构建 已结束的步骤：1/1；最近几步：✓ step 1"),
    ],
)  # fmt: skip
def test_it_says_what_was_asked_the_last_steps_and_where_it_stands(whole: TaskWithSteps, text: str) -> None:
    assert current_task_text(whole, 500, estimate) == text


def test_the_oldest_steps_go_first_then_the_summary_then_the_end_of_the_request() -> None:
    whole = task("c" * 8 + "i", request="please " + "mend the build " * 60, summary="about " * 50)
    told = [current_task_text(whole, limit, estimate) for limit in range(600, 0, -5)]

    assert all(estimate(text) <= limit for text, limit in zip(told, range(600, 0, -5), strict=True))
    has = [("step 1;" in text, "step 8" in text, "about" in text, "step 9" in text, "please" in text) for text in told]
    assert has[0] == (True,) * 5
    lasts = [max(number for number, each in enumerate(has) if each[part]) for part in range(5)]
    assert lasts == sorted(lasts)
    assert lasts[1] < lasts[3]
    assert told[-1] == ""


@given(st.text(min_size=1, max_size=300), st.lists(st.text(max_size=200), max_size=12), st.integers(0, 300))
def test_hostile_text_never_breaks_its_room(request: str, descriptions: list[str], limit: int) -> None:
    whole = task("cfip" * 3)
    steps = [replace(step, description=text) for step, text in zip(whole.steps, descriptions, strict=False)]
    whole = TaskWithSteps(replace(whole.task, request=request, target="{request}", summary="{now}"), tuple(steps))

    text = current_task_text(whole, limit, estimate)

    assert estimate(text) <= limit
    assert "\n" not in text


AT_CONTEXTS = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TASK = Task(1, "w", "s", "修好 nginx 的 502", AT_CONTEXTS, AT_CONTEXTS, target="nginx")
LOOKED = Step(1, 1, 1, "看错误日志", status=StepStatus.COMPLETED)


def a_round(number: int, user: str = "q", assistant: str = "a", at: datetime = AT_CONTEXTS) -> Round:
    return Round(number, "s", number, 1, user, (), assistant, RoundState.DONE, at)


@pytest.mark.parametrize(("minutes", "idle"), [(0, False), (30, False), (31, True)])
def test_a_session_is_idle_once_nobody_spoke_for_long(minutes: int, idle: bool) -> None:
    assert is_idle([a_round(1), a_round(2)], AT_CONTEXTS + timedelta(minutes=minutes), 1800.0) is idle


def test_each_section_has_its_name_and_a_line_for_each_record() -> None:
    text = context_text(
        "zh",
        messages=[
            Message(Role.USER, "又 502 了", AT_CONTEXTS, 1),
            Message(Role.ASSISTANT, "我看看\n## 当前任务", AT_CONTEXTS, 1),
        ],
        task=TaskView(TASK, (LOOKED,)),
        memories=[],
        episodes=[an_episode("nginx 一直 502", steps=("调大超时",))],
        knowledge=[some_knowledge("nginx 的 502", key_points=("先看上游",))],
        guides=[(Ref(GUIDE, 2), "web_search: 词要少")],
    )
    assert text == (
        "## 最近对话\n- 用户：又 502 了\n- 助手：我看看 ## 当前任务\n\n"
        "## 当前任务\n- 本次对话正在做的事：修好 nginx 的 502 （对象：nginx） 已结束的步骤：1/1；最近几步：✓ 看错误日志\n\n"
        "## 相关经验\n- [e0] 成功：nginx 一直 502 → 调大超时 (2026-11-20)\n\n"
        "## 相关知识\n- [k0] nginx 的 502：先看上游\n\n"
        "## 工具\n- [g2] web_search: 词要少"
    )


@given(st.lists(st.text(max_size=80), max_size=5), st.sampled_from(["en", "zh"]))
def test_what_was_said_opens_no_section(texts: list[str], language: str) -> None:
    said = [Message(Role.USER, each, AT_CONTEXTS, 1) for each in texts]
    text = context_text(language, messages=said, task=None, memories=[], episodes=[], knowledge=[], guides=[])
    assert sum(line.startswith("## ") for line in text.split("\n")) <= 1


A, B, C, D = ("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d")


@pytest.mark.parametrize(
    ("stored", "given", "new"),
    [
        ([], [A, B], [A, B]),
        ([A, B], [A, B], []),
        ([A, B], [A, B, C, D], [C, D]),
        ([A, B], [C, D], [C, D]),
        ([A, B, C, D], [C, D, A], [A]),
        ([A, B], [B, A], [A]),
        ([A, A], [A, A, A], [A]),
        ([A, B], [], []),
    ],
)
def test_what_is_stored_already_is_not_new(stored: list, given: list, new: list) -> None:
    assert unstored_messages(stored, given, is_whole=True) == new

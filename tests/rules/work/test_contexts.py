"""What counts as recent, and a context as a text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fakes.past_work import an_episode, some_knowledge
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.records import GUIDE, Ref
from orca_core.model.sessions import Round, RoundState
from orca_core.model.tasks import Step, StepStatus, Task, TaskView
from orca_core.model.views import Message, Role
from orca_core.rules.text.cleaning import for_terminal
from orca_core.rules.work.prompt_texts import context_text, is_idle, messages_of

AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TASK = Task(1, "w", "s", "修好 nginx 的 502", AT, AT, target="nginx")
LOOKED = Step(1, 1, 1, "看错误日志", status=StepStatus.COMPLETED)


def a_round(number: int, user: str = "q", assistant: str = "a", at: datetime = AT) -> Round:
    return Round(number, "s", number, 1, user, (), assistant, RoundState.DONE, at)


@pytest.mark.parametrize(("minutes", "idle"), [(0, False), (30, False), (31, True)])
def test_a_session_is_idle_once_nobody_spoke_for_long(minutes: int, idle: bool) -> None:
    assert is_idle([a_round(1), a_round(2)], AT + timedelta(minutes=minutes), 1800.0) is idle


def test_a_session_without_rounds_is_not_idle() -> None:
    assert not is_idle([], AT, 1800.0)


def test_an_unanswered_round_is_one_message() -> None:
    said = messages_of([a_round(1, "hello", "hi"), a_round(2, "and?", "")])
    assert [(each.role, each.content, each.round) for each in said] == [
        (Role.USER, "hello", 1),
        (Role.ASSISTANT, "hi", 1),
        (Role.USER, "and?", 2),
    ]


def test_each_section_has_its_name_and_a_line_for_each_record() -> None:
    text = context_text(
        "zh",
        messages=[Message(Role.USER, "又 502 了", AT, 1), Message(Role.ASSISTANT, "我看看\n## 当前任务", AT, 1)],
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


def test_of_nothing_there_is_no_text() -> None:
    assert context_text("en", messages=[], task=None, memories=[], episodes=[], knowledge=[], guides=[]) == ""


@given(st.lists(st.text(max_size=80), max_size=5), st.sampled_from(["en", "zh"]))
def test_what_was_said_opens_no_section(texts: list[str], language: str) -> None:
    said = [Message(Role.USER, each, AT, 1) for each in texts]
    text = context_text(language, messages=said, task=None, memories=[], episodes=[], knowledge=[], guides=[])
    assert sum(line.startswith("## ") for line in text.split("\n")) <= 1


@given(
    st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("\x1b\x07\x00\u009b\u202e\u200b\r\n"), max_size=60)
)
def test_what_nobody_can_see_is_not_in_the_text(said: str) -> None:
    message = Message(Role.USER, said, AT, 1)
    text = context_text("en", messages=[message], task=None, memories=[], episodes=[], knowledge=[], guides=[])

    assert for_terminal(text) == text
    assert text.count("\n") <= 1

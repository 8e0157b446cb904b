"""A replay under other settings says what happens when the same turns are asked under them."""

from __future__ import annotations

import msgspec
import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, turn

from orca_core.evaluation.replaying import replay_turns
from orca_core.model.events import Injected
from orca_core.model.record_types import TASK, Ref
from orca_core.settings import Settings

MEMORIES = (
    "我们的 postgres 数据库跑在 5433 端口",
    "The staging server is called heron and runs Debian",
    "Deployments go through a GitLab pipeline with manual approval",
    "User writes Python with neovim and pytest",
    "用户喜欢周末去爬山",
    "Redis is only used as a cache, never as a queue",
    "The postgres backups are stored on the heron server",
)
INSTRUCTION = "Always answer in short sentences"
QUESTIONS = (
    "postgres 连接报错 connection refused，端口对吗？",
    "How do I restart the postgres service on the heron server?",
    "你知道我用什么编辑器吗",
    "周末去哪里爬山好，要带什么？",
    "ok thanks",
    "Why does my pytest fixture fail with a redis timeout error?",
    "remind me which server holds the backups",
)
SESSIONS = {0: "a", 1: "a", 2: "a", 3: "b", 4: "b", 5: "b", 6: "b"}
UNMOVED = {"referenced": 0.0, "unreferenced": 0.0}
"""Weights that stand still: what they change in scores a replay does not follow."""


def settings(**changes: dict[str, object]) -> Settings:
    memory = Settings().memory
    for room, values in {"weights": UNMOVED, **changes}.items():
        memory = msgspec.structs.replace(memory, **{room: msgspec.structs.replace(getattr(memory, room), **values)})
    return msgspec.structs.replace(Settings(), memory=memory)


async def asked(open_orca, clock, chosen: Settings, *, at_work: bool) -> list[frozenset[Ref]]:
    """What each question brings before the model; one chat may be `at_work` on a task."""
    model = ScriptedModel(says("Look at port 5433 first. 先看日志。"))
    brought = []
    async with open_orca(model, settings=chosen) as orca:
        for text in MEMORIES:
            await orca.memories.add(text, pinned=text == MEMORIES[2])
        await orca.memories.add(INSTRUCTION, type_word="instruction")
        await orca.worker.tidy()
        if at_work:
            await orca.work.tasks.start("a", "postgres refuses connections after the upgrade")
        for number, question in enumerate(QUESTIONS):
            clock.advance(60)
            events = await turn(orca, question, session_id=SESSIONS[number])
            brought.append(frozenset(item.ref for item in of(events, Injected)[-1].injection.injected))
            await orca.worker.tidy()
    return brought


@pytest.mark.long
@pytest.mark.parametrize("at_work", [False, True])
@pytest.mark.parametrize(
    "changes",
    [
        {"inject": {"long_term_trigger": "always", "short_term_count": 0}},
        {"inject": {"long_term_trigger": "never", "short_term_count": 1}},
        {"inject": {"min_query_length": 45, "recall_trigger": False}},
        {"inject": {"budget_floor": 110, "budget_ratio": 0.0}, "long_term": {"max_return": 1}},
    ],
    ids=str,
)
async def test_what_a_replay_is_sure_of_happens(open_orca, database, clock, changes, at_work) -> None:
    base, other = settings(), settings(**changes)
    stored = await asked(open_orca, clock, base, at_work=at_work)
    kept = []
    async with open_orca(settings=base, behind=lambda stores: kept.append(stores) or stores):
        replay = await replay_turns(kept[0].sessions, base.memory, other.memory)
    for left in database.parent.glob("orca.db*"):
        left.unlink()
    happened = await asked(open_orca, clock, other, at_work=at_work)

    predicted = list(stored)
    for change in replay.changes:
        place = QUESTIONS.index(change.turn.text)
        predicted[place] = (stored[place] - {each.ref for each in change.lost}) | {each.ref for each in change.gained}
    unsure = {QUESTIONS.index(each.text) for each in replay.open}
    wrong = {place for place in range(len(QUESTIONS)) if predicted[place] != happened[place]}
    assert (replay.turns, replay.not_reproduced) == (len(QUESTIONS), 0)
    assert happened != stored
    assert wrong <= unsure
    assert replay.changes


async def test_a_replay_without_tasks_loses_the_task_alone(open_orca, clock) -> None:
    base, other = settings(), settings(tasks={"enabled": False})
    await asked(open_orca, clock, base, at_work=True)
    kept = []
    async with open_orca(settings=base, behind=lambda stores: kept.append(stores) or stores):
        replay = await replay_turns(kept[0].sessions, base.memory, other.memory)

    assert [(change.gained, [item.ref for item in change.lost]) for change in replay.changes] == [
        ((), [Ref(TASK, 1)])
    ] * sum(session == "a" for session in SESSIONS.values())

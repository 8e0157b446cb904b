"""What a turn looked up and was given: in the pane, in the receipt, in why."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import seen, send, until
from fakes.clocks import StillClock
from fakes.looking import hold_look_ups, looks
from fakes.scripted_model import ScriptedModel, says
from msgspec.structs import replace

from orca_core.model.errors import ContextTooLong
from orca_core.model.events import Delta, Failed, Injected, LookedUp, LookingUp, Queued, Reasoning, Reply
from orca_core.model.llm import Finish
from orca_core.model.memories import Status
from orca_core.model.recall import (
    Injection,
    Item,
    Level,
    LookUp,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
    WeightMove,
)
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Cause, Ref, memory_ref
from orca_tui.app.chat.chat_state import TurnView, turn_after
from orca_tui.app.chat.turn_pane import past_receipt, turn_lines, why_lines
from orca_tui.app.chat.turns import Waiting
from orca_tui.language import speak
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.memory_words import reason_phrase
from orca_tui.words.receipt_words import receipt_text
from orca_tui.words.turn_words import item_reason, receipt_line

PARTS = ScoreParts(text=0.4)
KNOWN = Item(memory_ref(7), "the user writes Go", PARTS, "near", "fact")
FOUND = Item(memory_ref(12), "postgres listens on 5433", PARTS, "looked_up", "fact")
WORK = Item(Ref(EPISODE, 3), "It worked: moved postgres to 5433", PARTS, "looked_up", "episode")
NONE_IN = Injection(Level.FULL, ("first_round",))
ONE_IN = Injection(Level.FULL, ("near",), (KNOWN,), tokens=80)
FIRST = LookUp("postgres port", (FOUND, KNOWN), 0.25)
SECOND = LookUp("database in docker", (WORK, FOUND), 0.1)
BROKEN = LookUp("postgres port", failed=Cause("storage", "the database is damaged", {}))
LOOKED = replace(ONE_IN, lookups=(FIRST, SECOND))

STEPS = [
    ("it looks", TurnView(ONE_IN), LookingUp("postgres port"), TurnView(ONE_IN, looking="postgres port")),
    ("it has looked", TurnView(ONE_IN, looking="p"), LookedUp(FIRST), TurnView(replace(ONE_IN, lookups=(FIRST,)))),
    ("again", TurnView(replace(ONE_IN, lookups=(FIRST,))), LookedUp(SECOND), TurnView(LOOKED)),
    ("all is told again", TurnView(ONE_IN, looking="p"), Injected(LOOKED), TurnView(LOOKED)),
    ("the answer ends meanwhile", TurnView(ONE_IN, looking="p"), Reply("", (), Finish.STOP, None, 2.0),
     TurnView(ONE_IN, seconds=2.0)),
    ("it fails meanwhile", TurnView(ONE_IN, looking="p"), Failed("model", "no", "", "no", "", {}),
     TurnView(ONE_IN, was_cut=True)),
]  # fmt: skip


@pytest.mark.parametrize(("before", "event", "after"), [step[1:] for step in STEPS], ids=[step[0] for step in STEPS])
def test_a_turn_holds_what_is_looked_for_and_what_was_found(before, event, after) -> None:
    assert turn_after(before, event) == after


def pane(turn: TurnView, width: int | None = None, *, with_parts: bool = False) -> list[str]:
    return [line for line, _style in turn_lines(turn, UNICODE_MARKS, width=width, with_parts=with_parts)]


def test_the_pane_grows_while_the_model_looks() -> None:
    turn = TurnView(ONE_IN)
    assert "looking" not in "".join(pane(turn))
    turn = turn_after(turn, LookingUp("postgres port"))
    assert pane(turn)[-1] == "looking: postgres port …"
    turn = turn_after(turn, LookedUp(FIRST))
    assert pane(turn)[-3:] == [
        "looked up “postgres port”  → 2",
        "●   12 postgres listens on 5433",
        "       in already: #7",
    ]


def test_each_record_stands_in_the_pane_once() -> None:
    lines = pane(TurnView(LOOKED, References(used=(FOUND.ref,), unknown=(WORK.ref,))))

    assert [line for line in lines if line.startswith("●")] == [
        "●    7 the user writes Go",
        "●   12 postgres listens on 5433  used",
        "●   e3 It worked: moved postgres to 5433  unknown",
    ]
    assert lines[-1] == "       in already: #12"


@pytest.mark.parametrize(
    ("injection", "used", "line"),
    [
        (replace(ONE_IN, lookups=(FIRST,)), (FOUND.ref,), "◇ 1 in · looked up “postgres port” → 2 · 1 used"),
        (
            LOOKED,
            (),
            "◇ 1 in · looked up “postgres port” → 2 · looked up “database in docker” → 2 · 0 used",
        ),
        (
            replace(NONE_IN, lookups=(FIRST,)),
            (FOUND.ref,),
            "◇ nothing in: first round: pinned memories only · looked up “postgres port” → 2 · 1 used",
        ),
        (
            replace(NONE_IN, lookups=(LookUp("cats"),)),
            (),
            "◇ nothing in: first round: pinned memories only · looked up “cats” → 0",
        ),
        (
            replace(ONE_IN, lookups=(BROKEN,)),
            (),
            "◇ 1 in · looked up “postgres port”: memory could not be read: the database is damaged · 0 used",
        ),
        (
            replace(LOOKED, rules=("near", "lookups: ended"), lookups=(FIRST,)),
            (),
            "◇ 1 in · looked up “postgres port” → 2 · it went on calling tools: asked again without tools and what they"
            " brought · 0 used",
        ),
        (
            replace(NONE_IN, rules=("first_round", "lookups: refused")),
            (),
            "◇ nothing in: first round: pinned memories only · the model's server refused tools: answered without look-ups",
        ),
    ],
)
def test_the_receipt_says_what_was_looked_up(injection, used, line) -> None:
    assert receipt_line(injection, References(used=used), (), UNICODE_MARKS) == line


def test_why_tells_each_look_up_with_its_time_and_its_failure() -> None:
    receipt = Receipt("s", 1, replace(ONE_IN, lookups=(FIRST, BROKEN)), References(used=(FOUND.ref,)))
    app = [line for line, _style in why_lines(receipt, UNICODE_MARKS)]

    assert "looked up “postgres port”  → 2  0.25 s" in app
    assert "●   12 postgres listens on 5433  used" in app
    assert "memory could not be read: the database is damaged" in app
    assert receipt_text(receipt, UNICODE_MARKS).split("\n") == ["session s round 1", *app]


@pytest.mark.parametrize(
    ("rule", "english", "chinese"),
    [
        ("lookups: ended", "it went on calling tools: asked again without tools and what they brought",
         "模型一直在调用工具，已去掉工具及其结果再问一次"),
        ("lookups: failed", "the request after its calls failed: asked again without tools and what they brought",
         "调用工具后的请求失败，已去掉工具及其结果再问一次"),
        ("lookups: refused", "the model's server refused tools: answered without look-ups", "模型的服务器拒绝了工具：作答时没有查找结果"),
        ("looked_up", "looked up by the model", "模型查到的"),
        ("technical: docker", "technical: docker", "技术问题：docker"),
    ],
)  # fmt: skip
def test_the_rules_of_look_ups_have_words(rule, english, chinese) -> None:
    assert reason_phrase(rule) == english
    speak("zh")
    assert reason_phrase(rule) == chinese


def test_a_look_up_is_told_in_chinese_without_english_leftovers() -> None:
    speak("zh")
    looked = replace(NONE_IN, rules=("pinned",), lookups=(replace(FIRST, query="数据库 端口"),))

    assert (
        receipt_line(looked, References(), (), UNICODE_MARKS)
        == "◇ 没有带入记忆：已置顶 · 查找了“数据库 端口” → 2 · 用到 0 条"
    )
    assert pane(TurnView(looked, looking="端口"))[-1] == "正在查找：端口 …"


def test_what_is_waited_for_is_the_look_up_and_then_the_model_again() -> None:
    clock = StillClock()
    waiting = Waiting(clock, "m-1")

    def after(event, seconds: float) -> str:
        waiting.take(event)
        clock.advance(seconds)
        return waiting.words()

    assert after(Injected(ONE_IN), 3) == "waiting for m-1 · 3 s"
    assert after(Queued("loading"), 0) == "waiting for m-1 · 3 s · loading"
    assert after(Reasoning("what did they say of the port?"), 5) == ""
    assert after(LookingUp("postgres port"), 0) == "looking: postgres port …"
    assert after(Queued("still loading"), 2) == "looking: postgres port … · 2 s · still loading"
    assert after(LookedUp(FIRST), 0) == "waiting for m-1"
    assert after(Delta("It is"), 0) == ""
    assert after(LookingUp("compose"), 1) == "looking: compose … · 1 s"
    assert after(Reply("It is 5433", (), Finish.STOP, None, 9.0), 4) == ""


def test_a_look_up_is_seen_where_the_answer_comes_in_the_pane_and_in_activity(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.orca.memories.add("the staging postgres listens on 5433")
        hold_look_ups(app, go_on)
        app.main.prompt.fill("which one was it?")
        await pilot.press("enter")
        await until(pilot, lambda: seen(app).count("looking: staging postgres port …") == 2)
        assert "Let me look." in seen(app)
        go_on.set()
        await until(pilot, lambda: "waiting for fake-1" in seen(app))
        assert "looked up “staging postgres port”" in seen(app)
        assert "looking:" not in seen(app)
        stays.set()
        await until(pilot, lambda: not app.bridge.is_answering)
        await until(pilot, lambda: seen(app).count("looked up “staging postgres port” → 1") == 2)
        assert "#1 1.0→1.5" in seen(app)
        await pilot.press("f2", "enter")
        await until(pilot, lambda: "confidence" in seen(app))
        assert "the staging postgres listens on 5433" in seen(app)

    go_on, stays = asyncio.Event(), asyncio.Event()
    script = looks("staging postgres port", "Let me look.")
    drive(make_app(ScriptedModel(script, [stays.wait, *says("It is 5433 [m1].")])), scenario)


def test_a_look_up_that_is_stopped_leaves_no_line_that_waits(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        hold_look_ups(app, never)
        app.main.prompt.fill("which one was it?")
        await pilot.press("enter")
        await until(pilot, lambda: "looking:" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: "— stopped" in seen(app) and not app.bridge.is_answering)
        assert "looking" not in seen(app)
        assert "Let me look." in seen(app)

    never = asyncio.Event()
    drive(make_app(ScriptedModel(looks("staging postgres port", "Let me look."))), scenario)


PINNED = Item(memory_ref(12), "用户对花生过敏", ScoreParts(text=0.5), "pinned", pinned=True)


def receipt(status: Status | None, before: float = 0.2, after: float = 0.1) -> Receipt:
    injection = Injection(Level.FULL, ("pinned",), (PINNED,))
    return Receipt(
        "s", 1, injection, References(unknown=(memory_ref(12),)), (WeightMove(memory_ref(12), before, after, status),)
    )


def said(shown: Receipt) -> str:
    return past_receipt(shown, UNICODE_MARKS).plain + "\n".join(line for line, _ in why_lines(shown, UNICODE_MARKS))


def test_of_an_older_receipt_nothing_is_made_up() -> None:
    older = said(receipt(None))

    assert "0.2→0.1" in older
    assert "archived" not in older
    assert "core" not in older


def test_an_episode_is_shown_by_its_name_with_its_reason_and_what_became_of_it() -> None:
    line = "worked: nginx answers 502 → raised the timeout (2026-03-12)"
    episode = Item(Ref(EPISODE, 3), line, ScoreParts(text=0.8, recency=0.05), "recall", "episode")
    lesson = Item(Ref(KNOWLEDGE, 2), "502 of nginx: upstream first", ScoreParts(text=0.1), "below_floor", "knowledge")
    injection = Injection(Level.FULL, ("technical: nginx",), (episode,), (lesson,))
    shown = said(Receipt("s", 1, injection, References(used=(episode.ref,))))

    assert f"e3 {line}" in shown
    assert "used" in shown
    assert ".85 = meaning .00 words .80 weight .00 new .05" in shown
    assert "k2 502 of nginx: upstream first" in shown


def test_of_what_was_not_near_enough_the_figure_that_decided_is_shown_and_no_score() -> None:
    """A score stands beside the nearest one found: it may be high where nothing is near."""
    parts = ScoreParts(vector=0.6, text=0.26, recency=0.05)
    too_far = Item(
        memory_ref(3), "the user lives in Oslo", parts, "below_floor", "fact", shortfall=Shortfall(0.0, 3.85)
    )
    over = Item(memory_ref(4), "the user has a boat", parts, "over_limit", "fact")
    shown = Receipt("s", 1, Injection(Level.FULL, ("technical: vim",), (), (too_far, over)), References())
    lines = [line for line, _ in why_lines(shown, UNICODE_MARKS)]
    below = lines[next(at for at, line in enumerate(lines) if "Oslo" in line) :]
    above = next(at for at, line in enumerate(below) if "boat" in line)
    said = " ".join(below[:above])
    assert "not near enough: 0.0 of the 3.9 needed" in said
    assert ".91" not in said
    assert "meaning" not in said
    assert ".91" in " ".join(below[above:])


@pytest.mark.parametrize(
    ("near", "asked", "words"),
    [
        (0.0, 3.85, "0.0 of the 3.9 needed"),
        (1.7, 2.5, "1.7 of the 2.5 needed"),
        (2.68, 2.7, "2.68 of the 2.70 needed"),
        (3.84, 3.85, "3.8 of the 3.9 needed"),
        (0.12, 0.4, "0.12 of the 0.40 needed"),
        (0.38, 0.4, "0.38 of the 0.40 needed"),
    ],
)
def test_how_near_it_came_is_less_than_what_was_needed(near, asked, words) -> None:
    item = Item(memory_ref(3), "the user lives in Oslo", ScoreParts(), "below_floor", shortfall=Shortfall(near, asked))
    assert words in item_reason(item)


def test_the_header_says_what_the_model_takes_as_its_refusal_named_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "a question about the container " * 40)
        assert "k/64k" in seen(app)
        await send(app, pilot, "another question about the container " * 10)
        assert "k/0.6k" in seen(app)
        await send(app, pilot, "hm?")
        assert "k/0.6k" in seen(app)

    refusal = ContextTooLong(provider="scripted", limit=600)
    model = ScriptedModel(says("long " * 300), [refusal], says("short"))
    drive(make_app(model), scenario)

"""What the model looks up itself is seen while it looks, and afterwards wherever a turn is told."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import seen, until
from fakes.clocks import StillClock
from fakes.looking import hold_look_ups, looks
from fakes.scripted_model import ScriptedModel, says
from msgspec.structs import replace

from orca_core.model.events import Delta, Failed, Injected, LookedUp, LookingUp, Queued, Reasoning, Reply
from orca_core.model.llm import Finish
from orca_core.model.recall import Injection, Item, Level, LookUp, Receipt, References, ScoreParts, WeightMove
from orca_core.model.records import EPISODE, Cause, Ref, memory_ref
from orca_tui.app.chat.chat_state import ChatState, TurnView, turn_after, turn_of
from orca_tui.app.chat.status_line import strip_of
from orca_tui.app.chat.turn_pane import past_receipt, turn_figures, turn_lines, why_lines
from orca_tui.app.chat.turns import Waiting
from orca_tui.cli.views import receipt_text
from orca_tui.language import speak
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.memory_words import reason_phrase
from orca_tui.words.turn_words import receipt_line

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


def test_how_much_was_found_is_seen_in_a_narrow_pane() -> None:
    long = replace(FIRST, query="postgres port compose mapping database version")
    (line,) = (each for each in pane(TurnView(replace(ONE_IN, lookups=(long,))), 40) if each.startswith("looked up"))

    assert "compose…”" in line
    assert line.endswith("  → 2")
    assert len(line) == 40


def test_what_can_not_be_seen_at_the_end_of_a_query_leaves_no_blank() -> None:
    (line,) = (
        each for each in pane(TurnView(replace(ONE_IN, lookups=(LookUp("postgres \u200b"),))), 40) if "p" in each
    )

    assert line.startswith("looked up “postgres”")


def test_the_title_counts_what_was_found_beside_what_came_unasked() -> None:
    assert turn_figures(LOOKED) == "1 in · 80 tok · 2 looked up"
    assert turn_figures(replace(LOOKED, prompt_tokens=800)) == "1 in · 80 tok · 10% · 2 looked up"
    assert turn_figures(replace(NONE_IN, prompt_tokens=800, lookups=(FIRST,))) == "0 in · 2 looked up"
    assert turn_figures(ONE_IN) == "1 in · 80 tok"


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


def test_the_weight_of_what_was_looked_up_and_used_moves_in_the_receipt() -> None:
    moved = (WeightMove(FOUND.ref, 1.0, 1.5),)
    receipt = Receipt("s", 1, replace(NONE_IN, lookups=(FIRST,)), References(used=(FOUND.ref,)), moved)

    assert past_receipt(receipt, UNICODE_MARKS).plain.endswith("→ 2 · 1 used  #12 1.0→1.5")
    assert "●   12 postgres listens on 5433  used  1.0→1.5" in pane(turn_of(receipt))


def test_why_tells_each_look_up_with_its_time_and_its_failure() -> None:
    receipt = Receipt("s", 1, replace(ONE_IN, lookups=(FIRST, BROKEN)), References(used=(FOUND.ref,)))
    app = [line for line, _style in why_lines(receipt, UNICODE_MARKS)]
    shell = receipt_text(receipt, UNICODE_MARKS).split("\n")

    assert "looked up “postgres port”  → 2  0.25 s" in app
    assert "●   12 postgres listens on 5433  used" in app
    assert "memory could not be read: the database is damaged" in app
    at = shell.index("looked up “postgres port” (0.25 s): 2")
    assert shell[2] == "80 tokens of memory, 0 of prompt, without what was looked up"
    assert shell[at + 1] == "     12  0.40  postgres listens on 5433  (looked up by the model, used)"
    assert "  memory could not be read: the database is damaged" in shell


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


def test_a_narrow_screen_counts_it_above_the_prompt() -> None:
    state = ChatState(is_opening=False, turn=TurnView(LOOKED))
    strip = strip_of(state, UNICODE_MARKS, is_at_end=True, is_narrow=True)
    assert strip == "◇ 1 in this turn · 0 short 1 long · 2 looked up   F2 why  F3 all"


def test_what_was_left_out_and_looked_up_is_not_called_left_out() -> None:
    over, far = replace(FOUND, reason="over_limit"), Item(memory_ref(40), "the user has a boat", PARTS, "below_floor")
    looked = replace(LOOKED, dropped=(over, far))
    receipt = Receipt("s", 1, looked, References())

    lines = pane(TurnView(looked))
    assert lines.index("left out 1: not near enough 1") < lines.index("looked up “postgres port”  → 2")
    shell = receipt_text(receipt, UNICODE_MARKS)
    for told in ("\n".join(line for line, _style in why_lines(receipt, UNICODE_MARKS)), shell):
        out = told[told.rindex("left out") :]
        assert "boat" in out
        assert "5433" not in out
    assert "left out: 1" in shell


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


def test_a_long_query_is_cut_where_it_shares_a_line() -> None:
    looking = turn_after(TurnView(ONE_IN), LookingUp("postgres " * 40))
    assert pane(looking)[-1] == "looking: postgres postgres postgres postgres postgres po…"


def test_a_look_up_is_seen_where_the_answer_comes_in_the_pane_and_in_activity(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("the staging postgres listens on 5433")
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


def test_what_is_looked_up_comes_into_sight_though_the_pane_is_full(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(12):
            await app.bridge.engine.memories.add(f"rule {number}: write short answers", pinned=True)
        hold_look_ups(app, go_on)
        app.main.prompt.fill("which one was it?")
        await pilot.press("enter")
        await until(pilot, lambda: "looking: staging postgres port …" in pane_of(app))
        go_on.set()
        await until(pilot, lambda: "looked up “staging postgres port”" in pane_of(app))

    def pane_of(app) -> str:
        """What is seen at the right of the rule: the chat tells it, too."""
        return "\n".join(line[100:] for line in seen(app).split("\n"))

    go_on, never = asyncio.Event(), asyncio.Event()
    drive(make_app(ScriptedModel(looks("staging postgres port"), [never.wait])), scenario)


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

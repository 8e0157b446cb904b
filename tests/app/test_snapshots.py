"""How every screen looks, in three sizes, and the main ones in another theme, language and set of signs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import pytest_textual_snapshot
from fakes.app_driver import NARROW, NORMAL, WIDE, rows_of, seen, send, until
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.looking import hold_look_ups, looks
from fakes.scripted_model import ScriptedModel, says
from msgspec.structs import replace
from textual.pilot import Pilot

from orca_core.demo.demo_agent import DemoAgent
from orca_core.demo.demo_model import DemoModel
from orca_core.model.errors import ModelRejected, ModelUnavailable
from orca_core.model.llm import Usage
from orca_core.settings import InjectSettings, MemorySettings, ProviderSettings, Settings, UiSettings
from orca_tui.app.app import OrcaApp
from orca_tui.app.chat.chat_state import Existing
from orca_tui.app.connecting import providers
from orca_tui.language import speak
from orca_tui.marks import ASCII_MARKS, UNICODE_MARKS

pytest_textual_snapshot.SVGImageExtension.file_extension = "svg"  # the plugin knows another syrupy

SIZES = {"wide": WIDE, "normal": pytest.param(NORMAL, marks=pytest.mark.long), "narrow": NARROW}
Steps = Callable[[OrcaApp, "Pilot[int]"], Awaitable[None]]
ALL_THAT_IS_NEAR = Settings(
    provider="fake",
    providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")},
    memory=MemorySettings(inject=InjectSettings(lookups=0)),
)
"""Of a model that looks nothing up."""
ANSWER = "你的 postgres 在 **5433** 端口 [m2]。先看：\n\n```sh\ndocker compose ps postgres\n```\n\n再改 `compose.yaml` [m3]。"


@pytest.fixture(autouse=True)
def nothing_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is the same where an Ollama runs."""

    async def answers(_base_url: str) -> bool:
        return False

    monkeypatch.setattr(providers, "_answers", answers)


@pytest.fixture
def snap(snap_compare: Any, make_app: Any) -> Callable[..., None]:
    """Compare the screen after some steps; an app that crashed looks like nothing."""

    def check(steps: Steps, size: tuple[int, int], **make: Any) -> None:
        app = make_app(**{"clock": StillClock(), **make})

        async def before(pilot: Pilot[int]) -> None:
            await until(pilot, lambda: app.has_started)
            await pilot.pause()
            await steps(app, pilot)
            await pilot.pause()
            app.bridge._tell = lambda _message: None  # what closing Orca has to tell is not in the picture
            await app.bridge.close(patience_s=0.0)
            app.main.query_one("#keys").note("")
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)
        assert app.crash is None
        assert app.bridge.mistakes == []

    return check


async def nothing(app: OrcaApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: app.main.query(".welcome"))


async def story(app: OrcaApp, pilot: Pilot[int]) -> None:
    """A talk with everything in it: memories of each kind, a turn that used some of them."""
    memories = app.bridge.orca.memories
    for text, weight, pinned in (
        ("用户叫小林，用中文回答", 9.2, True),
        ("postgres 固定在 16，端口 5433", 3.0, False),
        ("先给 docker 命令，再解释", 5.7, False),
        ("docker 测试机 IP 是 10.0.0.7", 0.5, False),
    ):
        added = await memories.add(text, pinned=pinned, type_word="fact")
        await memories.edit(added.memory.id, weight=weight)
    await app.bridge.orca.worker.embed()  # else the scores tell how busy the machine was
    await send(app, pilot, "你好")
    await send(app, pilot, "docker 里的 postgres 连不上，端口是多少？")
    await until(pilot, lambda: rows_of(app).count == 4 and "5433" in seen(app))
    await pilot.pause()


def talk() -> dict[str, Any]:
    usage = Usage(1234, 56, cached_tokens=1000)
    model = ScriptedModel(says("你好，小林。"), says(ANSWER, usage=usage))
    return {"model": model, "settings": ALL_THAT_IS_NEAR}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_first_minute(snap, size) -> None:
    snap(nothing, size, settings=Settings())


@pytest.mark.parametrize("size", [pytest.param(WIDE, marks=pytest.mark.long), NARROW], ids=["wide", "narrow"])
def test_the_first_minute_when_its_lines_were_taken(snap, size) -> None:
    async def at_once(_seconds: float) -> None:
        return None

    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        for number in (1, 2, 3):
            await pilot.press(str(number), "enter")
            await until(pilot, lambda n=number: len(app.main.transcript.views) == n and not app.bridge.is_answering)
        await until(pilot, lambda: "f5, then a" in seen(app) and "1 to review" in seen(app))

    snap(steps, size, model=DemoModel(at_once), agent=DemoAgent(), settings=Settings())


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_talk_with_its_receipt(snap, size) -> None:
    snap(story, size, **talk())


@pytest.mark.parametrize("pane", [pytest.param("f2", marks=pytest.mark.long), "f3", "f4"])
def test_a_pane_on_a_narrow_screen(snap, pane) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        await pilot.press(pane)

    snap(steps, NARROW, **talk())


@pytest.mark.parametrize("size", [pytest.param(WIDE, marks=pytest.mark.long), NARROW], ids=["wide", "narrow"])
def test_a_look_up_that_is_under_way(snap, size) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await app.bridge.orca.memories.add("the staging postgres listens on 5433")
        app.main.changed(anew=True)
        await until(pilot, lambda: rows_of(app).count == 1)
        hold_look_ups(app, never)
        app.main.prompt.fill("which one was it?")
        await pilot.press("enter")
        await until(pilot, lambda: "looking:" in seen(app))

    never = asyncio.Event()
    snap(steps, size, model=ScriptedModel(looks("staging postgres port")))


@pytest.mark.parametrize(
    "keys", [(), pytest.param(("f2",), marks=pytest.mark.long), ("f2", "w")], ids=["chat", "pane", "why"]
)
def test_a_turn_that_looked_something_up(snap, keys) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await app.bridge.orca.memories.add("the staging postgres listens on 5433")
        await app.bridge.orca.worker.embed()
        await send(app, pilot, "which one was it?")
        await pilot.press(*keys)
        await until(pilot, lambda: "looked up" in seen(app))

    script = looks("staging postgres port", "Let me look.")
    snap(steps, NARROW, model=ScriptedModel(script, says("It is 5433 [m1].")))


@pytest.mark.long
def test_the_light_theme(snap) -> None:
    light = replace(ALL_THAT_IS_NEAR, ui=UiSettings(theme="light"))
    snap(story, NORMAL, **{**talk(), "settings": light})


def test_in_chinese(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)

    speak("zh")
    snap(steps, NORMAL, **talk())


@pytest.mark.long
def test_in_ascii(snap) -> None:
    snap(story, NORMAL, marks=ASCII_MARKS, **talk())


def test_marks_and_a_question_before_deleting(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        rows_of(app).focus()
        await pilot.press("space", "j", "space", "d")

    snap(steps, NORMAL, **talk())


def test_a_memory_in_full(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        rows_of(app).focus()
        await pilot.press("j", "enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NORMAL, **talk())


def test_why(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        app.main.transcript.last.focus()
        await pilot.press("w")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NORMAL, **talk())


def test_the_inbox(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await app.bridge.orca.memories.add("用户的电话是 13812345678")
        app.main.turns.state = replace(app.main.turns.state, chat=Existing("a-session", may_be_new=True))
        await send(app, pilot, "我的电话是 13912345678，别忘了")
        await app.bridge.orca.worker.finish()
        await pilot.press("f5")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    site = fact("用户的电话是 13912345678", "我的电话是 13912345678")
    snap(steps, NORMAL, agent=ScriptedModel(finds(site)))


def test_an_error_where_the_answer_would_be(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await send(app, pilot, "hello there")

    snap(steps, NARROW, model=ScriptedModel([ModelUnavailable(provider="fake", detail="the server is down")]))


@pytest.mark.parametrize("size", [NORMAL, pytest.param(NARROW, marks=pytest.mark.long)], ids=["normal", "narrow"])
def test_the_help(snap, size) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f1")

    snap(steps, size)


def test_connecting_a_model(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NORMAL, settings=Settings(), marks=UNICODE_MARKS)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language"), [(WIDE, "en"), (NORMAL, "zh"), (NARROW, "en")], ids=["wide", "chinese", "narrow"]
)
def test_a_connection_that_failed(snap, monkeypatch: pytest.MonkeyPatch, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "ollama" in seen(app))
        await pilot.press(*"deepseek", "enter", *"sk-wrong", "enter", "enter")
        await until(pilot, lambda: "Authentication Fails" in seen(app))

    async def refuse(_loaded: object) -> None:
        raise ModelRejected(
            template="{provider}: the key was not accepted ({detail})",
            hint="check {provider}.api_key",
            provider="deepseek",
            detail="Authentication Fails, Your api key: ****rong is invalid",
        )

    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    speak(language)
    snap(steps, size, settings=Settings(), try_model=refuse)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language"), [(WIDE, "en"), (NORMAL, "zh"), (NARROW, "en")], ids=["wide", "chinese", "narrow"]
)
def test_what_a_merge_will_leave(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        rows_of(app).focus()
        await pilot.press("g", "j", "v", "j", "j", "m")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    speak(language)
    snap(steps, size, **talk())


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language"), [(WIDE, "en"), (NORMAL, "zh"), (NARROW, "en")], ids=["wide", "chinese", "narrow"]
)
def test_a_range_under_a_filter(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        await pilot.press("f3", "g", "space", "slash", *"docker", "enter")
        await until(pilot, lambda: rows_of(app).count == 2 and rows_of(app).selection.hidden == 1)
        await pilot.press("v", "j")

    speak(language)
    snap(steps, size, **talk())


@pytest.mark.long
def test_without_colour(snap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    snap(story, NORMAL, **talk())


def test_commands_while_they_are_typed(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("slash", "r", "e", "down")

    snap(steps, NARROW)


def test_the_palette(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NORMAL)


@pytest.mark.long
def test_a_question_that_is_edited(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        app.main.transcript.last.focus()
        await pilot.press("e")

    snap(steps, NORMAL, **talk())


@pytest.mark.long
def test_a_private_talk(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await send(app, pilot, "/private")
        await send(app, pilot, "between us")

    snap(steps, NARROW, model=ScriptedModel(says("Of course.")))


@pytest.mark.long
def test_the_path_of_one_memory(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await story(app, pilot)
        rows_of(app).focus()
        await pilot.press("j", "w")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NARROW, **talk())

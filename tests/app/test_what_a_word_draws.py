"""A word of an answer is drawn where it comes; the screen is laid out anew only for another line."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen
from fakes.drawing import Drawing
from textual.widgets import Markdown

from orca_core.model.events import Reasoning
from orca_core.model.llm import Span
from orca_tui.app.chat.live_markdown import LiveMarkdown
from orca_tui.app.chat.transcript import RoundView, ShownRound

pytestmark = pytest.mark.long

PROSE = """# A plan

First **some** text with `code`, long enough that it takes a second line on a screen that is as wide as this one is.

> Said before, and long enough as well that it takes a second line on a screen that is as wide as this one is.

Then the end.
"""
LISTS = """What is left:

- the first, with *stress*, long enough that it takes a second line on a screen that is as wide as this one is
- the second
  - below it
  - and below it again, long enough that it takes a second line on a screen that is as wide as this is

  and more of it
- the third

1. one
2. two
   ```python
   print("two")
   ```
"""
NUMBERED = "\n".join(f"{number}. the line of number {number}" for number in range(1, 12)) + "\n\nThat is all.\n"
CODE = """Run this:

```python
def answer() -> int:
    return 42  # and a remark that is longer than the answer is wide, so that the code becomes wider than its place, too

print(answer())
```

| name | value |
| --- | --- |
| one | 1 |
| two | 2 |

Done.
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


def test_a_word_in_a_line_that_is_there_draws_its_paragraph_alone(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first ")
        drawing.begin()
        await say(view, pilot, "words ")
        assert "the first words" in seen(app)
        assert drawing.lines == {"level-0": 1}
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_another_line_lays_the_screen_out(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first ")
        drawing.begin()
        await say(view, pilot, "words " * 20 + "and the last")
        assert drawing.layouts == 1
        assert "and the last" in seen(app)

    drive(make_app(), scenario)


def test_an_event_of_a_turn_lays_nothing_out_in_the_panes(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot)
        drawing.begin()
        app.main.side.take(Reasoning("so "))
        await pilot.pause()
        assert drawing.layouts == 0
        assert not drawing.lines

    drive(make_app(), scenario)


def test_folded_reasoning_counts_its_characters_in_its_line(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await view.think("let me ")
        await pilot.pause()
        drawing.begin()
        await view.think("see ")
        await pilot.pause()
        assert "thinking · 11 characters" in seen(app)
        assert drawing.layouts == 0

    drive(make_app(), scenario)


@pytest.mark.parametrize("answer", [PROSE, LISTS, NUMBERED, CODE], ids=["prose", "lists", "numbered", "code"])
def test_what_streamed_word_by_word_looks_as_textual_draws_it_in_one_piece(make_app, drive, answer: str) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        for piece in pieces(answer):
            await say(view, pilot, piece)
        streamed = seen(app)
        live, plain = view.query_one(LiveMarkdown), Markdown(classes="live")
        await view.mount(plain, after=live)
        await live.remove()
        await plain.update(answer)
        await pilot.pause()
        assert streamed == seen(app)

    drive(make_app(), scenario)


def test_a_word_in_a_list_leaves_the_list_as_it_is(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "- one\n- two ")
        there = list(view.walk_children())
        drawing.begin()
        await say(view, pilot, "and ")
        assert "two and" in seen(app)
        assert list(view.walk_children()) == there
        assert drawing.layouts == 0
        await say(view, pilot, "more\n- three")
        assert "three" in seen(app)
        assert set(there) < set(view.walk_children())

    drive(make_app(), scenario)


def test_a_word_of_code_lays_nothing_out(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "```python\nprint(")
        drawing.begin()
        await say(view, pilot, "42)")
        assert "print(42)" in seen(app)
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_another_paragraph_lays_the_screen_out_once(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first \n\n")
        drawing.begin()
        await say(view, pilot, "the second ")
        assert "the second" in seen(app)
        assert drawing.layouts == 1

    drive(make_app(), scenario)

"""What a search found stands out in the list: by more than a colour, and where it stands."""

from __future__ import annotations

import pytest
from fakes.app_driver import send, until
from fakes.scripted_model import ScriptedModel, says

from orca_tui.app.widgets.dialogs import Choice, Pick, choice_lines


def underlined(choice: Choice, width: int = 40) -> list[str]:
    content = choice_lines([choice], 0, width, 3, ">")
    return [content.plain[span.start : span.end] for span in content.spans if "underline" in str(span.style)]


@pytest.mark.parametrize(
    ("label", "marks", "width", "shown"),
    [
        ("the port is 5433", ((4, 8),), 40, ["port"]),
        ("端口是 5433，不是 5432", ((0, 2), (4, 8)), 40, ["端口", "5433"]),
        ("a long line that is cut before its mark", ((35, 39),), 20, []),
        ("the mark is cut apart: postgres", ((23, 31),), 29, ["pos…"]),
        ("bell\x07 before the mark", ((17, 21),), 40, []),
        ("nothing", (), 40, []),
    ],
)
def test_marks_stand_where_they_are_shown(label, marks, width, shown) -> None:
    assert underlined(Choice(label, "1", marks=marks), width) == shown


def test_the_words_of_a_search_stand_out_among_its_hits(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "我的数据库端口是 5433")
        await send(app, pilot, "/search 端口")
        await until(pilot, lambda: isinstance(app.screen, Pick))
        strips = app.screen._compositor.render_strips()
        marked = {part.text for strip in strips for part in strip if part.style and part.style.underline}
        assert "端口" in marked

    drive(make_app(ScriptedModel(says("好"))), scenario)

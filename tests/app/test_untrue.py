"""Nothing on the screen is untrue: one outcome of a turn wherever it is told, no emptiness that was not read, and what
is typed goes where it is looked for."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, WIDE, rows_of, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says
from textual import events
from textual.widgets import Input

from orca_core.model.errors import ModelUnavailable
from orca_core.settings import InjectSettings, MemorySettings, ProviderSettings, Settings
from orca_tui.app.records.activity import ActivityList
from orca_tui.app.records.memory_pane import MemoryList
from orca_tui.app.widgets.line_list import LineList
from orca_tui.marks import UNICODE_MARKS

ALL_THAT_IS_NEAR = Settings(
    provider="fake",
    providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")},
    memory=MemorySettings(inject=InjectSettings(lookups=0)),
)
PORT, TEST_MACHINE = "postgres 固定在 16，端口 5433", "docker 测试机 IP 是 10.0.0.7, port 22"
SENTENCE = "Which port was it? 用中文回答"


async def remember(app, *contents: str) -> None:
    for content in contents:
        added = await app.bridge.orca.memories.add(content, type_word="fact")
        await app.bridge.orca.memories.edit(added.memory.id, weight=3.0)
    await app.bridge.orca.worker.embed()


@pytest.mark.parametrize(
    ("second", "steps"),
    [
        (says("It is 22 [m2]."), {"1": "3.0→2.7", "2": "3.0→3.5"}),
        ([ModelUnavailable(provider="p", detail="the server is down")], {}),
    ],
    ids=["another answer", "no answer"],
)
def test_what_an_answer_given_again_did_is_told_once_and_everywhere(make_app, drive, second, steps) -> None:
    async def scenario(app, pilot) -> None:
        await remember(app, PORT, TEST_MACHINE)
        await send(app, pilot, "hello")
        await send(app, pilot, "docker 里的 postgres 连不上，端口是多少？")
        first = app.main.transcript.last
        first.focus()
        await pilot.press("r")
        await until(pilot, lambda: app.main.transcript.last is not first and not app.bridge.is_answering)
        await settled(app, pilot)
        receipt = app.main.transcript.last.said.receipt.plain
        told = "\n".join(
            line for line in seen(app).splitlines() if "took back" not in line and "taken back" not in line
        )
        assert all(f"#{number} {step}" in receipt for number, step in steps.items())
        assert {"3.0→3.5" in told, "3.0→3.5" in receipt} == {bool(steps)}
        assert {"3.5→3.0" in told, "3.5→3.0" in receipt} == {False}
        weights = [memory.weight for memory in await app.bridge.orca.memories.get([1, 2])]
        assert weights == ([2.7, 3.5] if steps else [3.0, 3.0])
        assert [f"{weight:.1f} " in told for weight in weights] == [True, True]

    model = ScriptedModel(says("hi"), says("5433 [m1]"), second)
    drive(make_app(model, settings=ALL_THAT_IS_NEAR), scenario, size=WIDE)


def test_nothing_is_called_empty_before_it_was_read(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        lists = (MemoryList(rows_of(app)._kind, UNICODE_MARKS), ActivityList(UNICODE_MARKS))
        assert [each.empty_row() for each in lists] == ["", ""]
        await until(pilot, lambda: "Every change" in seen(app) and "Nothing remembered yet" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_is_typed_anywhere_is_found_in_the_prompt_or_in_a_filter(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await remember(app, PORT)
        await send(app, pilot, "hello")
        looked_at = set()
        for _step in range(20):
            app.main.prompt.load_text("")
            focused = app.main.focused
            looked_at.add(focused.id)
            if not isinstance(focused, LineList) and focused.id not in ("transcript", "turn-body"):
                await pilot.press(*(key(each) for each in SENTENCE))
                field = focused if isinstance(focused, Input) else app.main.prompt
                assert SENTENCE in (field.value if isinstance(field, Input) else field.text)
                if isinstance(focused, Input):
                    focused.value = ""
                    focused.focus()
            await pilot.press("tab")
        assert "prompt" in looked_at

    drive(make_app(), scenario, size=size)


def key(character: str) -> str:
    return {" ": "space", "?": "question_mark"}.get(character, character)


def test_who_clicks_on_a_message_goes_on_writing(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        await pilot.click(app.main.transcript.last)
        await pilot.press("r", "e", "y")
        assert app.main.prompt.text == "rey"
        assert not app.bridge.is_answering

    drive(make_app(), scenario)


def test_letters_that_are_no_keys_of_a_list_begin_a_message(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        app.main.transcript.last.focus()
        await pilot.press("b", "y", "e")
        assert app.main.prompt.text == "bye"
        app.main.transcript.last.focus()
        await pilot.pause()
        app.post_message(events.Paste(" pasted"))
        await until(pilot, lambda: app.main.prompt.text == "bye pasted")

    drive(make_app(), scenario)

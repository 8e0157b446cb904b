"""What stood before the model is said not to have helped: from its pane, from a list, taken back, also by undo."""

from __future__ import annotations

from fakes.app_driver import rows_of, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.feedback import ActionType
from orca_core.model.records import Ref, memory_ref
from orca_core.settings import ActionSettings, MemorySettings, ProviderSettings, Settings

PROVIDERS = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}


async def judged(app) -> list[Ref | None]:
    marks = await app.bridge.engine.feedback.actions.marks(app.main.turns.session_id)
    return [each.record for each in marks if each.type is ActionType.NOT_HELPFUL]


async def weights(app) -> list[float]:
    return [view.memory.weight for view in await app.bridge.engine.memories.views([1])]


async def asked(app, pilot, *texts: str) -> None:
    for text in texts:
        await app.bridge.engine.memories.add(text, pinned=True)
    await send(app, pilot, "which editor?")
    await pilot.press("f2")


def test_a_key_in_the_pane_says_it_again_and_undo_take_it_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot, "我用 neovim 写代码")
        before = await weights(app)
        await pilot.press("-")
        await until(pilot, lambda: "noted that #1 did not help" in seen(app))
        assert await judged(app) == [memory_ref(1)]
        assert "found something not helpful" in seen(app)
        assert await weights(app) == before
        await pilot.press("-")
        await until(pilot, lambda: "#1: no longer noted as not helpful" in seen(app))
        assert await judged(app) == []
        rows_of(app).focus()
        await pilot.press("u")
        await until(pilot, lambda: "took back took “not helpful” back" in seen(app))
        await settled(app, pilot)
        assert await judged(app) == [memory_ref(1)]

    drive(make_app(ScriptedModel(says("neovim[m1]。"))), scenario)


def test_the_list_that_opens_says_it_and_shows_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot, "我用 neovim 写代码", "我用 zsh")
        await pilot.press("enter")
        await until(pilot, lambda: "ctrl+n not helpful" in seen(app))
        await pilot.press("down", "ctrl+n")
        await until(pilot, lambda: "▼ not helpful" in seen(app))
        assert len(await judged(app)) == 1
        await pilot.press("escape", "-")
        await until(pilot, lambda: "What did not help?" in seen(app))
        assert "▼ not helpful" in seen(app)
        await pilot.press("down", "enter")
        await settled(app, pilot)
        assert await judged(app) == []

    drive(make_app(ScriptedModel(says("neovim[m1]。"))), scenario)


def test_nothing_is_said_of_a_turn_that_was_given_nothing_nor_where_acts_are_off(make_app, drive) -> None:
    async def nothing(app, pilot) -> None:
        await asked(app, pilot)
        await pilot.press("-")
        await until(pilot, lambda: "nothing was put in" in seen(app))

    async def off(app, pilot) -> None:
        await asked(app, pilot, "我用 neovim 写代码")
        await pilot.press("-")
        await until(pilot, lambda: "acts are switched off" in seen(app))
        assert await judged(app) == []

    drive(make_app(), nothing)
    memory = MemorySettings(actions=ActionSettings(enabled=False))
    drive(make_app(settings=Settings(provider="fake", providers=PROVIDERS, memory=memory)), off)

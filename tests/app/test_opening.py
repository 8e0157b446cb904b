"""Starting on a home where something was said before: what is shown is what goes on."""

from __future__ import annotations

from fakes.app_driver import send, until
from fakes.scripted_model import ScriptedModel, says


def test_a_new_chat_sends_nothing_of_an_old_one(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        await send(app, pilot, "my secret giraffe")

    async def second(app, pilot) -> None:
        await pilot.press("ctrl+n")
        await pilot.pause()
        assert app.main.transcript.views == []
        await send(app, pilot, "hello there")
        session, rounds = await app.bridge.engine.sessions.show(app.main.turns.session_id)
        assert [each.user for each in rounds] == ["hello there"]
        assert model.last_prompt() == ["hello there"]
        assert len(await app.bridge.engine.sessions.list()) == 2
        assert session.rounds == 1

    drive(make_app(), first)
    model = ScriptedModel(says("ok"))
    drive(make_app(model), second)


def test_a_chat_that_is_shown_goes_on_though_another_one_is_newer(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "about docker")
        first = app.main.turns.session_id
        await pilot.press("ctrl+n")
        await pilot.pause()
        await send(app, pilot, "about cooking")
        app.main.commands.chats.resume(first)
        await until(pilot, lambda: app.main.turns.session_id == first)
        await send(app, pilot, "docker again")
        _, rounds = await app.bridge.engine.sessions.show(first)
        assert [each.user for each in rounds] == ["about docker", "docker again"]

    drive(make_app(), scenario)

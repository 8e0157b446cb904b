"""A chat is opened at its end, and read backwards page by page, whatever its length."""

from __future__ import annotations

import pytest
from fakes.app_driver import send
from fakes.scripted_model import ScriptedModel, says

from orca_core.services.sessions import Sessions
from orca_core.settings import ProviderSettings, Settings, UiSettings

pytestmark = pytest.mark.long

FAKE = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}
NEW = Settings(provider="fake", providers=FAKE, ui=UiSettings(start="new"))
LATEST = Settings(provider="fake", providers=FAKE, ui=UiSettings(start="latest"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rounds of the chat were read, each time; a page has two."""
    monkeypatch.setattr("orca_tui.app.chat.scrollback.PAGE_ROUNDS", 2)
    counts: list[int] = []
    show = Sessions.show

    async def counted(self: Sessions, *given: object, **limits: object) -> object:
        session, rounds = await show(self, *given, **limits)  # type: ignore[arg-type]
        counts.append(len(rounds))
        return session, rounds

    monkeypatch.setattr(Sessions, "show", counted)
    return counts


def test_pages_of_a_chat_are_read_when_they_are_looked_at(make_app, drive, read: list[int]) -> None:
    async def say(app, pilot) -> None:
        for number in range(1, 6):
            await send(app, pilot, f"question {number}")

    async def look(app, pilot) -> None:
        def numbers() -> list[int]:
            return [view.said.number for view in app.main.transcript.views]

        assert numbers() == [4, 5]
        assert max(read) == 2
        await app.main.turns.past.more()
        assert numbers() == [2, 3, 4, 5]
        await app.main.turns.past.more()
        await app.main.turns.past.more()
        assert numbers() == [1, 2, 3, 4, 5]
        assert max(read) == 2

        await send(app, pilot, "question 6")
        assert numbers() == [1, 2, 3, 4, 5, 6]

    drive(make_app(ScriptedModel(says("noted")), settings=NEW), say)
    read.clear()
    drive(make_app(ScriptedModel(says("noted")), settings=LATEST), look)

"""From letters to meaning in the app: offered by ctrl+l where it is installed, with its progress in the header."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen, until
from fakes.connecting import Server, opened
from msgspec.structs import replace

from orca_core.config.config_file import LoadedSettings
from orca_core.llm.meaning_embedder import MeaningEmbedder
from orca_core.model.events import Embedded
from orca_core.open import open_orca
from orca_core.orca import Orca
from orca_tui.app import bridge as messages
from orca_tui.app.app import OrcaApp

pytestmark = pytest.mark.long


def with_the_package(app: OrcaApp, *, is_installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app on engines as they are opened outside of tests."""

    async def opened_for(loaded: LoadedSettings) -> Orca:
        return await open_orca(loaded, environ={}, will_talk=True)

    monkeypatch.setattr("orca_core.open.is_installed", lambda: is_installed)
    app.bridge.doors = replace(app.bridge.doors, open_engine=opened_for)


async def embedding_of(engine: Orca) -> str:
    return next(check.detail for check in (await engine.doctor.examine()).checks if check.name == "embedding")


def test_switching_embeds_everything_anew_and_is_written(make, drive, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(70):
            await app.bridge.engine.memories.add(f"memory number {number}")
        await app.bridge.engine.worker.tidy()
        await opened(app, pilot)
        assert "find memories by meaning  installed · wants no network" in seen(app)
        await pilot.press(*"meaning", "enter")
        await until(pilot, lambda: "memories are found by meaning from now on" in seen(app))
        assert 'provider = "meaning"' in config.read_text(encoding="utf-8")
        await app.bridge.engine.worker.tidy()
        vectors = next(each for each in (await app.bridge.engine.doctor.examine()).checks if each.name == "vectors")
        assert (vectors.state, vectors.fields["have"]) == ("ok", 70)
        assert await embedding_of(app.bridge.engine) == MeaningEmbedder.model
        await until(pilot, lambda: "embedding " not in seen(app))
        await opened(app, pilot)
        assert "by meaning" not in seen(app)

    app, config = make(Server())
    with_the_package(app, is_installed=True, monkeypatch=monkeypatch)
    drive(app, scenario)


def test_what_is_not_installed_is_not_offered(make, drive, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        assert "by meaning" not in seen(app)

    app, _config = make(Server())
    with_the_package(app, is_installed=False, monkeypatch=monkeypatch)
    drive(app, scenario)


def test_the_header_says_how_far_embedding_is_until_it_is_done(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        app.main.post_message(messages.VectorsMade(Embedded(320, 4000)))
        await until(pilot, lambda: "embedding 320/4,000" in seen(app))
        app.main.changed()
        await pilot.pause()
        assert "embedding 320/4,000" in seen(app)
        app.main.post_message(messages.VectorsMade(Embedded(4000, 4000)))
        await until(pilot, lambda: "embedding" not in seen(app))

    app, _config = make(Server())
    drive(app, scenario)

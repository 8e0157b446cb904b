"""The doctor in the app: with the options that the command has."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen, send, until
from msgspec.structs import replace

from orca_core.config.config_file import LoadedSettings
from orca_core.diagnosis import diagnose
from orca_core.settings import Settings
from orca_tui.app.story import story_app, story_settings
from orca_tui.marks import UNICODE_MARKS


def with_all_that_the_command_does(app):
    """The door that the program gives the app."""
    doors = app.bridge.doors
    app.bridge.doors = replace(doors, diagnose=lambda loaded, **wanted: diagnose(loaded, {}, **wanted))
    return app


def mode(path) -> int:
    return path.stat().st_mode & 0o777


def test_it_looks_at_the_configuration_and_the_files_too(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "/doctor")
        await until(pilot, lambda: "Doctor" in seen(app))
        assert "config" in seen(app)
        assert "files" in seen(app)
        assert "memory works in full" in seen(app)

    drive(with_all_that_the_command_does(make_app()), scenario)


@pytest.mark.long
def test_with_fix_it_mends_and_says_so(make_app, drive, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        database = tmp_path / "home" / "orca.db"
        database.chmod(0o644)
        await send(app, pilot, "/doctor --fix --dry-run")
        await until(pilot, lambda: "would mend" in seen(app))
        assert mode(database) == 0o644
        await pilot.press("escape")
        await send(app, pilot, "/doctor --fix")
        await until(pilot, lambda: "mended" in seen(app))
        assert mode(database) == 0o600
        assert "left to you" in seen(app)

    drive(with_all_that_the_command_does(make_app()), scenario)


@pytest.mark.long
def test_with_network_it_asks_the_endpoints(make_app, drive) -> None:
    asked = []

    async def scenario(app, pilot) -> None:
        async def diagnose(loaded, **wanted):
            asked.append(wanted)
            return await app.bridge.engine.doctor.examine([])

        app.bridge.doors = replace(app.bridge.doors, diagnose=diagnose)
        await send(app, pilot, "/doctor --network")
        await until(pilot, lambda: "Doctor" in seen(app))

    drive(make_app(), scenario)
    assert asked == [{"asks_network": True, "mends": False, "is_dry": False}]


@pytest.mark.long
@pytest.mark.parametrize("rest", ["--fast", "network", "--dry-run", "--network --dry-run"])
def test_what_it_does_not_take_it_says(make_app, drive, rest: str) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, f"/doctor {rest}")
        assert "/doctor takes --network, --fix, and --dry-run beside --fix" in seen(app)
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario)


@pytest.mark.long
def test_the_story_has_the_same_doctor_but_asks_nobody(drive, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "/doctor")
        await until(pilot, lambda: "nobody else can read them" in seen(app))
        await pilot.press("escape")
        await send(app, pilot, "/doctor --network")
        await until(pilot, lambda: "the story has a model of its own" in seen(app))

    settings = story_settings(LoadedSettings(Settings(), None, tmp_path), tmp_path)
    tmp_path.chmod(0o700)
    drive(story_app(settings, UNICODE_MARKS, "en", hurries=True), scenario)

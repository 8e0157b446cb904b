"""Runs the app on a small story, or draws it as a picture."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from textual.pilot import Pilot

from orca_core.config.config_file import LoadedSettings
from orca_core.demo.demo_story import questions
from orca_core.model.diagnosis import Diagnosis
from orca_core.model.errors import InvalidInput
from orca_core.orca import Orca
from orca_core.settings import ProviderSettings, Settings
from orca_tui.app.app import OrcaApp, run_to_its_end
from orca_tui.app.bridge import Doors
from orca_tui.app.chat.welcome import lines_of_story
from orca_tui.language import Language, spoken
from orca_tui.marks import Marks
from orca_tui.signals import signals_raise

_FOREIGN_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture may load no fonts from a server."""
STEP_S = 0.05
PICTURED = 2
"""How many questions of the story a picture shows: after these memory has just been used. Chosen by hand."""
PATIENCE_S = 20.0


def play(loaded: LoadedSettings, marks: Marks, *, screenshot: Path | None, size: tuple[int, int]) -> int:
    """Open the story, or draw it; the exit status."""
    language = spoken()
    with signals_raise(), tempfile.TemporaryDirectory(prefix="orca-demo-") as folder:
        of_story = story_settings(loaded, Path(folder))
        app = story_app(of_story, marks, language, hurries=screenshot is not None)
        if screenshot is None:
            return run_to_its_end(app)
        asyncio.run(_draw(app, screenshot, size, questions(language)[:PICTURED]))
        if app.crash is not None:
            raise app.crash
        return app.return_code or 0


def story_settings(loaded: LoadedSettings, home: Path) -> LoadedSettings:
    """The story's own set-up, with the user's colours and keys."""
    provider = ProviderSettings(base_url="http://127.0.0.1:1", model="orca-story")
    ui = replace(loaded.settings.ui, start="new")
    settings = Settings(ui=ui, keys=loaded.settings.keys, provider="story", providers={"story": provider})
    return LoadedSettings(settings, None, home)


def story_app(of_story: LoadedSettings, marks: Marks, language: Language, *, hurries: bool) -> OrcaApp:
    """The app, with doors into the story."""

    async def open_orca(loaded: LoadedSettings) -> Orca:
        from orca_core.open import open_story

        return await open_story(loaded, language, hurries=hurries)

    async def try_model(_loaded: LoadedSettings) -> None:
        raise _has_its_own()

    async def list_models(_loaded: LoadedSettings, _name: str, _key: str) -> list[str]:
        return []

    async def diagnose(loaded: LoadedSettings, /, *, asks_network: bool, mends: bool, is_dry: bool) -> Diagnosis:
        if asks_network:
            raise _has_its_own()
        from orca_core.diagnosis import diagnose as visit

        return await visit(loaded, {}, mends=mends, is_dry=is_dry)

    doors = Doors(open_orca, try_model, list_models, diagnose=diagnose)
    return OrcaApp(of_story, marks, doors, lines=lines_of_story(questions(language), marks))


def _has_its_own() -> InvalidInput:
    return InvalidInput(template="the story has a model of its own", hint="leave it, and start orca")


async def _draw(app: OrcaApp, path: Path, size: tuple[int, int], questions: list[str]) -> None:
    """Say what is said in the story, then draw the screen."""
    async with app.run_test(size=size) as pilot:
        await _until(pilot, lambda: app.has_started)
        for question in questions:
            app.main.prompt.fill(question)
            await pilot.press("enter")
            await pilot.pause(STEP_S)
            await _until(pilot, lambda: not app.bridge.is_answering)
            await pilot.pause(STEP_S)
        await pilot.pause(0.3)
        picture = _FOREIGN_FONTS.sub("", app.export_screenshot(title="orca"))
        await asyncio.to_thread(path.write_text, picture, "utf-8")
        await app.bridge.close(patience_s=0.0)


async def _until(pilot: Pilot[int], is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds, with a timeout."""
    for _ in range(int(PATIENCE_S / STEP_S)):
        if is_so():
            return
        await pilot.pause(STEP_S)

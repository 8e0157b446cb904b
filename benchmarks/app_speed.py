"""The app with many memories: first frame, key to screen, token to screen.

    python benchmarks/app_speed.py [--memories 10000] [--messages 200]

Headless, so a terminal's own drawing is not counted. First frame: from the start of a new process until the first
screen is drawn, and until the memories stand in it. Key: from the key until the changed lines are there. Token: the
same for a piece of an answer that streams, with so many messages above it. "Nothing" is what the driver itself takes.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from stores import ScriptedModel, engine_with, says, summary, turn

from orca_core.config_file import LoadedSettings
from orca_core.engine import Engine
from orca_core.settings import ProviderSettings, Settings
from orca_tui.app.app import OrcaApp
from orca_tui.marks import UNICODE_MARKS

SETTINGS = Settings(provider="fake", providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="m")})
SIZE = (120, 36)


def make_app(home: Path, model: ScriptedModel) -> OrcaApp:
    async def open_engine(_loaded: LoadedSettings) -> Engine:
        return await engine_with(home, 0, model=model, settings=SETTINGS)

    async def try_model(_loaded: LoadedSettings) -> None:
        return None

    return OrcaApp(LoadedSettings(SETTINGS, None, home), UNICODE_MARKS, open_engine=open_engine, try_model=try_model)


async def prepare(home: Path, memories: int, messages: int) -> None:
    engine = await engine_with(home, memories, model=ScriptedModel(says("An answer with **some** `code` in it. " * 6)))
    for number in range(messages // 2):
        await turn(engine, f"question {number} about docker", session_id="long")
    await engine.aclose()


async def first_frame(home: Path, started: float) -> None:
    """In a process of its own: how long until the first screen, and until the memories are in it."""
    app = make_app(home, ScriptedModel())
    async with app.run_test(size=SIZE) as pilot:
        drawn = time.time() - started
        while app.main.rows.count == 0:
            await pilot.pause(0.005)
        await pilot.pause()
        print(f"{drawn:.4f} {time.time() - started:.4f}")
        await app.bridge.close(patience_s=0.0)


async def keys_and_tokens(home: Path) -> tuple[list[float], list[float], list[float]]:
    pieces = says("word " * 400, pieces=200)
    app = make_app(home, ScriptedModel(pieces))
    keys, tokens, nothing = [], [], []
    async with app.run_test(size=SIZE) as pilot:
        while app.main.rows.count == 0:
            await pilot.pause(0.005)
        session, rounds = await app.bridge.engine.sessions.show("long")
        await app.main.turns.show(session.id, session.title, rounds, "")
        await pilot.pause(0.2)
        app.main.rows.focus()
        await pilot.pause(0.5)
        for _ in range(60):
            start = time.perf_counter()
            await pilot.pause()
            nothing.append(time.perf_counter() - start)
        for number in range(100):
            start = time.perf_counter()
            await pilot.press("j" if number % 20 else "G" if number % 40 else "g")
            keys.append(time.perf_counter() - start)
        view = await app.main.transcript.begin(999, "and now?")
        await pilot.pause()
        for _ in range(200):
            start = time.perf_counter()
            await view.add("word and more ")
            await pilot.pause()
            tokens.append(time.perf_counter() - start)
        await view.finish(view.answer)
        await app.bridge.close(patience_s=0.0)
    return keys, tokens, nothing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--child", nargs=2)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(first_frame(Path(arguments.child[0]), float(arguments.child[1])))
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        asyncio.run(prepare(home, arguments.memories, arguments.messages))
        frames, filled = [], []
        for _ in range(7):
            command = [sys.executable, __file__, "--child", folder, str(time.time())]
            ran = subprocess.run(command, capture_output=True, text=True, check=True)
            drawn, with_rows = map(float, ran.stdout.split())
            frames.append(drawn)
            filled.append(with_rows)
        keys, tokens, nothing = asyncio.run(keys_and_tokens(home))
    print(f"{arguments.memories:,} memories, {arguments.messages} messages, {SIZE[0]}x{SIZE[1]}")
    print(summary("first frame (whole process)", frames, "600 ms"))
    print(summary("memories in it", filled))
    print(summary("nothing", nothing))
    print(summary("key to screen", keys, "30 ms"))
    print(summary("token to screen", tokens, "50 ms"))


if __name__ == "__main__":
    main()

"""For every test: no network but this machine, a home of its own, no keys, no colour, one time zone, no language."""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fakes.new_databases import copy_tables
from hypothesis import settings

# The gates try the same examples every time, whatever the machine is doing: few, and many. At a desk each run tries others.
settings.register_profile("short", derandomize=True, deadline=None, print_blob=True, max_examples=10)
settings.register_profile("long", settings.get_profile("short"), max_examples=100)
settings.register_profile("desk", deadline=None, max_examples=50)
settings.load_profile("short" if os.environ.get("CI") else "desk")

# SQLite waits for the disk after every change. Where a folder in memory has room, that wait is none; what a test kills
# is a process, never the machine, so that a change which was written is there all the same.
IN_MEMORY, ENOUGH_BYTES = Path("/dev/shm"), 2 << 30  # pytest makes its own folder there
if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= ENOUGH_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

# A gate that was started in the background ignores Ctrl+C, and so would all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


NOT_MADE = count()


@pytest.fixture(autouse=True)
def its_own_home(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The folder that the homes of the test would be in, itself made only where the test asks for one: of three tests
    two write nothing."""
    if "tmp_path" in request.fixturenames:
        place: Path = request.getfixturevalue("tmp_path")
    else:
        place = tmp_path_factory.getbasetemp() / f"not-made-{next(NOT_MADE)}"
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith("ORCA_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place / "user"))
    monkeypatch.setenv("ORCA_HOME", str(place / "orca-home"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LANGUAGE", "C")  # what a test speaks, its commands included, the next one does not
    return place


@pytest.fixture(scope="module", autouse=True)
def new_databases_are_copied(request: pytest.FixtureRequest) -> Iterator[None]:
    """But in the tests of the storage itself."""
    with pytest.MonkeyPatch.context() as patched:
        if "store" not in request.path.parts:
            patched.setattr("orca_core.store.sqlite.store.make_tables", copy_tables)
        yield


class NetworkIsOffLimitsError(AssertionError):
    """A test tried to leave this machine."""


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if host and host not in ("127.0.0.1", "::1", "localhost"):
            raise NetworkIsOffLimitsError(host)
        connect(self, address)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket.socket, "connect", guarded)
        yield


LEFT_LYING = ("never retrieved", "destroyed but it is pending")


class Complaints(logging.Handler):
    """What asyncio, or an app's own loop, reports because there is nobody to tell."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "orca_tui" or any(each in record.getMessage() for each in LEFT_LYING):
            self.heard.append(self.format(record))


gc.disable()  # it is looked for after every test, and collecting them all makes none


def look_for_garbage() -> None:
    """What is still in use now is never looked at again: to do so after every test would take the suite minutes."""
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    look_for_garbage()


@pytest.fixture(autouse=True)
def nothing_is_left_unretrieved(its_own_home: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """A task or future whose failure nobody took fails the test that made it, and so does one of a process that the
    test started: that wrote it into the log of its home."""
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    yield
    request.node.funcargs.clear()  # what the fixtures made is garbage, too
    look_for_garbage()
    logging.getLogger().removeHandler(complaints)
    for log in its_own_home.rglob("orca.log"):
        complaints.heard += [line for line in log.read_text("utf-8").splitlines() if " ERROR " in line]
    assert not complaints.heard, complaints.heard


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True

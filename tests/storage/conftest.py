"""A loop that runs coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run

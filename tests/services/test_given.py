"""What a program gives that is no such thing is refused in a sentence, before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.orca import Orca
from orca_core.services.shared.given import check

GOOD: tuple[tuple[object, Any], ...] = (
    ("x", str),
    (None, str | None),
    ("x", str | None),
    (3, int),
    (True, bool),
    ([], Sequence[str]),
    (("a",), Sequence[str]),
    (None, Sequence[str] | None),
    ({}, Mapping[str, Any]),
    (object(), Any),
    (object(), object),
)
BAD: tuple[tuple[object, Any, str], ...] = (
    (None, str, "must be a text, not None"),
    (7, str, "must be a text, not int"),
    (b"x", str, "must be a text, not bytes"),
    (7, str | None, "must be a text, not int"),
    ("x", int, "must be a number, not str"),
    (True, int, "must be a number, not bool"),
    (None, bool, "must be true or false, not None"),
    ("abc", Sequence[str], "must be a list, not str"),
    (None, Sequence[int], "must be a list, not None"),
    ([1, None], Sequence[int], "must be a number, not None"),
    ([None], Sequence[str] | None, "must be a text, not None"),
    ([], Mapping[str, Any], "must be a mapping, not list"),
)


@pytest.mark.parametrize(("value", "hint"), GOOD)
def test_what_fits_passes(value: object, hint: Any) -> None:
    check("it", value, hint)


@pytest.mark.parametrize(("value", "hint", "words"), BAD)
def test_what_does_not_fit_is_named(value: object, hint: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"it {words}"):
        check("it", value, hint)


async def test_the_functions_for_programs_look(open_engine: Callable[..., AbstractAsyncContextManager[Orca]]) -> None:
    nothing: Any = None
    async with open_engine() as engine:
        for call in (
            lambda: engine.memory.start_task("s", nothing),
            lambda: engine.memory.save_message("s", "user", nothing),
            lambda: engine.memory.build_context(None, nothing),
            lambda: engine.memory.search_episodes(nothing),
            lambda: engine.memory.remember(nothing),
            lambda: engine.memory.forget(nothing),
            lambda: engine.work.tasks.start("s", "x", tags=nothing),
            lambda: engine.work.episodes.pin(nothing),
            lambda: engine.work.knowledge.search(nothing, 3),
            lambda: engine.memories.add(nothing),
            lambda: engine.memory.tool_memory(nothing),
            lambda: engine.tools.tool_memory(nothing),
            lambda: engine.tools.calls(nothing, 3),
            lambda: engine.feedback.pools.page(nothing),
            lambda: engine.feedback.pools.weighed([nothing]),
            lambda: engine.feedback.pools.carried(nothing),
            lambda: engine.guides.edit(1, nothing),
            lambda: engine.guides.restore(nothing),
        ):
            with pytest.raises(InvalidInput, match="must be"):
                await call()
        assert (await engine.work.tasks.page()).total == 0

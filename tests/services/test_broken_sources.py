"""A source of memory that breaks costs neither the answer nor what the other sources bring."""

from __future__ import annotations

import asyncio
from typing import Any

from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.events import Injected, Reply
from orca_core.rules.retrieval.ranking import Selection
from orca_core.services.chat.recall import Looking


class BrokenSource:
    """Looks nowhere."""

    async def select(self, looking: Looking) -> Selection:
        raise RuntimeError("the shelf fell down")


async def test_a_source_that_breaks_is_named_and_the_others_are_asked(open_engine) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, report: reported.append(report))
    async with open_engine(ScriptedModel(says("Two hours."))) as engine:
        engine.recall._sources = (BrokenSource(), *engine.recall._sources)
        await engine.memories.add("my quokka stew simmers for two hours")

        events = await turn(engine, "do you remember how long my quokka stew simmers?")

        injection = only(events, Injected).injection
        assert [str(item.ref) for item in injection.injected] == ["m1"]
        assert injection.failed is not None
        assert "RuntimeError" in injection.failed.sentence
        assert only(events, Reply).text == "Two hours."
        assert (await engine.sessions.receipt("s", 1)).injection.failed == injection.failed
        assert [str(report["exception"]) for report in reported] == ["the shelf fell down"]

"""A model that looks up what is remembered, and look-ups that wait."""

from __future__ import annotations

import asyncio
import json

from fakes.scripted_model import Step

from orca_core.model.llm import Completed, Finish, ModelToolCall, TextDelta, ToolsCalled
from orca_core.model.recall import LookUp
from orca_core.services.chat.recall import RecallRequest
from orca_tui.app.app import OrcaApp


def looks(query: str, words: str = "") -> list[Step]:
    """The script of a model that looks this up, after some words."""
    call = ModelToolCall("1", "recall", json.dumps({"query": query}))
    return [TextDelta(words), ToolsCalled((call,)), Completed(Finish.STOP)]


def hold_look_ups(app: OrcaApp, go_on: asyncio.Event) -> None:
    """Let no look-up end before this is set."""
    recall = app.bridge.orca.recall
    at_once = recall.look_up

    async def held(query: str, request: RecallRequest, room: int) -> tuple[LookUp, str]:
        await go_on.wait()
        return await at_once(query, request, room)

    recall.look_up = held  # type: ignore[method-assign]

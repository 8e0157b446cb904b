"""Orca remembers: the library under the terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orca_core.orca import Orca

AgentTool = tuple[dict[str, Any], Callable[..., Awaitable[dict[str, Any]]]]
"""The schema of a tool, and the function behind it: called with what the model gave, by name."""


def agent_tools(orca: Orca, session_id: str) -> list[AgentTool]:
    """The tools by which an agent remembers and looks up, in one session. `orca_core.serialize.tool_schemas` turns a
    schema into the shape of an API."""
    from functools import partial  # a program that wants no tools pays for none

    from orca_core.serialize.tool_schemas import TOOL_SCHEMAS, answer_json
    from orca_core.services.agent_memory import AgentTools

    tools = AgentTools(orca.memory, orca.tools.tool_memory, session_id)

    async def answer(name: str, **given: Any) -> dict[str, Any]:
        return answer_json(await tools.call(name, given))

    return [(schema, partial(answer, name)) for name, schema in TOOL_SCHEMAS.items()]

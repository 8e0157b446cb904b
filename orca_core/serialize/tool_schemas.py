"""The tools that an agent is offered, as JSON schemas for function calling; and what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.model.tools import ToolAnswer
from orca_core.serialize.values import Json


def _texts(description: str) -> Json:
    return {"type": "array", "items": {"type": "string"}, "description": description}


_MESSAGES: Json = {
    "type": "array",
    "description": "Messages of the conversation, oldest first.",
    "items": {
        "type": "object",
        "properties": {
            "role": {"type": "string", "enum": ["user", "assistant"]},
            "content": {"type": "string"},
        },
        "required": ["role", "content"],
    },
}


def _schema(name: str, description: str, **properties: Json) -> Json:
    return {
        "name": name,
        "description": description,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }


TOOL_SCHEMAS: Mapping[str, Json] = {
    each["name"]: each
    for each in (
        _schema(
            "record_to_memory",
            "Propose statements about the user that are worth remembering. The user confirms them.",
            thinking={"type": "string", "description": "Why they are worth remembering. It is not kept."},
            content=_texts('Statements about the user, one fact each: "The user deploys with Ansible."'),
        ),
        _schema(
            "retrieve_from_memory",
            "Look up what is remembered about the user.",
            keywords=_texts("What to look for: a few words each, looked up one by one."),
        ),
        _schema(
            "tool_memory_retrieve",
            "Look up what earlier calls taught of tools: what works, what fails and why.",
            query={"type": "string", "description": "Exact names of tools, with commas between them."},
        ),
        _schema("record", "Keep messages of this conversation. Those kept already are left out.", messages=_MESSAGES),
        _schema("retrieve", "Look up what is remembered near these messages.", messages=_MESSAGES),
    )
}


def openai_tool(schema: Mapping[str, Any]) -> Json:
    """As `tools` of a chat completion takes it."""
    return {"type": "function", "function": dict(schema)}


def anthropic_tool(schema: Mapping[str, Any]) -> Json:
    """As `tools` of a message takes it."""
    return {"name": schema["name"], "description": schema["description"], "input_schema": schema["parameters"]}


def answer_json(answer: ToolAnswer) -> Json:
    """What a tool answered: `text` is for the model, empty where nothing was found."""
    return {
        "text": answer.text,
        "found": list(answer.found),
        "nothing_for": list(answer.nothing_for),
        "note": answer.note,
    }

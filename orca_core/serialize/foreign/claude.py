"""Claude's export: chats, what Claude keeps of its user, and projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Raw

from orca_core.model.import_export import (
    ForeignChat,
    ForeignEntry,
    ForeignFormat,
    ForeignMemory,
    ForeignMessage,
    ForeignText,
)
from orca_core.serialize.documents import kind_of
from orca_core.serialize.foreign.values import items_of, joined, members_of, moment_of, object_of, text_of, value_of

MEMORY_NAMES = ("conversations_memory", "project_memories", "memory_files")
"""Any of them makes an object what Claude keeps of its user."""
CHAT_CHARS = 4_000_000
"""So much of a chat is read."""

ProjectNames = dict[str, str]
"""The names of projects, as far as they are known yet."""


def read_messages(raw: Raw, place: str) -> list[ForeignMessage]:
    """What the person wrote in a chat. What was attached or pasted as a file stands apart from it
    in the file, and is not read."""
    messages: list[ForeignMessage] = []
    room = CHAT_CHARS
    for message, where in items_of(raw, place):
        if kind_of(message) != "object" or room <= 0:
            continue
        fields = value_of(message, where)
        if fields.get("sender") != "human" or not (text := joined(_texts(fields)).strip()):
            continue
        room -= len(text)
        messages.append(ForeignMessage(text, where, moment_of(fields.get("created_at"))))
    return messages


def chat_of(fields: Mapping[str, Any], messages: list[ForeignMessage], place: str) -> ForeignChat:
    return ForeignChat(ForeignFormat.CLAUDE, text_of(fields.get("name")), place, tuple(messages))


def read_memory(name: str, raw: Raw, place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """One of the fields of what Claude keeps of its user: a text of all chats, a text a project, or files."""
    match name, kind_of(raw):
        case "conversations_memory", "text":
            yield ForeignText(ForeignFormat.CLAUDE, value_of(raw, place), place)
        case "project_memories", "object":
            for project, text, where in members_of(raw, place):
                if kind_of(text) == "text":
                    chat = projects.get(project, project)
                    yield ForeignText(ForeignFormat.CLAUDE, value_of(text, where), where, chat=chat)
        case "memory_files", "list":
            for each, where in items_of(raw, place):
                file = object_of(value_of(each, where))
                at = moment_of(file.get("updated_at"))
                chat = text_of(file.get("path")).removeprefix("/")
                yield ForeignText(ForeignFormat.CLAUDE, text_of(file.get("content")), where, at, chat)


def is_project(fields: Mapping[str, Any]) -> bool:
    """Whether an object is a project: it has a name, and what only a project has."""
    return "name" in fields and not fields.keys().isdisjoint({"prompt_template", "is_starter_project", "docs"})


def project_of(fields: Mapping[str, Any], place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """What a person wrote of a project. The documents in it are not their words."""
    name, description = text_of(fields.get("name")), text_of(fields.get("description")).strip()
    if key := text_of(fields.get("uuid")):
        projects[key] = name
    if name and description:
        at = moment_of(fields.get("created_at"))
        yield ForeignMemory(ForeignFormat.CLAUDE, f"{name}: {description}", place, at, key, name)


def _texts(fields: Mapping[str, Any]) -> Iterator[str]:
    """The words of a message: those of its blocks, else its text."""
    blocks = fields.get("content")
    texts = [
        text_of(block.get("text"))
        for block in map(object_of, blocks if isinstance(blocks, list) else [])
        if block.get("type") == "text"
    ]
    yield from texts if any(texts) else [text_of(fields.get("text"))]

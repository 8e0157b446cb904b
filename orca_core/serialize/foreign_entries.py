"""What a JSON document of another program holds, as entries: each of its objects says by its fields what it is, a chat
of ChatGPT, what ChatGPT or Claude keep of their user, or a record of mem0 and others. Values are taken as they should
be, or not at all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Raw

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignEntry,
    ForeignFormat,
    ForeignMemory,
    ForeignText,
    SkippedEntry,
    SkipReason,
)
from orca_core.serialize.documents import kind_of, step_text

EARLIEST, LATEST = 1970, 2200
"""A year before or after these is a mistake of the file's."""
MESSAGE_CHARS = 20_000
"""So much of a message is read. Chosen by hand."""
_MILLISECONDS_FROM = 1e11
"""A count of seconds above this would be beyond the year 5000."""
WRAPPERS = frozenset({"results", "memories", "data", "items", "passages", "archival_memory", "conversations"})
"""Where entries stand that an object holds."""
TEXTS = ("memory", "content", "text")
"""Where the text of an entry stands: the first that there is. `memory` is mem0's word for it."""
_TIMES = ("created_at", "create_time", "createdAt", "date", "timestamp", "updated_at", "update_time")
_TAGS = ("categories", "tags")
_OF_CLAUDE = frozenset({"conversations_memory", "project_memories", "memory_files"})
"""Any of them makes an object what Claude keeps of its user."""
_BIO = "bio"
"""To whom ChatGPT writes what it wants to remember."""
_FENCED = re.compile(r"```(.*)```", re.DOTALL)

ProjectNames = dict[str, str]
"""The names of Claude's projects, as far as they are known yet."""


def read_entries(raw: Raw, place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """A value, as entries: an object is one or holds some, a list holds some, a text is one. Raises InvalidInput for a
    number that is too great."""
    match kind_of(raw):
        case "list":
            for number, value in enumerate(msgspec.json.decode(raw, type=list[Raw])):
                yield from read_entries(value, f"{place}[{number}]", projects)
        case "object":
            yield from _entries_of_object(raw, place, projects)
        case "text":
            yield ForeignMemory(ForeignFormat.RECORDS, _decoded(raw, place), place or "JSON")
        case _:
            yield SkippedEntry(place or "JSON", SkipReason.NO_TEXT)


def _entries_of_object(raw: Raw, place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    members = msgspec.json.decode(raw, type=dict[str, Raw])
    held = [name for name in members if name in WRAPPERS and kind_of(members[name]) in {"object", "list"}]
    if held:
        for name in held:
            yield from read_entries(members[name], f"{place}{step_text(name)}".removeprefix("."), projects)
        return
    fields, place = _decoded(raw, place), place or "JSON"
    if "chat_messages" in fields:
        return
    if isinstance(fields.get("mapping"), dict):
        yield from _memories_of_chatgpt(fields, place)
    elif not _OF_CLAUDE.isdisjoint(fields):
        yield from _memories_of_claude(fields, place, projects)
    elif "name" in fields and not fields.keys().isdisjoint({"prompt_template", "is_starter_project", "docs"}):
        yield from _project_of_claude(fields, place, projects)
    else:
        yield _record(fields, place)


def _decoded(raw: Raw, place: str) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        template = "{place}: this is no JSON ({detail})"
        raise InvalidInput(template=template, place=place or "JSON", detail=str(error)) from error


def _memories_of_chatgpt(conversation: Mapping[str, Any], place: str) -> Iterator[ForeignEntry]:
    """What the assistant put down of the user, and what the user says of themselves for all chats. What is said in the
    chat is nobody's memory."""
    title, begun = text_of(conversation.get("title")), time_of(conversation.get("create_time"))
    for name, node in conversation["mapping"].items():
        message = object_of(object_of(node).get("message"))
        at = time_of(message.get("create_time")) or begun
        where = f"{place}.mapping{step_text(name)}"
        for text, instructs in _texts_of_message(message):
            if text.strip():
                told = text[:MESSAGE_CHARS]
                yield ForeignText(ForeignFormat.CHATGPT, told, where, at, title, instructs=instructs)


def _texts_of_message(message: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The texts of a message that are to be remembered, and whether they say how to answer."""
    content, metadata = object_of(message.get("content")), object_of(message.get("metadata"))
    kind = content.get("content_type")
    standing = object_of(metadata.get("user_context_message_data"))
    if standing or kind == "user_editable_context":
        yield text_of(standing.get("about_user_message")) or _unwrapped(content, "user_profile"), False
        yield text_of(standing.get("about_model_message")) or _unwrapped(content, "user_instructions"), True
    elif kind == "model_editable_context":
        yield text_of(content.get("model_set_context")), False
    elif object_of(message.get("author")).get("role") == "assistant" and message.get("recipient") == _BIO:
        parts = content.get("parts")
        yield "\n".join(texts_of(parts)), False


def _unwrapped(content: Mapping[str, Any], name: str) -> str:
    """What a person wrote of themselves: older files have it between backticks, behind a sentence to the model."""
    text = text_of(content.get(name))
    fenced = _FENCED.search(text)
    return fenced[1] if fenced else text


def _memories_of_claude(fields: Mapping[str, Any], place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """A text of all chats, a text a project, and files."""
    where = "" if place == "JSON" else f"{place}."
    if text := text_of(fields.get("conversations_memory")):
        yield ForeignText(ForeignFormat.CLAUDE, text, f"{where}conversations_memory")
    for project, text in object_of(fields.get("project_memories")).items():
        at = f"{where}project_memories{step_text(project)}"
        yield ForeignText(ForeignFormat.CLAUDE, text_of(text), at, chat=projects.get(project, project))
    files = fields.get("memory_files")
    for number, file in enumerate(map(object_of, files if isinstance(files, list) else [])):
        said_at, chat = time_of(file.get("updated_at")), text_of(file.get("path")).removeprefix("/")
        text = text_of(file.get("content"))
        yield ForeignText(ForeignFormat.CLAUDE, text, f"{where}memory_files[{number}]", said_at, chat)


def _project_of_claude(fields: Mapping[str, Any], place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """What a person wrote of a project. The documents in it are not their words."""
    name, description = text_of(fields.get("name")), text_of(fields.get("description")).strip()
    if key := text_of(fields.get("uuid")):
        projects[key] = name
    if name and description:
        said_at = time_of(fields.get("created_at"))
        yield ForeignMemory(ForeignFormat.CLAUDE, f"{name}: {description}", place, said_at, key, name)


def _record(fields: Mapping[str, Any], place: str) -> ForeignEntry:
    name = next((each for each in TEXTS if text_of(fields.get(each)).strip()), "")
    if not name or fields.get("role") is not None:
        # With a role it is a message of a chat: nobody's memory.
        return SkippedEntry(place, SkipReason.NO_TEXT)
    if fields.get("state") == "deleted" or fields.get("is_deleted") is True or fields.get("enabled") is False:
        return SkippedEntry(place, SkipReason.PUT_AWAY)
    whose = ForeignFormat.MEM0 if name == "memory" else ForeignFormat.RECORDS
    said_at = next(filter(None, (time_of(fields.get(each)) for each in _TIMES)), None)
    key = next((str(each) for each in (fields.get("id"), fields.get("uuid")) if isinstance(each, str | int)), "")
    tags = [tag for each in _TAGS for tag in texts_of(fields.get(each) or object_of(fields.get("metadata")).get(each))]
    title = text_of(fields.get("title"))
    return ForeignMemory(whose, fields[name], place, said_at, key, title, tuple(dict.fromkeys(tags)))


def text_of(value: Any) -> str:
    """A text; empty where it is none."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> Mapping[str, Any]:
    """An object; empty where it is none."""
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> list[str]:
    """The texts of a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def time_of(value: Any) -> datetime | None:
    """A time, written as ISO 8601 or counted in seconds or milliseconds; None where it is none, or out of reach."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            at = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            return None
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if EARLIEST <= at.year < LATEST and value else None

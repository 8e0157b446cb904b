"""A JSON document of another program: each of its objects says by its fields what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Raw

from orca_core.model.import_export import ForeignEntry, ForeignFormat, ForeignGap, ForeignMemory, Unread
from orca_core.serialize.documents import kind_of
from orca_core.serialize.foreign import chatgpt, claude
from orca_core.serialize.foreign.claude import ProjectNames
from orca_core.serialize.foreign.values import (
    items_of,
    members_of,
    moment_of,
    object_of,
    shallow_value,
    text_of,
    texts_of,
    value_of,
)

LISTS = frozenset({"results", "memories", "data", "items", "passages", "archival_memory", "conversations"})
"""Where entries stand that an object holds."""
TEXTS = ("memory", "content", "text")
"""Where the text of an entry stands: the first that there is. `memory` is mem0's word for it."""
_TIMES = ("created_at", "create_time", "createdAt", "date", "timestamp", "updated_at", "update_time")
_SCALARS = frozenset(
    {*TEXTS, *_TIMES, "id", "uuid", "conversation_id", "title", "name", "description", "current_node", "state"}
    | {"enabled", "is_deleted", "role", "prompt_template", "is_starter_project", "docs"}
)
_TAGS = ("categories", "tags")
_PUT_AWAY = frozenset({"deleted"})


def read_entries(raw: Raw, place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    """A value, as entries: an object is one or holds some, a list holds some, a text is one."""
    match kind_of(raw):
        case "list":
            for value, where in items_of(raw, place):
                yield from read_entries(value, where, projects)
        case "object":
            yield from _entries_of_object(raw, place, projects)
        case "text":
            yield ForeignMemory(ForeignFormat.RECORDS, value_of(raw, place), place or "JSON")
        case _:
            yield ForeignGap(ForeignFormat.RECORDS, place or "JSON", Unread.NO_TEXT)


def read_profile(raw: Raw) -> Iterator[ForeignEntry]:
    """An object whose fields were chosen by whoever exported it, such as mem0's exports by a schema: a memory a
    field."""
    for name, member, place in members_of(raw, ""):
        label, value = name.replace("_", " "), value_of(member, place)
        if isinstance(value, dict):
            continue
        values = [each for each in (value if isinstance(value, list) else [value]) if _is_said(each)]
        if values:
            yield ForeignMemory(ForeignFormat.MEM0, f"{label}: {', '.join(map(str, values))}", place)


def _entries_of_object(raw: Raw, place: str, projects: ProjectNames) -> Iterator[ForeignEntry]:
    fields: dict[str, Any] = {}
    nodes: dict[str, chatgpt.Node] | None = None
    messages = None
    holds_entries = False
    for name, member, where in members_of(raw, place):
        kind = kind_of(member)
        if name == "mapping" and kind == "object":
            nodes = chatgpt.read_nodes(member, where)
        elif name == "chat_messages" and kind == "list":
            messages = claude.read_messages(member, where)
        elif name in claude.MEMORY_NAMES:
            holds_entries = True
            yield from claude.read_memory(name, member, where, projects)
        elif name in LISTS and kind in {"list", "object"}:
            holds_entries = True
            yield from read_entries(member, where, projects)
        elif name in _TAGS or name == "metadata":
            fields[name] = value_of(member, where)
        elif name in _SCALARS:
            fields[name] = shallow_value(member, where)
    place = place or "JSON"
    if nodes is not None:
        yield from chatgpt.entries_of(fields, nodes, place)
    elif messages is not None:
        yield claude.chat_of(fields, messages, place)
    elif claude.is_project(fields):
        yield from claude.project_of(fields, place, projects)
    elif not holds_entries:
        yield _record(fields, place)


def _record(fields: Mapping[str, Any], place: str) -> ForeignEntry:
    name = next((each for each in TEXTS if text_of(fields.get(each)).strip()), "")
    whose = ForeignFormat.MEM0 if name == "memory" else ForeignFormat.RECORDS
    if not name or fields.get("role") is not None:
        # With a role it is a message of a chat: nobody's memory.
        return ForeignGap(whose, place, Unread.NO_TEXT)
    if fields.get("state") in _PUT_AWAY or fields.get("is_deleted") is True or fields.get("enabled") is False:
        return ForeignGap(whose, place, Unread.PUT_AWAY)
    said_at = next(filter(None, (moment_of(fields.get(each)) for each in _TIMES)), None)
    key = next((str(each) for each in (fields.get("id"), fields.get("uuid")) if each), "")
    tags = [tag for each in _TAGS for tag in texts_of(fields.get(each) or object_of(fields.get("metadata")).get(each))]
    chat = text_of(fields.get("title"))
    return ForeignMemory(whose, fields[name], place, said_at, key, chat, tuple(dict.fromkeys(tags)))


def _is_said(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip() != ""

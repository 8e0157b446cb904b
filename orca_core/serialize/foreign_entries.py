"""What a JSON document of another program holds, as entries: each of its objects says by its fields what it is, a chat
of ChatGPT or Claude, what these keep of their user, or a record of mem0 and others. Values are taken as they should
be, or not at all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import msgspec
from msgspec import Raw, Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignChat,
    ForeignEntry,
    ForeignFormat,
    ForeignGap,
    ForeignMemory,
    ForeignMessage,
    ForeignText,
    Unread,
)
from orca_core.serialize.documents import kind_of, step_text

EARLIEST, LATEST = 1970, 2200
"""A year before or after these is a mistake of the file's."""
MESSAGE_CHARS = 20_000
"""So much of a message is read: rules read no more of one."""
_MILLISECONDS_FROM = 1e11
"""A count of seconds above this would be beyond the year 5000."""


def text_of(value: Any) -> str:
    """A text; empty where it is none."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> Mapping[str, Any]:
    """An object; empty where it is none."""
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> Iterator[str]:
    """The texts of a list."""
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))


def moment_of(value: Any) -> datetime | None:
    """A time, written as ISO 8601 or counted in seconds or milliseconds; None where it is none, or out of reach."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            moment = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if EARLIEST <= moment.year < LATEST and value else None


def value_of(raw: Raw, place: str) -> Any:
    """A value, decoded. Raises InvalidInput for a number that is too great."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        template = "{place}: this is no JSON ({detail})"
        raise InvalidInput(template=template, place=place or "JSON", detail=str(error)) from error


def members_of(raw: Raw, place: str) -> Iterator[tuple[str, Raw, str]]:
    """The names of an object, each with its value and where that stands."""
    for name, value in msgspec.json.decode(raw, type=dict[str, Raw]).items():
        yield name, value, f"{place}{step_text(name)}".removeprefix(".")


def items_of(raw: Raw, place: str) -> Iterator[tuple[Raw, str]]:
    """The values of a list, each with where it stands."""
    for number, value in enumerate(msgspec.json.decode(raw, type=list[Raw])):
        yield value, f"{place}[{number}]"


def shallow_value(raw: Raw, place: str) -> Any:
    """A text, a number, a bool or None; what holds others is left alone."""
    return None if kind_of(raw) in {"object", "list"} else value_of(raw, place)


def joined(parts: Iterable[str]) -> str:
    """The parts of a message, so far as it is read."""
    room, kept = MESSAGE_CHARS, []
    for part in parts:
        if room <= 0:
            break
        kept.append(part[:room])
        room -= len(part)
    return "\n".join(kept)


CHAT_CHARS = 4_000_000
"""So much of a chat is read: of all its messages, while the path of those that count is not known yet."""
_BIO = "bio"
"""To whom the assistant writes what it wants to remember."""
_FENCED = re.compile(r"```(.*)```", re.DOTALL)


class Wrote(Enum):
    """What a message of the tree is."""

    NOTHING = "nothing"
    """It is the assistant's, a tool's, or hidden."""
    SAID = "said"
    MEMORY = "memory"
    ABOUT_ME = "about me"
    HOW_TO_ANSWER = "how to answer"


class Written(Struct, frozen=True):
    """A text of a message, and what it is."""

    what: Wrote
    text: str


class Node(Struct, frozen=True):
    """A node of the tree, without what is not needed of it."""

    parent: str | None
    at: datetime | None
    place: str
    written: tuple[Written, ...] = ()


def read_nodes(raw: Raw, place: str) -> dict[str, Node]:
    """The tree of a conversation, in the order of the file."""
    nodes: dict[str, Node] = {}
    room = CHAT_CHARS
    for name, value, where in members_of(raw, place):
        if kind_of(value) != "object":
            continue
        node = _node(value_of(value, where), where, has_room=room > 0)
        room -= sum(len(each.text) for each in node.written)
        nodes[name] = node
    return nodes


def entries_of_conversation(
    conversation: Mapping[str, Any], nodes: Mapping[str, Node], place: str
) -> Iterator[ForeignEntry]:
    """What a conversation holds: what the assistant put down of the user, what the user says of themselves for all
    chats, and what they wrote in this one."""
    title = text_of(conversation.get("title"))
    begun = moment_of(conversation.get("create_time"))
    path = dict.fromkeys(path_to_the_end(nodes, conversation.get("current_node")))
    said: list[ForeignMessage] = []
    for name in [*path, *(each for each in nodes if each not in path)]:
        node = nodes[name]
        at = node.at or begun
        for each in node.written:
            if each.what is not Wrote.SAID:
                instructs = each.what is Wrote.HOW_TO_ANSWER
                yield ForeignText(ForeignFormat.CHATGPT, each.text, node.place, at, title, instructs=instructs)
            elif name in path:
                said.append(ForeignMessage(each.text, node.place, at))
    yield ForeignChat(ForeignFormat.CHATGPT, title, place, tuple(said))


def path_to_the_end(nodes: Mapping[str, Node], current: Any) -> list[str]:
    """The nodes that lead to the last message, the root first. Where the file does not say which is the last one, it
    is the latest of those that nothing follows; no node is passed twice, whatever their parents say."""
    if not isinstance(current, str) or current not in nodes:
        current = _latest_end(nodes)
    path: list[str] = []
    passed: set[str] = set()
    at: str | None = current
    while at is not None and at in nodes and at not in passed:
        path.append(at)
        passed.add(at)
        at = nodes[at].parent
    return path[::-1]


def _latest_end(nodes: Mapping[str, Node]) -> str | None:
    parents = {node.parent for node in nodes.values()}
    ends = [name for name in nodes if name not in parents] or list(nodes)
    times = [(node.at.timestamp() if node.at else 0.0) for node in (nodes[name] for name in ends)]
    return max(zip(times, range(len(ends)), ends, strict=True))[2] if ends else None


def _node(given: Any, place: str, *, has_room: bool) -> Node:
    fields = object_of(given)
    message = object_of(fields.get("message"))
    parent = fields.get("parent")
    written = tuple(each for each in _written(message) if each.text.strip()) if has_room else ()
    return Node(parent if isinstance(parent, str) else None, moment_of(message.get("create_time")), place, written)


def _written(message: Mapping[str, Any]) -> Iterator[Written]:
    content, metadata = object_of(message.get("content")), object_of(message.get("metadata"))
    kind, role = content.get("content_type"), object_of(message.get("author")).get("role")
    standing = object_of(metadata.get("user_context_message_data"))
    if standing or kind == "user_editable_context":
        about = text_of(standing.get("about_user_message")) or _unwrapped(content, "user_profile")
        how = text_of(standing.get("about_model_message")) or _unwrapped(content, "user_instructions")
        yield Written(Wrote.ABOUT_ME, joined([about]))
        yield Written(Wrote.HOW_TO_ANSWER, joined([how]))
    elif kind == "model_editable_context":
        yield Written(Wrote.MEMORY, joined([text_of(content.get("model_set_context"))]))
    elif role == "assistant" and message.get("recipient") == _BIO:
        yield Written(Wrote.MEMORY, joined(_parts(content)))
    elif role == "user" and not metadata.get("is_visually_hidden_from_conversation"):
        yield Written(Wrote.SAID, joined(_parts(content)))


def _parts(content: Mapping[str, Any]) -> Iterator[str]:
    """The words of a message, typed or spoken; pictures and files are none."""
    if content.get("content_type") not in {"text", "multimodal_text"}:
        return
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else []:
        if object_of(part).get("content_type") == "audio_transcription":
            yield text_of(part.get("text"))
        else:
            yield from texts_of([part])


def _unwrapped(content: Mapping[str, Any], name: str) -> str:
    """What a person wrote of themselves: older files have it between backticks, behind a sentence to the model."""
    text = text_of(content.get(name))
    fenced = _FENCED.search(text)
    return fenced[1] if fenced else text


MEMORY_NAMES = ("conversations_memory", "project_memories", "memory_files")
"""Any of them makes an object what Claude keeps of its user."""

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
    nodes: dict[str, Node] | None = None
    messages = None
    holds_entries = False
    for name, member, where in members_of(raw, place):
        kind = kind_of(member)
        if name == "mapping" and kind == "object":
            nodes = read_nodes(member, where)
        elif name == "chat_messages" and kind == "list":
            messages = read_messages(member, where)
        elif name in MEMORY_NAMES:
            holds_entries = True
            yield from read_memory(name, member, where, projects)
        elif name in LISTS and kind in {"list", "object"}:
            holds_entries = True
            yield from read_entries(member, where, projects)
        elif name in _TAGS or name == "metadata":
            fields[name] = value_of(member, where)
        elif name in _SCALARS:
            fields[name] = shallow_value(member, where)
    place = place or "JSON"
    if nodes is not None:
        yield from entries_of_conversation(fields, nodes, place)
    elif messages is not None:
        yield chat_of(fields, messages, place)
    elif is_project(fields):
        yield from project_of(fields, place, projects)
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

"""ChatGPT's conversations: a tree of messages, of which the chat is the path from its last message to its root."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from msgspec import Raw, Struct

from orca_core.model.import_export import ForeignChat, ForeignEntry, ForeignFormat, ForeignMessage, ForeignText
from orca_core.serialize.documents import kind_of
from orca_core.serialize.foreign.values import joined, members_of, moment_of, object_of, text_of, texts_of, value_of

CHAT_CHARS = 4_000_000
"""So much of all messages of a chat is kept while its path is not known yet."""
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


def entries_of(conversation: Mapping[str, Any], nodes: Mapping[str, Node], place: str) -> Iterator[ForeignEntry]:
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

"""Files as other programs write them, made by hand for the tests."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.model.import_export import ForeignEntry
from orca_core.serialize.foreign_files import read_foreign_file

MARCH = 1_709_640_000.5
"""2024-03-05, noon, in UTC."""

PACKED_ON = (2024, 3, 5, 12, 0, 0)


def entries(document: object) -> list[ForeignEntry]:
    """What is read of a document, given as bytes, as text, or as the value that its JSON holds."""
    return list(read_foreign_file(io.BytesIO(as_bytes(document))))


def as_bytes(document: object) -> bytes:
    if isinstance(document, bytes):
        return document
    return (document if isinstance(document, str) else json.dumps(document)).encode()


def packed(files: Mapping[str, object], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of documents."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", compression) as made:
        for name, document in files.items():
            made.writestr(zipfile.ZipInfo(name, PACKED_ON), as_bytes(document), compression)
    return archive.getvalue()


def message(role: str, *parts: object, at: float | None = MARCH, **fields: Any) -> dict[str, Any]:
    """A message of ChatGPT's."""
    return {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": list(parts)},
        "recipient": "all",
        "metadata": {},
        **fields,
    }


def conversation(messages: Sequence[Mapping[str, Any] | None], title: str = "Chat", **fields: Any) -> dict[str, Any]:
    """A conversation of ChatGPT's without branches: each message follows the one before."""
    names = [f"node-{number}" for number in range(len(messages))]
    mapping = {
        name: {
            "id": name,
            "message": messages[number],
            "parent": names[number - 1] if number else None,
            "children": names[number + 1 : number + 2],
        }
        for number, name in enumerate(names)
    }
    current = names[-1] if names else None
    return {"title": title, "create_time": MARCH, "mapping": mapping, "current_node": current, **fields}


def claude_chat(*texts: str, name: str = "Chat", **fields: Any) -> dict[str, Any]:
    """A chat of Claude's, in which a person wrote these texts, and was answered."""
    messages: list[dict[str, Any]] = []
    for text in texts:
        for sender, said in (("human", text), ("assistant", "I live in a data centre.")):
            block = {"type": "text", "text": said}
            at = "2024-03-05T12:00:00.500000Z"
            messages.append(
                {"sender": sender, "text": said, "content": [block], "created_at": at, "attachments": [], "files": []}
            )
    return {"uuid": "c-1", "name": name, "created_at": "2024-03-05T11:00:00Z", "chat_messages": messages, **fields}

"""Values as columns hold them, where a record type does not say it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from orca_core.model.learning import AgentMessage
from orca_core.model.llm import Role, Span
from orca_core.model.recall import Citation
from orca_core.model.record_types import Kinds, plain_ref

_SPANS = msgspec.json.Decoder(tuple[Span, ...])
_VERIFICATION = "verification "
"""Stands before the role of a message between Orca and the verifier."""


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def fields_from_json(text: str) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = json.loads(text)
    return fields


def citations_to_json(citations: Sequence[Citation]) -> str:
    return to_json([{"id": plain_ref(each.ref), "at": each.at} for each in citations])


def citations_from_json(text: str | None, kinds: Kinds) -> tuple[Citation, ...]:
    return tuple(Citation(kinds.ref(each["id"]), each["at"]) for each in json.loads(text or "[]"))


def spans_from_json(text: str | None) -> tuple[Span, ...]:
    return _SPANS.decode(text or "[]")


def role_column(message: AgentMessage) -> str:
    """Who speaks in an exchange, and whether with the verifier."""
    return f"{_VERIFICATION}{message.role}" if message.in_verification else message.role


def role_from_column(text: str) -> tuple[Role, bool]:
    """Who speaks, and whether with the verifier."""
    role = text.removeprefix(_VERIFICATION)
    return cast(Role, role), role != text

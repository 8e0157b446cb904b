"""Values as columns hold them, where a record type does not say it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from orca_core.domain.recall import Citation
from orca_core.domain.refs import plain_ref


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def fields_from_json(text: str) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = json.loads(text)
    return fields


def citations_to_json(citations: Sequence[Citation]) -> str:
    return to_json([{"id": plain_ref(each.ref), "at": each.at} for each in citations])

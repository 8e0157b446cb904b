"""Check a record that comes from an export, and decide what of it comes where the export is not trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.import_export import (
    HELD_BACK,
    Arrival,
    ExportedChange,
    ExportedOperation,
    ExportedRecord,
    IncomingRecord,
)
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import (
    BIRTH_WEIGHT,
    Fields,
    OriginKind,
    State,
)
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, RecordType, parse_timestamp, timestamp
from orca_core.rules.memory.memory_curation import between, checked_tags
from orca_core.rules.text.cleaning import check_length, check_memory_length, clean_memory, for_terminal, plain_object
from orca_core.rules.text.dates import moment
from orca_core.rules.work.record_texts import episode_text, knowledge_text

MAX_WEIGHT = 1000.0
"""Above any ceiling that is set. Chosen by hand."""
MAX_UID_CHARS = 200
_LONGEST_NAME = 1000
"""Of a session and of an action, which are not looked up. Chosen by hand."""
_TIMES = ("created_at", "updated_at")
_UNUSED: Fields = {"access_count": 0, "last_accessed": None}
_OF_NOBODY: Fields = {
    "origin_kind": OriginKind.IMPORT.value,
    "origin_session": None,
    "origin_rounds": [],
    "origin_quote": None,
    "origin_model": None,
}
_FRESH: Mapping[Kind, Fields] = {
    MEMORY: {
        "weight": BIRTH_WEIGHT,
        "used": 0,
        "seen": 1,
        "superseded_by": None,
        "would_replace": None,
        "confirmed_by": None,
        "searched": 0,
        "searched_at": None,
        "elsewhere_program": "",
        "elsewhere_chat": "",
    },
    EPISODE: {"consolidated_into": None, "task": None, "archived_at": None},
    KNOWLEDGE: {"archived_at": None, "version": 1},
    GUIDE: {"archived_at": None, "version": 1},
}
"""The kinds of which a person can decide one by one, and what of them only their own home can know."""


def incoming(record: ExportedRecord, at: datetime, *, is_trusted: bool) -> IncomingRecord:
    """The record, checked, and what is to come of it. Raises InvalidInput, which names the place."""
    with _at_its_place(record):
        whole = _checked(record, at)
    if is_trusted:
        return IncomingRecord(whole)
    waiting = _untrusted(whole, at)
    if waiting is None:
        return IncomingRecord(replace(whole, history=()), Arrival.LEFT_OUT)
    return IncomingRecord(waiting, Arrival.CANDIDATE)


def checked_operation(operation: ExportedOperation) -> ExportedOperation:
    """Raises InvalidInput, which names the place."""
    header = operation.header
    with _at_its_place(operation):
        action, session = _of("action", _name, header.action), header.session_id
        session = None if session is None else _of("session_id", _name, session)
    return replace(operation, header=replace(header, action=action, session_id=session))


@contextmanager
def _at_its_place(record: ExportedRecord | ExportedOperation) -> Iterator[None]:
    """Say of what is refused where it stands."""
    try:
        yield
    except InvalidInput as error:
        field = str(error.fields.get("field") or "")
        raise InvalidInput(
            template="{place}, line {line}: {reason}",
            hint=error.way_out_template,
            reason_template=error.sentence_template,
            **{
                **error.fields,
                "reason": error.message,
                "place": f"{record.place}.{field}".removesuffix("."),
                "line": record.line,
            },
        ) from error


def _checked(record: ExportedRecord, at: datetime) -> ExportedRecord:
    """With its texts cleaned, named and dated where it was not. Raises InvalidInput, whose `field` says what is
    wrong."""
    fields = _checked_fields(record.kind, {**record.fields})
    if "uid" in fields:
        fields["uid"] = _of("uid", _checked_uid, fields["uid"] or uuid4().hex)
    for name in _TIMES:
        if name in fields:
            fields[name] = fields[name] or (fields.get("created_at") if name == "updated_at" else timestamp(at))
    history = tuple(_checked_change(record.kind, place, each) for place, each in enumerate(record.history))
    return replace(record, fields=fields, history=history)


def _untrusted(record: ExportedRecord, at: datetime) -> ExportedRecord | None:
    """Return what comes of a record of which nothing is believed but what it says: it waits for a person. None where
    nothing does: of what did not live, and of what a person can't decide about one by one."""
    if record.kind not in _FRESH or record.fields["state"] not in (State.LIVE.value, State.CANDIDATE.value):
        return None
    fields = {**record.fields, **HELD_BACK, **_UNUSED, **_OF_NOBODY, **_FRESH[record.kind]}
    fields["created_at"] = timestamp(min(parse_timestamp(fields["created_at"]), at))
    fields["updated_at"] = timestamp(at)
    if record.kind == EPISODE:
        fields |= {"aged_from": timestamp(at), "text": _text_of_episode(fields)}
    if record.kind == KNOWLEDGE:
        fields["text"] = _text_of_knowledge(fields)
    return replace(record, fields=fields, history=(), is_read=False)


def _checked_change(kind: Kind, place: int, change: ExportedChange) -> ExportedChange:
    try:
        before = None if change.before is None else _checked_fields(kind, {**change.before})
        return ExportedChange(change.operation, before, _checked_fields(kind, {**change.after}))
    except InvalidInput as error:
        error.fields["field"] = f"history[{place}].{error.fields.get('field', '')}"
        raise


def _checked_fields(kind: Kind, fields: dict[str, Any]) -> dict[str, Any]:
    fields = _of("", plain_object, fields)
    checks: Mapping[str, Callable[[Any], Any]] = _OF_MEMORIES if kind == MEMORY else _OF_OTHERS
    for name, check in checks.items():
        if fields.get(name) is not None:
            fields[name] = _of(name, check, fields[name])
    return fields


def _of(field: str, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except InvalidInput as error:
        error.fields["field"] = field
        raise


def _checked_uid(uid: str) -> str:
    if not (uid.isprintable() and len(uid) <= MAX_UID_CHARS):
        raise InvalidInput(template="{found} can't name a record", found=quoted(uid))
    return uid


def _checked_content(text: str) -> str:
    cleaned = clean_memory(text)
    check_memory_length(cleaned)
    return cleaned


def _share(value: float) -> float:
    return between("confidence", value, 1.0)


def _weight(value: float) -> float:
    return between("weight", value, MAX_WEIGHT)


def _time(value: str) -> str:
    return timestamp(moment(value)) if value else value


def _at_least_one(value: int) -> int:
    if value < 1:
        raise InvalidInput(template="{name} must be at least 1", name="number")
    return value


def _name(value: str) -> str:
    check_length(value, "name", _LONGEST_NAME)
    return for_terminal(value)


_OF_OTHERS: Mapping[str, Callable[[Any], Any]] = {
    "session_id": _name,
    "origin_session": _name,
    "confidence": _share,
    "number": _at_least_one,
}
_OF_MEMORIES: Mapping[str, Callable[[Any], Any]] = {
    **_OF_OTHERS,
    "content": _checked_content,
    "weight": _weight,
    "tags": lambda tags: list(checked_tags(tags)),
    "elsewhere_program": _name,
    "elsewhere_chat": _name,
    "created_at": _time,
    "updated_at": _time,
}


def _text_of_episode(fields: Fields) -> str:
    told = _record(EPISODES, fields)
    return episode_text(
        trigger=told.trigger_summary,
        target=told.target,
        steps=told.steps,
        outcome=told.outcome,
        tags=told.tags,
        at=told.created_at,
    )


def _text_of_knowledge(fields: Fields) -> str:
    known = _record(KNOWLEDGES, {**fields, "source_episodes": []})
    return knowledge_text(topic=known.topic, content=known.content, key_points=known.key_points, target=known.target)


def _record(record_type: RecordType[Any], fields: Fields) -> Any:
    columns = record_type.columns_from_plain({**fields, "id": 0})
    return record_type.from_row([columns[name] for name in record_type.names])

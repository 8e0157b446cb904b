"""Check a record that comes from a file, and decide what of it comes where the file is not trusted; fold what a file
says several times, and make memories of what another program's file offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.import_export import (
    HELD_BACK,
    Arrival,
    Arriving,
    Coming,
    Offered,
    Packed,
    PackedChange,
    PackedOperation,
    PackedPair,
)
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import (
    BIRTH_WEIGHT,
    MEMORIES,
    Elsewhere,
    Fields,
    NewMemory,
    Origin,
    OriginKind,
    State,
    Why,
)
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, RecordType, parse_timestamp, timestamp
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.memory.memory_curation import between, checked_tags
from orca_core.rules.memory.said_again import born_by
from orca_core.rules.text.cleaning import check_length, check_memory_length, clean_memory, for_terminal, plain_object
from orca_core.rules.text.dates import moment
from orca_core.rules.text.spelling import statement
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


def checked(packed: Packed, at: datetime) -> Packed:
    """The record with its texts cleaned, named and dated where it was not. Raises InvalidInput, whose `field` says what
    is wrong."""
    fields = _checked_fields(packed.kind, {**packed.fields})
    if "uid" in fields:
        fields["uid"] = _of("uid", _checked_uid, fields["uid"] or uuid4().hex)
    for name in _TIMES:
        if name in fields:
            fields[name] = fields[name] or (fields.get("created_at") if name == "updated_at" else timestamp(at))
    history = tuple(_checked_change(packed.kind, place, each) for place, each in enumerate(packed.history))
    for place, pair in enumerate(packed.pairs or ()):
        _check_pair(f"pairs[{place}]", pair, fields["uid"])
    return replace(packed, fields=fields, history=history)


def checked_operation(operation: PackedOperation) -> PackedOperation:
    """Raises InvalidInput, whose `field` says what is wrong."""
    header = operation.header
    action, session = _of("action", _name, header.action), header.session_id
    session = None if session is None else _of("session_id", _name, session)
    return replace(operation, header=replace(header, action=action, session_id=session))


def untrusted(packed: Packed, at: datetime) -> Packed | None:
    """Return what comes of a record of which nothing is believed but what it says: it waits for a person. None where
    nothing does: of what did not live, and of what a person can't decide about one by one."""
    if packed.kind not in _FRESH or packed.fields["state"] not in (State.LIVE.value, State.CANDIDATE.value):
        return None
    fields = {**packed.fields, **HELD_BACK, **_UNUSED, **_OF_NOBODY, **_FRESH[packed.kind]}
    fields["created_at"] = timestamp(min(parse_timestamp(fields["created_at"]), at))
    fields["updated_at"] = timestamp(at)
    if packed.kind == EPISODE:
        fields |= {"aged_from": timestamp(at), "text": _text_of_episode(fields)}
    if packed.kind == KNOWLEDGE:
        fields["text"] = _text_of_knowledge(fields)
    return Packed(packed.kind, fields, pairs=packed.pairs)


def _check_pair(place: str, pair: PackedPair, uid: str) -> None:
    if pair.older == uid:
        raise InvalidInput(template="a memory makes no pair with itself", field=f"{place}.with")
    if pair.why not in frozenset(Why):
        raise InvalidInput(
            template="{found} is none of {known}",
            found=quoted(pair.why),
            known=", ".join(sorted(Why)),
            field=f"{place}.why",
        )


def _checked_change(kind: Kind, place: int, change: PackedChange) -> PackedChange:
    try:
        before = None if change.before is None else _checked_fields(kind, {**change.before})
        return PackedChange(change.operation, before, _checked_fields(kind, {**change.after}))
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


def _reason(reason: str) -> str:
    """Tell why something waits, as it is called today."""
    before, colon, held = reason.rpartition(": ")  # "expired: weak_evidence"
    return f"{before}{colon}{_FORMER_REASONS.get(held, held)}"


_FORMER_REASONS: Mapping[str, str] = {"weak_evidence": "unread", "conditional": "unread", "second_reader": "not_said"}
"""Why something waited by the rules of words and by the second reader, and what the verifier makes of it
(docs/decisions/0050)."""
_OF_OTHERS: Mapping[str, Callable[[Any], Any]] = {
    "session_id": _name,
    "origin_session": _name,
    "confidence": _share,
    "number": _at_least_one,
    "held_because": _reason,
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


MOST = 50_000
"""More than anybody decides of."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class Folded(Struct):
    """A memory with the places of the file that say the same. It was said when it was said last."""

    offered: Offered
    places: list[str] = field(default_factory=list)
    """Where it is said again; of many only so many are kept."""
    count: int = 1


class Folding:
    """Takes what is offered, one after the other, and keeps of the same words, and of the same name, one."""

    def __init__(self) -> None:
        self._by_words: dict[str, Folded] = {}
        self._by_name: dict[str, Folded] = {}

    def take(self, offered: Offered) -> Folded:
        """Return what it is folded into: a new one, or one that says it already."""
        words = statement(offered.content) or offered.content
        known = self._by_words.get(words) or self._by_name.get(offered.uid)
        if known is None:
            if len(self._by_words) >= MOST:
                raise InvalidInput(
                    template="the file holds more than {most} memories",
                    hint="split it, and import its parts",
                    most=MOST,
                )
            new = self._by_words[words] = self._by_name[offered.uid] = Folded(offered)
            return new
        known.count += 1
        if len(known.places) < _MOST_PLACES:
            known.places.append(offered.place)
        known.offered = _both(known.offered, offered)
        return known

    @property
    def folded(self) -> Iterable[Folded]:
        """All of them, in the order in which they were first said."""
        return self._by_words.values()


def _both(known: Offered, again: Offered) -> Offered:
    """It was said when it was said last. What the person said of it in a chat is kept, with that chat, where the other
    one has no word of the person's."""
    is_later = (again.said_at or _NEVER) > (known.said_at or _NEVER)
    told = again if is_later else known
    if (again.quote is None) is not (known.quote is None):
        told = known if again.quote is None else again
    return replace(known, said_at=again.said_at if is_later else known.said_at, chat=told.chat, quote=told.quote)


_MOST_PLACES = 20


def coming(folded: Folded, at: datetime, *, is_trusted: bool) -> Coming:
    """It waits for a person. With trust it lives, unless it holds what only its owner should confirm, counts from a day
    that nobody knows, or was found by a pattern in a chat: that nobody verified."""
    offered = folded.offered
    lives = is_trusted and offered.held_because == Held.IMPORTED.value and offered.quote is None
    new = NewMemory(
        offered.content,
        offered.type,
        offered.tags,
        offered.confidence,
        origin=Origin(OriginKind.IMPORT, quote=offered.quote),
        state=State.LIVE if lives else State.CANDIDATE,
        held_because=None if lives else offered.held_because,
        elsewhere=Elsewhere(offered.format.value, offered.chat),
    )
    memory = new.born(offered.uid, at, born_by(new))
    memory = replace(memory, created_at=min(offered.said_at or at, at), seen=folded.count)
    fields = MEMORIES.plain(memory, [name for name in MEMORIES.names if name != "id"])
    return Coming(Arriving(Packed(MEMORY, fields), offered.place), Arrival.NEW if lives else Arrival.CANDIDATE)

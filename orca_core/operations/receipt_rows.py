"""A receipt as a row: figures and reasons, the numbers of the texts that it shows, and the block as literal pieces
with a slot for each text. Each text of a record is stored once and counted, and deleted with its record in one step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct

from orca_core.model import recall
from orca_core.model.memories import Status
from orca_core.model.recall import (
    CutBlock,
    Injection,
    Item,
    Level,
    LookUp,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
    Slot,
    WeightMove,
)
from orca_core.model.record_types import SUMMARY, Cause, Kind, Kinds, Ref, cause_of_sentence, plain_ref
from orca_core.store.ports import Rows, any_of, is_

TEXTS, OF_RECORDS = "receipt_texts", "texts_of_records"


def text_ids(rows: Rows, said: Collection[tuple[Ref, str]]) -> dict[tuple[Ref, str], int]:
    """The number of each text of a record; stored where no receipt holds it yet."""
    known: dict[tuple[Ref, str], int] = {}
    for kind in {ref.kind for ref, _ in said}:
        wanted = sorted({ref.id for ref, _ in said if ref.kind == kind})
        held = rows.select(OF_RECORDS, ("record", "text"), is_("kind", kind.name), any_of("record", wanted))
        shown = contents(rows, [text for _, text in held])
        known.update({(Ref(kind, record), shown[text]): text for record, text in held if text in shown})
    for ref, content in said:
        if (ref, content) not in known:
            known[ref, content] = text_of_several(rows, [ref], content)
    return {each: known[each] for each in said}


def text_of_several(rows: Rows, refs: Sequence[Ref], content: str) -> int:
    """Store a new text, which is deleted with any of these records."""
    made = rows.insert(TEXTS, {"content": content})
    values = [(ref.kind.name, ref.id, made) for ref in dict.fromkeys(refs)]
    rows.insert_all(OF_RECORDS, ("kind", "record", "text"), values)
    return made


def count(rows: Rows, ids: Iterable[int]) -> None:
    """Count one more receipt for these texts. A trigger counts down when the receipt is deleted."""
    held = rows.select(TEXTS, ("id", "held_by"), any_of("id", ids))
    rows.update_each(TEXTS, ("held_by",), {number: (held_by + 1,) for number, held_by in held})


def contents(rows: Rows, ids: Iterable[int]) -> Mapping[int, str]:
    """The texts that are there."""
    return dict[int, str](
        (number, content) for number, content in rows.select(TEXTS, ("id", "content"), any_of("id", ids))
    )


def forget_texts(rows: Rows, kind: Kind, ids: Sequence[int]) -> None:
    """Delete the texts of deleted records: no receipt shows them any more."""
    held = rows.select(OF_RECORDS, ("text",), is_("kind", kind.name), any_of("record", ids))
    rows.delete(TEXTS, any_of("id", [text for (text,) in held]))


def forget_of_rounds(rows: Rows, round_ids: Sequence[int]) -> None:
    """Delete the summaries of deleted rounds from receipts, also expired ones."""
    made = rows.select("short_term_sources", ("id",), any_of("round_id", round_ids))
    forget_texts(rows, SUMMARY, [number for (number,) in made])


TABLE = "turn_receipts"
_NO_TEXT = 0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class _Item(msgspec.Struct, array_like=True):
    """`text` is a number of `receipt_texts`, 0 for one that was deleted before the receipt was written. `reason` and
    `type` are places in the body's `words`; the time is in microseconds; `shortfall` is missing in older receipts."""

    ref: str
    text: int
    parts: tuple[float, float, float, float]
    reason: int
    type: int | None
    created_at: int | None
    pinned: int
    shortfall: tuple[float, float] | None = None


class _LookUp(msgspec.Struct, array_like=True):
    """`query` is a number of `receipt_texts`: it goes with every record that the turn was shown; a literal where there
    was none."""

    query: int | str
    items: tuple[_Item, ...]
    seconds: float
    cause: Cause | None = None


class _Body(msgspec.Struct, omit_defaults=True):
    """`words` are reasons and types, each once; `pieces` are literals and numbers of injected items; `whole` is the
    text of a block that is in no pieces. Older receipts have the English sentence of a failure alone, in `failed`."""

    texts: tuple[int, ...]
    words: tuple[str, ...]
    level: Level
    rules: tuple[str, ...]
    injected: tuple[_Item, ...] = ()
    dropped: tuple[_Item, ...] = ()
    head: int = 0
    pieces: tuple[str | int, ...] = ()
    whole: int | None = None
    tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0
    failed: str = ""
    cause: Cause | None = None
    context_tokens: int = 0
    may_look: bool = False
    lookups: tuple[_LookUp, ...] = ()
    used: tuple[int | str, ...] = ()
    unused: tuple[int | str, ...] = ()
    unknown: tuple[int | str, ...] = ()
    weights: tuple[tuple[int | str, float, float, Status | None], ...] = ()


class StoredReceipt(Struct, frozen=True):
    """The head of a row of `turn_receipts`, with its round."""

    session_id: str
    round: int
    body: str


def save_receipt(rows: Rows, round_id: int, receipt: Receipt) -> None:
    """Store the receipt of a round, replacing an earlier one, without the texts of deleted records."""
    injection = receipt.injection
    shown = (*injection.considered, *injection.looked_up)
    gone = rows.lists.gone({item.ref for item in shown})
    there = [(item.ref, item.content) for item in shown if item.content and item.ref not in gone]
    ids = text_ids(rows, there)
    head, pieces, whole = _block(rows, injection, gone)
    judged = receipt.references
    words = _Words()
    lookups = tuple(
        _LookUp(
            _query(rows, injection, each.query, gone),
            tuple(_stored(item, ids, words) for item in each.items),
            each.seconds,
            each.failed,
        )
        for each in injection.lookups
    )
    queries = {each.query for each in lookups if isinstance(each.query, int)}
    held = {*ids.values(), *([whole] if whole else []), *queries} - {_NO_TEXT}
    injected = tuple(_stored(item, ids, words) for item in injection.injected)
    dropped = tuple(_stored(item, ids, words) for item in injection.dropped)
    body = _Body(
        texts=tuple(sorted(held)),
        words=tuple(words.places),
        level=injection.level,
        rules=injection.rules,
        injected=injected,
        dropped=dropped,
        head=head,
        pieces=pieces,
        whole=whole,
        tokens=injection.tokens,
        prompt_tokens=injection.prompt_tokens,
        seconds=injection.seconds,
        cause=injection.failed,
        context_tokens=injection.context_tokens,
        may_look=injection.may_look,
        lookups=lookups,
        used=tuple(map(plain_ref, judged.used)),
        unused=tuple(map(plain_ref, judged.unused)),
        unknown=tuple(map(plain_ref, judged.unknown)),
        weights=tuple((plain_ref(move.ref), move.before, move.after, move.status) for move in receipt.weights),
    )
    count(rows, held)
    rows.delete(TABLE, is_("round_id", round_id))
    rows.insert(TABLE, {"round_id": round_id, "body": msgspec.json.encode(body).decode()})


def load_receipts(rows: Rows, stored: list[StoredReceipt], kinds: Kinds) -> list[Receipt]:
    """The receipts as they may be shown: without deleted texts."""
    bodies = [msgspec.json.decode(each.body, type=_Body) for each in stored]
    shown = contents(rows, {text for body in bodies for text in body.texts})
    heads = {body.head: _head(rows, body.head) for body in bodies if body.head}
    return [
        _receipt(each, body, shown, heads.get(body.head, ""), kinds) for each, body in zip(stored, bodies, strict=True)
    ]


def reason_in(body: str, ref: Ref) -> str:
    """Why a record was injected; empty where it was not."""
    decoded = msgspec.json.decode(body, type=_Body)
    shown = (*decoded.injected, *(item for each in decoded.lookups for item in each.items))
    return next((decoded.words[item.reason] for item in shown if item.ref == str(ref)), "")


def _query(rows: Rows, injection: Injection, query: str, gone: Collection[Ref]) -> int | str:
    """A query may repeat what the model had read, so it goes with each record that stood before it."""
    refs = [item.ref for item in injection.shown]
    if not refs:
        return query
    if any(ref in gone for ref in refs):
        return _NO_TEXT
    return text_of_several(rows, refs, query)


def _block(rows: Rows, injection: Injection, gone: Collection[Ref]) -> tuple[int, tuple[str | int, ...], int | None]:
    """(head, pieces, whole) of the block."""
    if not injection.block:
        return 0, (), None
    cut = recall.cut(injection.block, injection.injected)
    if cut is not None:
        pieces = tuple(piece if isinstance(piece, str) else piece.place for piece in cut.pieces)
        return _head_id(rows, cut.head), pieces, None
    refs = [item.ref for item in injection.injected]
    if not refs:
        return 0, (injection.block,), None
    if any(item.ref in gone or not item.content for item in injection.injected):
        return 0, (), _NO_TEXT
    return 0, (), text_of_several(rows, refs, injection.block)


def _head_id(rows: Rows, head: str) -> int:
    found = rows.select("receipt_heads", ("id",), is_("content", head))
    return found[0][0] if found else rows.insert("receipt_heads", {"content": head})


def _head(rows: Rows, head: int) -> str:
    found = rows.select("receipt_heads", ("content",), is_("id", head))
    return str(found[0][0]) if found else ""


class _Words:
    """Numbers reasons and types, each once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, word: str) -> int:
        return self.places.setdefault(word, len(self.places))


def _stored(item: Item, ids: Mapping[tuple[Ref, str], int], words: _Words) -> _Item:
    parts, text = item.parts, ids.get((item.ref, item.content), _NO_TEXT)
    return _Item(
        str(item.ref), text, (parts.vector, parts.text, parts.weight, parts.recency),
        words.place(item.reason), None if item.type is None else words.place(item.type),
        None if item.created_at is None else (item.created_at - _EPOCH) // _MICROSECOND, int(item.pinned),
        None if item.shortfall is None else (item.shortfall.near, item.shortfall.asked),
    )  # fmt: skip


def _receipt(stored: StoredReceipt, body: _Body, shown: Mapping[int, str], head: str, kinds: Kinds) -> Receipt:
    injected = tuple(_item(each, body.words, shown, kinds) for each in body.injected)
    injection = Injection(
        level=body.level,
        rules=body.rules,
        injected=injected,
        dropped=tuple(_item(each, body.words, shown, kinds) for each in body.dropped),
        block=_block_as_seen(body, injected, shown, head),
        tokens=body.tokens,
        prompt_tokens=body.prompt_tokens,
        seconds=body.seconds,
        failed=body.cause or cause_of_sentence(body.failed),
        context_tokens=body.context_tokens,
        may_look=body.may_look,
        lookups=tuple(_lookup(each, body.words, shown, kinds) for each in body.lookups),
    )
    references = References(*(tuple(map(kinds.ref, plain)) for plain in (body.used, body.unused, body.unknown)))
    weights = tuple(WeightMove(kinds.ref(move[0]), *move[1:]) for move in body.weights)
    return Receipt(stored.session_id, stored.round, injection, references, weights)


def _lookup(stored: _LookUp, words: tuple[str, ...], shown: Mapping[int, str], kinds: Kinds) -> LookUp:
    query = stored.query if isinstance(stored.query, str) else shown.get(stored.query, recall.GONE)
    items = tuple(_item(each, words, shown, kinds) for each in stored.items)
    return LookUp(query, items, stored.seconds, stored.cause)


def _block_as_seen(body: _Body, injected: tuple[Item, ...], shown: Mapping[int, str], head: str) -> str:
    if body.whole is not None:
        return shown.get(body.whole, recall.GONE)
    pieces = tuple(piece if isinstance(piece, str) else Slot(injected[piece].ref, piece) for piece in body.pieces)
    return recall.put_together(CutBlock(head, pieces), lambda slot: shown.get(body.injected[slot.place].text))


def _item(stored: _Item, words: tuple[str, ...], shown: Mapping[int, str], kinds: Kinds) -> Item:
    content = shown.get(stored.text, "")
    made_at = None if stored.created_at is None else _EPOCH + stored.created_at * _MICROSECOND
    return Item(
        kinds.ref(stored.ref), content, ScoreParts(*stored.parts), words[stored.reason],
        None if stored.type is None else words[stored.type], made_at, bool(stored.pinned),
        None if stored.shortfall is None else Shortfall(*stored.shortfall),
    )  # fmt: skip

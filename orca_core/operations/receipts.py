"""Receipts of turns, stored and read. A row holds figures and reasons, the numbers of the texts that it shows, and the
block as literal pieces with a slot for each text. Each text of a record is stored once and counted, and deleted with
its record in one step."""

from __future__ import annotations

import json
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct

from orca_core.model import recall
from orca_core.model.errors import NotFound
from orca_core.model.memories import Status
from orca_core.model.recall import (
    Appearance,
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
from orca_core.model.record_types import SUMMARY, Cause, Kind, Kinds, Ref, cause_of_sentence, parse_timestamp, plain_ref
from orca_core.operations.operations import ScopedStore
from orca_core.operations.rounds import STANDS
from orca_core.store.ports import Condition, Row, Rows, above, any_of, below, is_, is_not

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


TABLE, USES = "turn_receipts", "memory_usage_log"
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
            tuple(_stored_item(item, ids, words) for item in each.items),
            each.seconds,
            each.failed,
        )
        for each in injection.lookups
    )
    queries = {each.query for each in lookups if isinstance(each.query, int)}
    held = {*ids.values(), *([whole] if whole else []), *queries} - {_NO_TEXT}
    injected = tuple(_stored_item(item, ids, words) for item in injection.injected)
    dropped = tuple(_stored_item(item, ids, words) for item in injection.dropped)
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


def _stored_item(item: Item, ids: Mapping[tuple[Ref, str], int], words: _Words) -> _Item:
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


MIN_ROUNDS = 3
LATEST_ROUNDS = 20
"""From so many rounds, at least and at most, the ratio of tokens is taken. Chosen by hand."""


class ReceiptStore(ScopedStore):
    """The receipts of one scope."""

    async def receipt(self, session_id: str | None, number: int | None) -> Receipt:
        """Of a round, the latest that has one where no number is given, of the session used last where none is named.
        Raises NotFound."""

        def read(rows: Rows) -> Receipt:
            meant = session_id or _latest_session(rows)
            found = None if meant is None else _stored(rows, meant, number)
            if found is None and number is None:
                raise NotFound(template="no turn has a receipt yet", what="receipt of round", id="")
            if found is None:
                raise NotFound(what="receipt of round", id=number)
            [receipt] = load_receipts(rows, [found], self._types.kinds)
            return receipt

        return await self._transactions.read(read, own=True)

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]:
        """By the numbers of their rounds; those that are there."""

        def read(rows: Rows) -> dict[int, Receipt]:
            where = (is_("session_id", session_id), any_of("number", numbers), STANDS)
            rounds = dict[int, int]((each, place) for each, place in rows.select("rounds", ("id", "number"), *where))
            bodies = rows.select(TABLE, ("round_id", "body"), any_of("round_id", rounds))
            stored = [StoredReceipt(session_id, rounds[round_id], body) for round_id, body in bodies]
            return {each.round: each for each in load_receipts(rows, stored, self._types.kinds)}

        return await self._transactions.read(read, own=True)

    async def appearances(self, ref: Ref, limit: int) -> list[Appearance]:
        """The rounds in which a record was put before the model, the latest first."""

        def read(rows: Rows) -> list[Appearance]:
            latest = _latest_uses(rows, ref, limit)
            ids = [round_id for _, round_id, *_rest in latest]
            columns, those = ("id", "session_id", "number"), any_of("id", ids)
            rounds = {
                number: (session_id, place) for number, session_id, place in rows.select("rounds", columns, those)
            }
            named = any_of("id", sorted({session_id for session_id, _ in rounds.values()}))
            titles = dict[str, str]((each, title) for each, title in rows.select("sessions", ("id", "title"), named))
            found = rows.select(TABLE, ("round_id", "body"), any_of("round_id", ids))
            bodies = dict[int, str]((number, body) for number, body in found)
            told = []
            for _, round_id, at, use, before, after in latest:
                session_id, place = rounds[round_id]
                why = reason_in(bodies[round_id], ref) if round_id in bodies else ""
                moment = parse_timestamp(at)
                told.append(Appearance(session_id, titles[session_id], place, moment, why, use, before, after))
            return told

        return await self._transactions.read(read, own=True)

    async def token_ratio(self, model: str) -> float | None:
        """How many tokens a model counts to one that was estimated; None where too few rounds tell."""

        def read(rows: Rows) -> float | None:
            where = (
                is_("model", model),
                is_("state", "done"),
                is_not("usage", None),
                above("estimated_prompt_tokens", 0),
            )
            columns = ("usage", "estimated_prompt_tokens")
            latest = rows.select("rounds", columns, *where, order=("-id",), limit=LATEST_ROUNDS)
            ratios = [json.loads(usage)["prompt_tokens"] / estimated for usage, estimated in latest]
            counted = [ratio for ratio in ratios if ratio > 0]
            return statistics.median(counted) if len(counted) >= MIN_ROUNDS else None

        return await self._transactions.read(read, own=True)


def _latest_session(rows: Rows) -> str | None:
    found = rows.select("sessions", ("id",), order=("-used_at", "-rowid"), limit=1)
    return found[0][0] if found else None


def _latest_uses(rows: Rows, ref: Ref, limit: int) -> list[Row]:
    """The latest uses of a record in rounds that stand, as many as asked for."""
    columns = ("id", "round_id", "at", "use", "weight_before", "weight_after")
    same: tuple[Condition, ...] = (is_("memory_id", ref.id), is_("kind", ref.kind.name))
    found: list[Row] = []
    while len(found) < limit and (page := rows.select(USES, columns, *same, order=("-id",), limit=limit)):
        those = any_of("id", [row[1] for row in page])
        there = {number for (number,) in rows.select("rounds", ("id",), those, STANDS)}
        found += [row for row in page if row[1] in there]
        same = (*same[:2], below("id", page[-1][0]))
    return found[:limit]


def _stored(rows: Rows, session_id: str, number: int | None) -> StoredReceipt | None:
    """The receipt of this round, or of the latest that has one."""
    where: tuple[Condition, ...] = (is_("session_id", session_id), STANDS)
    beyond = () if number is None else (is_("number", number),)
    while found := rows.select("rounds", ("id", "number"), *where, *beyond, order=("-number",), limit=LATEST_ROUNDS):
        those = any_of("round_id", [each for each, _ in found])
        there = {each for (each,) in rows.select(TABLE, ("round_id",), those)}
        for each, place in found:
            if each in there:
                [[body]] = rows.select(TABLE, ("body",), is_("round_id", each))
                return StoredReceipt(session_id, place, body)
        if number is not None:
            return None
        beyond = (below("number", found[-1][1]),)
    return None

"""Texts that receipts show: each text of a record is stored once and counted, and deleted with its record in one
step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from orca_core.model.records import SUMMARY, Kind, Ref
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

"""Deletes for good, inside the caller's transaction: what is deleted is in no list, search, history or turn any more.
Rows of memories and rounds are moved into a scope that nobody reads, which takes a moment however much hangs on
them; an engine wipes them from there piece by piece. Everything else goes at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from orca_core.model.episodes import EPISODES
from orca_core.model.feedback import ACTIONS, SUPPORTS, Action
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.learning import RunKind, RunState
from orca_core.model.memories import MEMORIES, Fields, Memory
from orca_core.model.record_types import CALL, EPISODE, KNOWLEDGE, RecordType, Ref, timestamp
from orca_core.model.tasks import STEPS, TASKS
from orca_core.operations import receipts, supports
from orca_core.operations.columns import fields_from_json, spans_from_json, to_json
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import memories_there, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import TITLE_CHARS, one_line
from orca_core.store.ports import Condition, Rows, any_of, at_least, at_most, is_

PENDING = "wipe_pending"
"""The key in `meta` that says that something deleted may still stand in rows, in freed pages and in journals."""
PREFIX = "\x1fdeleted/"
"""How the scopes begin in which rows wait to be wiped."""
HISTORY = "memory_history"
SOURCES, MARK = "source_episodes", "consolidated_into"
_OF_A_VERSION = ("text", "topic", "content", "key_points", SOURCES, "confidence", "version", "origin_model")
_ENDED = (RunState.DONE.value, RunState.NONE.value)

Rounds = Sequence[tuple[str, int]]
"""Sessions and numbers of rounds."""


def note(rows: Rows) -> None:
    """Note that something was deleted and is to be wiped."""
    rows.insert("meta", {"key": PENDING, "value": "1"}, if_absent=True)


def _scope_of_deleted(rows: Rows) -> str:
    """A scope for one deletion: values that are unique in a scope stay so."""
    return f"{PREFIX}{uuid4().hex}/{rows.own}"


# Memories and rounds


def hide_memories(rows: Rows, ids: Sequence[int], at: datetime, *, with_messages: bool) -> Rounds:
    """Returns the existing rounds that they came from; these are hidden too where asked. Their summaries go in any
    case: recall would bring them into other chats."""
    memories = memories_there(rows, ids)
    Tombstones(rows).lay(MEMORIES, memories, at)
    rounds = _rounds_of(rows, memories)
    there = [memory.id for memory in memories]
    for each in there:
        rows.words.drop(MEMORIES, each)
    for column in ("superseded_by", "would_replace"):
        rows.update(MEMORIES.table, {column: None}, any_of(column, there))
    for column in ("newer", "older"):
        rows.delete("undecided_pairs", any_of(column, there))
    rows.update(MEMORIES.table, {"scope": _scope_of_deleted(rows)}, any_of("id", there))
    receipts.forget_texts(rows, MEMORIES.kind, there)
    _forget_supports(rows, there)
    if with_messages:
        hide_rounds(rows, rounds, at)
    else:
        for session_id, numbers in _by_session(rounds).items():
            _forget_summaries(rows, session_id, numbers)
    note(rows)
    return rounds


def _rounds_of(rows: Rows, memories: Iterable[Memory]) -> Rounds:
    """The existing rounds that the memories came from: in their session, which may be deleted, and in every fork of it.
    Rounds later than a memory did not make it: a new session may have the name of a deleted one. An import may name
    rounds of no session: they are none of here."""
    found: dict[tuple[str, int], None] = {}
    for memory in memories:
        if memory.origin.session_id is None:
            continue
        made_before = at_most("started_at", timestamp(memory.created_at))
        for number in memory.origin.rounds:
            same = (is_("number", number), made_before)
            in_it = (is_("session_id", memory.origin.session_id), is_("number", number), is_("replaced_by", None))
            said = rows.select("rounds", ("said_in", "session_id"), *in_it)
            first_said = (said[0][0] or said[0][1]) if said else memory.origin.session_id
            for column in ("session_id", "said_in"):
                for session_id, place in rows.select(
                    "rounds", ("session_id", "number"), is_(column, first_said), *same
                ):
                    found[session_id, place] = None
    return sorted(found)


def hide_rounds(rows: Rows, rounds: Rounds, at: datetime) -> None:
    """Delete rounds with all their attempts, the exchanges that show them, and a summary that covers them."""
    tombstones = Tombstones(rows)
    for session_id, numbers in _by_session(rounds).items():
        which = (is_("session_id", session_id), any_of("number", numbers))
        found = rows.select("rounds", ("id", "number", "started_at"), *which)
        for _, number, started_at in found:
            tombstones.lay_round(session_id, number, started_at, at)
        ids = [number for number, _, _ in found]
        for run in _runs_that_read(rows, session_id, ids):
            clear_run(rows, run)
        _move_rounds(rows, session_id, ids)
        covers = (is_("id", session_id), at_least("summary_through", min(numbers)))
        rows.update("sessions", {"summary": None, "summary_through": 0}, *covers)
        _name_again(rows, session_id)


def hide_session(rows: Rows, session_id: str) -> None:
    """Delete a session with its rounds, its tasks, its calls and every trace of them; what was learnt from it stays."""
    ids = [number for (number,) in rows.select("rounds", ("id",), is_("session_id", session_id))]
    scope = _move_rounds(rows, session_id, ids)
    rows.update("extraction_runs", {"scope": scope}, is_("session_id", session_id))
    delete_tasks(rows, [number for (number,) in rows.select(TASKS.table, ("id",), is_("session_id", session_id))])
    delete_calls(rows, is_("session_id", session_id))
    rows.delete("sessions", is_("id", session_id))
    note(rows)


def _by_session(rounds: Rounds) -> Mapping[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for session_id, number in rounds:
        numbers.setdefault(session_id, []).append(number)
    return numbers


def _forget_summaries(rows: Rows, session_id: str, numbers: Sequence[int]) -> None:
    """Delete the summaries of rounds that stay."""
    which = (is_("session_id", session_id), any_of("round", numbers))
    found = rows.select("short_term_memories", ("id", "content"), *which)
    rows.vectors.forget([content for _, content in found])
    rows.delete("short_term_memories", any_of("id", [number for number, _ in found]))


def _runs_that_read(rows: Rows, session_id: str, ids: Sequence[int]) -> list[int]:
    """Every fold reads the summary before it, and so the rounds of that one. A run of no session may read rounds of
    any."""
    if not ids:
        return []
    of_it = any_of("session_id", (session_id, ""))
    deleted, first = set(ids), min(ids)
    return [
        run
        for run, kind, read in rows.select("extraction_runs", ("id", "kind", "rounds"), of_it)
        if (numbers := json.loads(read))
        and (not deleted.isdisjoint(numbers) or (kind == RunKind.SUMMARIZE.value and max(numbers) >= first))
    ]


def _move_rounds(rows: Rows, session_id: str, ids: Sequence[int]) -> str:
    """Move rounds out of their scope, into the one returned; nothing is learnt from them any more."""
    scope = _scope_of_deleted(rows)
    for created_at, used_at in rows.select("sessions", ("created_at", "used_at"), is_("id", session_id)):
        times = {"created_at": created_at, "used_at": used_at}
        rows.insert("sessions", {"scope": scope, "id": session_id, "title": "", **times})
    rows.delete("dialogue_buffer", any_of("round_id", ids))
    rows.update("short_term_memories", {"scope": scope}, any_of("round_id", ids))
    rows.update("rounds", {"scope": scope}, any_of("id", ids))
    receipts.forget_of_rounds(rows, ids)
    return scope


def _name_again(rows: Rows, session_id: str) -> None:
    """Delete a session without rounds. Otherwise a title that a person gave stays; another one follows the new first
    question."""
    order = ("number", "attempt")
    ids = [number for (number,) in rows.select("rounds", ("id",), is_("session_id", session_id), order=order)]
    columns = ("round_id", "spans", "content")
    asked = {row[0]: row for row in rows.select("main_messages", columns, any_of("round_id", ids), is_("role", "user"))}
    first = next((asked[each] for each in ids if each in asked), None)
    if first is None:
        rows.delete("sessions", is_("id", session_id))
        return
    typed = typed_spans.typed_text(spans_from_json(first[1])).strip()
    title = one_line(typed or first[2], TITLE_CHARS)
    rows.update("sessions", {"title": title}, is_("id", session_id), is_("is_named", 0))


def clear_run(rows: Rows, run: int) -> None:
    """Delete every text of a run: its exchange, refused facts, errors. What it was shown stays noted: a run that has
    not ended must not bring it back."""
    rows.delete("subagent_messages", is_("run", run))
    rows.delete("run_memories", is_("run", run))
    for state, target, result in rows.select("extraction_runs", ("state", "target", "result"), is_("id", run)):
        values = {"error": None, "target": "" if state in _ENDED else target, "result": _without_texts(result)}
        rows.update("extraction_runs", values, is_("id", run))


def _without_texts(result: str | None) -> str | None:
    if result is None:
        return None
    told = {**json.loads(result), "dropped": []}
    if "error" in (told.get("verification") or {}):
        told["verification"]["error"] = ""
    return to_json(told)


# Acts, tasks, calls


def delete_acts_of_session(rows: Rows, operation: OpenOperation, session_id: str) -> None:
    """Delete the acts in a session with their data, and the exchanges that show them; they speak for nothing."""
    _delete_acts(rows, operation, is_("session_id", session_id))


def delete_acts_of_rounds(rows: Rows, operation: OpenOperation, rounds: Rounds) -> None:
    """The same of those on any attempt at some rounds."""
    for session_id, number in rounds:
        _delete_acts(rows, operation, is_("session_id", session_id), is_("round", number))


def _delete_acts(rows: Rows, operation: OpenOperation, *where: Condition) -> None:
    acts: list[Action] = [ACTIONS.from_row(row) for row in rows.select(ACTIONS.table, ACTIONS.names, *where)]
    ids = [each.id for each in acts]
    Tombstones(rows).lay(ACTIONS, acts, operation.at)
    supports.silence(rows, operation, ids)
    _forget_links(rows, [ACTIONS.ref(each) for each in acts])
    _delete_rows(rows, ACTIONS, ids)


def _forget_supports(rows: Rows, memory_ids: Sequence[int]) -> None:
    """Delete what spoke for deleted memories."""
    ids = [number for (number,) in rows.select(SUPPORTS.table, ("id",), any_of("memory", memory_ids))]
    _delete_rows(rows, SUPPORTS, ids)


def delete_tasks(rows: Rows, ids: Sequence[int]) -> None:
    """Delete tasks: steps, calls, history, what receipts show of them."""
    steps = [number for (number,) in rows.select(STEPS.table, ("id",), any_of("task", ids))]
    delete_calls(rows, any_of("step", steps))
    receipts.forget_texts(rows, TASKS.kind, ids)
    _delete_rows(rows, STEPS, steps)
    _delete_rows(rows, TASKS, ids)


def delete_calls(rows: Rows, *where: Condition) -> int:
    """Delete calls of tools, and the exchanges that show them; a guide that was written of them stays. A run that has
    not ended keeps its notes: what is said in it after this is not kept. Returns how many there were."""
    ids = [number for (number,) in rows.select("tool_calls", ("id",), *where)]
    if not ids:
        return 0
    shown = (is_("kind", CALL.name), any_of("record_id", ids))
    runs = sorted({run for (run,) in rows.select("run_records", ("run",), *shown)})
    for run in runs:
        clear_run(rows, run)
    ended = rows.select("extraction_runs", ("id",), any_of("id", runs), any_of("state", _ENDED))
    rows.delete("run_records", *shown, any_of("run", [run for (run,) in ended]))
    rows.delete("tool_calls", any_of("id", ids))
    note(rows)
    return len(ids)


# Records of any kind


def erase(rows: Rows, record_type: RecordType[Any], records: Sequence[Any]) -> None:
    """Delete records with their words, vectors and history, the cached vectors of all their texts, and the exchanges
    that hold them."""
    refs = [record_type.ref(each) for each in records]
    ids = [ref.id for ref in refs]
    if record_type.is_indexed:
        rows.vectors.forget([*_texts_of(rows, record_type, ids), *map(record_type.text, records)])
        for each in ids:
            rows.words.drop(record_type, each)
            rows.vectors.drop(record_type, each)
    _forget_links(rows, refs)
    rows.delete("memory_usage_log", is_("kind", record_type.kind.name), any_of("memory_id", ids))
    _delete_rows(rows, record_type, ids)
    receipts.forget_texts(rows, record_type.kind, ids)
    note(rows)


def _texts_of(rows: Rows, record_type: RecordType[Any], ids: Sequence[int]) -> list[str]:
    """What these records said, as their history has it."""
    of_them = (is_("kind", record_type.kind.name), any_of("memory_id", ids))
    kept = [
        fields for both in rows.select(HISTORY, ("before", "after"), *of_them) for fields in both if fields is not None
    ]
    changed = map(fields_from_json, kept)
    return [str(fields[record_type.text_column]) for fields in changed if record_type.text_column in fields]


def _delete_rows(rows: Rows, record_type: RecordType[Any], ids: Sequence[int]) -> None:
    rows.delete(HISTORY, is_("kind", record_type.kind.name), any_of("memory_id", ids))
    rows.delete(record_type.table, any_of("id", ids))


def _clear_runs_of(rows: Rows, refs: Iterable[Ref]) -> None:
    """Delete every exchange that shows one of the records."""
    for ref in refs:
        for (run,) in rows.select("run_records", ("run",), is_("kind", ref.kind.name), is_("record_id", ref.id)):
            clear_run(rows, run)


def _forget_links(rows: Rows, refs: Sequence[Ref]) -> None:
    """Delete every exchange that shows one of the records, and its number where others name it; these stay."""
    _clear_runs_of(rows, refs)
    if episodes := {ref.id for ref in refs if ref.kind == EPISODE}:
        for number, sources in rows.select(KNOWLEDGES.table, ("id", SOURCES)):
            if not episodes.isdisjoint(read := json.loads(sources)):
                rest = [each for each in read if each not in episodes]
                rows.update(KNOWLEDGES.table, {SOURCES: to_json(rest)}, is_("id", number))
        _rewrite_history(rows, SOURCES, (is_("kind", KNOWLEDGE.name),), lambda both: _without_sources(both, episodes))
    if knowledge := {ref.id for ref in refs if ref.kind == KNOWLEDGE}:
        rows.update(EPISODES.table, {MARK: None}, any_of(MARK, sorted(knowledge)))


def versions_of(rows: Rows, refs: Sequence[Ref]) -> set[int]:
    """The knowledge that was made of any of these episodes in some version of it."""
    episodes = {ref.id for ref in refs if ref.kind == EPISODE}
    if not episodes:
        return set()
    return {
        number
        for number, *both in rows.select(HISTORY, ("memory_id", "before", "after"), is_("kind", KNOWLEDGE.name))
        for fields in both
        if fields and SOURCES in fields and not episodes.isdisjoint(json.loads(fields).get(SOURCES) or ())
    }


def forget_versions(rows: Rows, knowledge: Sequence[int]) -> None:
    """Delete what knowledge said before, wherever it is kept: no undo brings it back."""
    there = {each.text for each in records_there(rows, KNOWLEDGES, knowledge)}
    rows.vectors.forget([each for each in _texts_of(rows, KNOWLEDGES, knowledge) if each not in there])
    _clear_runs_of(rows, [Ref(KNOWLEDGE, each) for each in knowledge])
    of_them = (is_("kind", KNOWLEDGE.name), any_of("memory_id", knowledge))
    _rewrite_history(rows, "", of_them, lambda both: _without(both, _OF_A_VERSION))
    receipts.forget_texts(rows, KNOWLEDGE, knowledge)


Both = tuple[Fields | None, Fields]
"""The fields that an operation changed, before it (None: it made the record) and after it."""


def _rewrite_history(rows: Rows, named: str, where: Sequence[Condition], change: Callable[[Both], Both]) -> None:
    """Rewrite the changes in which a field is `named`; one of which nothing is left goes."""
    for number, before, after in rows.select(HISTORY, ("id", "before", "after"), *where):
        if named not in (before or "") and named not in after:
            continue
        both = (None if before is None else fields_from_json(before), fields_from_json(after))
        was, now = changed = change(both)
        if was == {} and now == {}:
            rows.delete(HISTORY, is_("id", number))
        elif changed != both:
            values = {"before": None if was is None else to_json(was), "after": to_json(now)}
            rows.update(HISTORY, values, is_("id", number))


def _without(both: Both, names: Collection[str]) -> Both:
    was, now = both
    rest = {name: value for name, value in now.items() if name not in names}
    return None if was is None else {name: value for name, value in was.items() if name not in names}, rest


def _without_sources(both: Both, episodes: Collection[int]) -> Both:
    def rest(fields: Fields) -> Fields:
        if not fields.get(SOURCES):
            return fields
        return {**fields, SOURCES: [each for each in fields[SOURCES] if each not in episodes]}

    was, now = both
    return None if was is None else rest(was), rest(now)

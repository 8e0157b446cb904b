"""Changes, operations and runs in words, a line each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from gettext import gettext as _

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.learning import Run
from orca_core.model.memories import Memory, State
from orca_core.model.operations import Actor, Change, Operation, UndoOutcome
from orca_core.model.record_types import GUIDE, SUPPORT, Ref, memory_ref, plain_ref
from orca_core.model.tools import GUIDES
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.feedback_words import ACT_STATE_WORDS, ACT_WORDS
from orca_tui.words.learning_words import run_line
from orca_tui.words.memory_words import offered_line, passed_over_line, reason_phrase, state_word, weight_figure
from orca_tui.words.task_words import OUTCOME_WORDS, TASK_WORDS

ACTION_WORDS = {
    "weights": N_("weights"),
    "take back": N_("took back"),
    "add": N_("added"),
    "remember": N_("remembered"),
    "edit": N_("edited"),
    "pin": N_("pinned"),
    "unpin": N_("unpinned"),
    "archive": N_("archived"),
    "restore": N_("restored"),
    "delete": N_("deleted"),
    "undo": N_("undid"),
    "redo": N_("redid"),
    "extract": N_("learnt"),
    "verify": N_("verified"),
    "accept": N_("accepted"),
    "reject": N_("rejected"),
    "expire": N_("expired"),
    "never": N_("never again"),
    "merge": N_("merged"),
    "clean": N_("cleaned"),
    "start_task": N_("started a task"),
    "add_step": N_("added a step"),
    "change_step": N_("changed a step"),
    "change_task": N_("changed a task"),
    "end_task": N_("ended a task"),
    "drop_task": N_("dropped a task"),
    "episodes": N_("noted what was done"),
    "consolidate": N_("learnt from episodes"),
    "acts": N_("learnt from acts"),
    "write_guide": N_("learnt from calls"),
    "rename_target": N_("renamed a target"),
    "fade": N_("forgot"),
    "access": N_("looked up"),
    "promote": N_("went live"),
    "import": N_("brought in"),
    "hold": N_("held back"),
    "propose": N_("proposed"),
    "restore_backup": N_("restored a backup"),
    **{act.value.lower(): words for act, words in ACT_WORDS.items()},
}
ACTOR_WORDS = {
    "user": N_("you"),
    "turn": N_("turn"),
    "extraction": N_("memory agent"),
    "import": N_("import"),
    "clean": N_("clean"),
    "episodes": N_("memory agent"),
    "consolidation": N_("memory agent"),
    "promotion": N_("rule"),
    "actions": N_("memory agent"),
    "guides": N_("memory agent"),
}
FIELD_WORDS = {
    "type": N_("type"),
    "confidence": N_("confidence"),
    "weight": N_("weight"),
    "state": N_("status"),
    "pinned": N_("pinned"),
    "held_because": N_("held back"),
    "archived_because": N_("archived because"),
    "superseded_by": N_("replaced by"),
    "would_replace": N_("would replace"),
    "origin_kind": N_("from"),
    "origin_session": N_("chat"),
    "origin_rounds": N_("rounds"),
    "origin_quote": N_("quote"),
    "origin_model": N_("model"),
    "trigger_type": N_("began by"),
    "consolidated_into": N_("taught"),
    "source_episodes": N_("sources"),
    "version": N_("version"),
    "request": N_("task"),
    "summary": N_("summary"),
    "context": N_("context"),
    "status": N_("status"),
    "description": N_("step"),
    "result": N_("result"),
    **{field.field: field.label for of in (EPISODES, KNOWLEDGES, GUIDES) for field in of.editable.values()},
}
COUNTERS = frozenset(
    {
        *("access_count", "used", "seen", "last_accessed", "updated_at", "confirmed_by"),
        *("searched", "searched_at", "read", "through"),
        # Made of other fields, or a time that stands beside the change anyway.
        *("text", "archived_at", "aged_from", "started_at", "ended_at", "completed_at"),
    }
)
SAYS = ("topic", "content", "trigger_summary", "request", "description")
"""The fields by which a record of one kind or another says what it is about."""
TASK_FIELDS: Mapping[str, str] = {
    **{each.value: word for each, word in TASK_WORDS.items()},
    **{each.value: word for each, word in OUTCOME_WORDS.items()},
}
ACT_STATES: Mapping[object, str] = {each.value: word for each, word in ACT_STATE_WORDS.items()}
SHOWN_IDS = 8


def action_word(action: str) -> str:
    """An operation's action, as people see it."""
    return _(ACTION_WORDS.get(action, action))


def finished_line(undone: UndoOutcome) -> str:
    """Say of an undo or redo which ones had been left half done; empty where none had."""
    if not undone.finished:
        return ""
    named = " ".join(f"[{each.id}]" for each in undone.finished)
    if undone.operation in {each.id for each in undone.finished}:
        return _("{operations} was half done: it is finished now, and nothing else was taken back").format(
            operations=named
        )
    return _("{operations} was half done, and is finished now").format(operations=named)


def half_done_line(operation: Operation) -> str:
    """Say that an undo or redo waits that was begun, and what finishes it."""
    words = _("[{operation}] is half done ({percent} %): {command} finishes it")
    percent = 0 if operation.under_way is None else operation.under_way.percent
    return words.format(operation=operation.id, percent=percent, command=f"orca memory {operation.header.action}")


def undone_words(undone: UndoOutcome) -> str:
    """What an undo took back, what it had to leave, and what a machine did since, in a line."""
    left = len(undone.conflicts) + undone.unnamed
    words = [_("{count} changed later and left alone").format(count=left)] if left else []
    return " · ".join([_taken_back(undone), *words, *_since(undone), *filter(None, [finished_line(undone)])])


def undone_lines(undone: UndoOutcome) -> list[str]:
    """The same, a line each, with all that was left."""
    left = [
        _("left alone, changed later: #{id} {field}").format(id=plain_ref(conflict.ref), field=conflict.field)
        for conflict in undone.conflicts
    ]
    if undone.unnamed:
        left.append(_("left alone, changed later: {count} more").format(count=undone.unnamed))
    left += [
        _("since then, and left as it is: {action} [{operation}]").format(
            action=action_word(operation.header.action), operation=operation.id
        )
        for operation in undone.later
    ]
    return [*filter(None, [finished_line(undone)]), _taken_back(undone), *left, *_since(undone)]


def _taken_back(undone: UndoOutcome) -> str:
    words = (
        _("nothing of [{operation}] was taken back: {action}")
        if undone.is_nothing
        else _("took back [{operation}]: {action} {ids}")
    )
    return words.format(
        action=action_word(undone.undid.header.action),
        operation=undone.undid.id,
        ids=ids_words(undone.refs, undone.changed),
    ).rstrip()


def _since(undone: UndoOutcome) -> list[str]:
    """What a machine did since, and what came since that can't be taken back."""
    machine = undone.offered
    offered = [] if machine is None else [offered_line(machine, action_word(machine.header.action))]
    return offered + [passed_over_line(each, action_word(each.operation.header.action)) for each in undone.passed_over]


def ids_of(memories: Sequence[Memory]) -> str:
    """Memories by their numbers, the first few of many."""
    return ids_words([memory_ref(memory.id) for memory in memories])


def ids_words(refs: Sequence[Ref], count: int = 0) -> str:
    """Records by their names, the first few of many; `count` where these are not all. What speaks for a memory has no
    name of its own for people."""
    named = [each for each in refs if each.kind != SUPPORT]
    shown = " ".join(f"#{plain_ref(each)}" for each in named[:SHOWN_IDS])
    return shown + (f" … ({max(len(named), count)})" if len(named) > SHOWN_IDS else "")


def merged_into(operation: Operation, changes: Sequence[Change]) -> int | None:
    """The memory that is left of a merge; None where the operation is another one."""
    if operation.header.action != "merge":
        return None
    return next((int(kept) for change in changes if (kept := change.after.get("superseded_by"))), None)


def operation_text(
    operation: Operation, changes: Sequence[Change], marks: Marks, contents: Mapping[Ref, str] | None = None
) -> str:
    """What an operation did, in a line; `contents` say what records say by now."""
    word = action_word(operation.header.action)
    undone = _standing(operation)
    if operation.header.action == "weights":
        return "  ".join(_weight_step(change, marks) for change in changes if change.before is not None) + undone
    if operation.header.action == "edit" and len(changes) == 1:
        return f"{word} #{plain_ref(changes[0].ref)}  {change_detail(changes[0], marks)}{undone}"
    if (kept := merged_into(operation, changes)) is not None:
        gone = ids_words([change.ref for change in changes if change.ref != memory_ref(kept)])
        words = _("merged {ids} into #{kept}").format(ids=gone, kept=kept)
        return f"{words}  {(contents or {}).get(memory_ref(kept), '')}".rstrip() + undone
    if operation.header.action == "expire":
        return _expired(changes) + undone
    if operation.header.action == "fade":
        if not changes:  # what they changed went with the episodes
            return _("deleted for good what was forgotten long ago") + undone
        return counted("{count} episode forgotten", "{count} episodes forgotten", len(changes)) + undone
    named = [change.ref for change in changes if change.ref.kind != SUPPORT]
    ids = " ".join(f"#{plain_ref(each)}" for each in named[:4]) + (" …" if len(named) > 4 else "")
    said = next(filter(None, map(_said, changes)), "")
    return f"{word} {ids}  {said}".rstrip() + undone


def _standing(operation: Operation) -> str:
    """How an operation stands, behind what it did."""
    if operation.under_way is not None:
        return f"  ({_('under way: {percent} %').format(percent=operation.under_way.percent)})"
    return f"  ({_('taken back')})" if operation.undone_by is not None else ""


def _said(change: Change) -> str:
    """What a record says since the change; empty where that stayed as it was."""
    says = ("text",) if change.ref.kind == GUIDE else SAYS
    return next((str(change.after[name]) for name in says if change.after.get(name)), "")


def _expired(changes: Sequence[Change]) -> str:
    """What became of candidates that waited too long; what they waited for may have come."""
    living = sum(change.after.get("state") == State.LIVE.value for change in changes)
    words = counted("{count} candidate expired", "{count} candidates expired", len(changes) - living)
    if not living:
        return words
    return f"{words} · {counted('{count} lives by now', '{count} live by now', living)}"


def _weight_step(change: Change, marks: Marks) -> str:
    before, after = change.before or {}, change.after
    use = _("used") if "used" in after else _("unused") if "weight" in after else _("in")
    step = f"#{plain_ref(change.ref)} {use}"
    if "weight" in after:
        step += f" {weight_figure(before['weight'])}{marks.arrow}{weight_figure(after['weight'])}"
    return step + (f" {_('archived')}" if after.get("state") == "archived" else "")


def change_detail(change: Change, marks: Marks) -> str:
    """What became of one record: its text where it is new, else each field before and after."""
    before = change.before or {}
    if change.before is None:
        return _said(change)
    steps = [
        f"{_(FIELD_WORDS.get(name, name))} {_value(name, before.get(name))}{marks.arrow}{_value(name, after)}"
        for name, after in change.after.items()
        if name not in COUNTERS or (name == "text" and change.ref.kind == GUIDE)
    ]
    return ", ".join(steps) or (_("used") if "used" in change.after else "")


def _value(name: str, value: object) -> str:
    if value is None:
        return "-"
    if name == "state" and value in ACT_STATES:
        return _(ACT_STATES[str(value)])
    if name == "state":
        return state_word(str(value))
    if name == "held_because":
        return reason_phrase(str(value))
    if name in ("status", "outcome"):
        return _(TASK_FIELDS.get(str(value), str(value)))
    if isinstance(value, float):
        return weight_figure(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def actor_word(actor: Actor) -> str:
    """Who did it."""
    return _(ACTOR_WORDS.get(actor.value, actor.value))


def quiet_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs that one line stands for: those that found nothing, the newest first, where they are several."""
    quiet = sorted((run for run in runs if run.found_nothing), key=when, reverse=True)
    return quiet if len(quiet) > 1 else []


def when(run: Run) -> datetime:
    """The time of its line."""
    return run.ended_at or run.started_at


def quiet_words(count: int) -> str:
    """The line that stands for them."""
    return counted("{count} run found nothing", "{count} runs found nothing", count)


def activity_texts(
    operations: Sequence[tuple[Operation, Sequence[Change]]],
    runs: Sequence[Run],
    marks: Marks,
    *,
    quiet: Sequence[Run] = (),
) -> list[str]:
    """Newest first; what a run changed stands in the line of its operation, behind the run. One line stands for the
    `quiet` runs."""
    lines = [(operation.header.at, _operation_line(operation, changes, marks)) for operation, changes in operations]
    folded = {run.id for run in quiet}
    lines += [(when(run), run_line(run, marks)) for run in runs if run.id not in folded]
    if quiet:
        lines.append((when(quiet[0]), _quiet_line(quiet, marks)))
    return [text for _at, text in sorted(lines, key=lambda line: line[0], reverse=True)]


def _quiet_line(quiet: Sequence[Run], marks: Marks) -> str:
    way = _("orca activity --all lists them")
    return f"{timestamp_json(when(quiet[0]))}  {quiet_words(len(quiet))} {marks.dot} {way}"


def _operation_line(operation: Operation, changes: Sequence[Change], marks: Marks) -> str:
    who = actor_word(operation.header.actor)
    words = operation_text(operation, changes, marks)
    return f"{timestamp_json(operation.header.at)}  [{operation.id}] {who}: {words}"

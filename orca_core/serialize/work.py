"""Tasks, episodes, knowledge, tools with their guides, acts, and what is known for one question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, TASK, Kind, plain_ref
from orca_core.serialize.memory_json import change_json, hit_json, scored_json
from orca_core.serialize.values import Json, name_of, names_of, number, pick, plain

if TYPE_CHECKING:
    from orca_core.model.episodes import WorkDeletion, WorkFound
    from orca_core.model.feedback import Action
    from orca_core.model.knowledge import TargetCount
    from orca_core.model.memories import InboxItem
    from orca_core.model.operations import Change
    from orca_core.model.tasks import TaskView
    from orca_core.model.tools import CallsTaken, Guide, GuideView, RefusedCall, ToolCall
    from orca_core.model.views import AgentContext, EpisodeView, FadeForecast, ForgettingReport, KnowledgeView


def episode_json(view: EpisodeView) -> Json:
    """An episode as people see it."""
    episode = view.episode
    return {
        "id": name_of(EPISODE, episode.id),
        "uid": episode.uid,
        "trigger": pick(episode, "trigger_type:type trigger_summary:summary"),
        **pick(episode, "target steps outcome outcome_summary"),
        **{field.name: plain(value) for field, value in EPISODES.rows(episode)},
        "importance": number(view.importance),
        "forecast": forecast_json(view.forecast),
        "session_id": episode.origin.session_id,
        **pick(episode, "access_count last_accessed pinned"),
        "consolidated_into": name_of(KNOWLEDGE, episode.consolidated_into),
        "tags": plain(episode.tags),
        "status": view.status.value,
        **pick(episode, "held_because archived_because"),
        **pick(view, "deleted_at"),
        "task": name_of(TASK, episode.task),
        "origin": plain(episode.origin),
        **pick(episode, "created_at updated_at"),
    }


def forecast_json(forecast: FadeForecast | None) -> Json | None:
    """When a live episode is forgotten; None where it does not live."""
    return None if forecast is None else pick(forecast, "by:kind at place keeps")


def fade_json(report: ForgettingReport, *, is_dry: bool) -> Json:
    """What a run of the gate did, or would do: episodes with why they go, and the one that goes next."""
    return {
        "dry_run": is_dry,
        "forgotten": [
            {**episode_json(view), "why": "cap" if view.episode.id in report.above_cap else "age"}
            for view in report.forgotten
        ],
        "deleted": names_of(EPISODE, report.deleted),
        "operation": report.operation,
        "next": None if report.next is None else episode_json(report.next),
    }


def knowledge_json(view: KnowledgeView) -> Json:
    """Knowledge as people see it."""
    known = view.knowledge
    return {
        "id": name_of(KNOWLEDGE, known.id),
        **pick(known, "uid target topic content key_points"),
        **{field.name: plain(value) for field, value in KNOWLEDGES.rows(known)},
        "source_episodes": names_of(EPISODE, known.source_episodes),
        "confidence": number(known.confidence),
        **pick(known, "access_count last_accessed pinned"),
        "status": view.status.value,
        **pick(known, "held_because archived_because version"),
        "origin": plain(known.origin),
        **pick(known, "created_at updated_at"),
    }


def left_json(deletion: WorkDeletion) -> Json:
    """What a delete left of the knowledge that was made of what is gone; nothing where it left all as it was."""
    left = {"held": names_of(KNOWLEDGE, deletion.held), "kept": names_of(KNOWLEDGE, deletion.kept)}
    return {name: some for name, some in left.items() if some}


def targets_json(counts: Sequence[TargetCount]) -> Json:
    """What work is about."""
    targets = [
        {
            **pick(each, "target episodes waiting unread"),
            "knowledge": names_of(KNOWLEDGE, each.knowledge),
            **pick(each, "is_kept_by_hand:kept_by_hand is_held:held"),
        }
        for each in counts
    ]
    return {"targets": targets}


def work_list_json(name: str, records: Sequence[Json], total: int) -> Json:
    """A page of records of work, under the name of their list; `total` counts those beyond it too."""
    return {name: list(records), "total": total}


def work_found_json(name: str, found: WorkFound[Any], to_json: Callable[[Any], Json]) -> Json:
    """What a search found, best first, and what made that order beside the scores."""
    hits = [scored_json(to_json(hit.record), hit.parts) for hit in found.hits]
    return {name: hits, "total": len(hits), "rules": list(found.rules)}


def work_history_json(kind: Kind, record_id: int, changes: Sequence[Change]) -> Json:
    """What happened to one record, oldest first."""
    return {"id": name_of(kind, record_id), "changes": [change_json(change) for change in changes]}


def waits_json(waits: InboxItem) -> Json:
    """A candidate of any kind; `held_now` is None where today's rules would let it live."""
    said = pick(waits, "text since held_because held_now")
    return {"id": plain_ref(waits.ref), "kind": waits.ref.kind.name, **said, "origin": plain(waits.origin)}


def task_json(view: TaskView) -> Json:
    """A task as people see it; `current_step` is the number of a step, null where none is left."""
    task = view.task
    steps = [pick(step, "number description tool args result status started_at completed_at") for step in view.steps]
    return {
        "id": name_of(TASK, task.id),
        **pick(task, "uid session_id request summary target status"),
        "current_step": view.current_step,
        "steps": steps,
        **pick(task, "context trigger tags outcome outcome_summary started_at updated_at ended_at"),
    }


def action_json(action: Action, supports: Sequence[int] = ()) -> Json:
    """An act; `supports` are the memories that it speaks for by now."""
    return {
        "id": name_of(ACTION, action.id),
        **pick(action, "uid type session_id round message:message_id?"),
        "task_id": name_of(TASK, action.task),
        **pick(action, "tool? call:call_id? at data state read"),
        "supports": list(supports),
    }


def guide_json(view: GuideView) -> Json:
    """What is known of a tool; `id`, `text` and `updated_at` are null where no guide was written of it yet."""
    figures, guide = view.figures, view.guide
    return {
        "id": None if guide is None else name_of(GUIDE, guide.id),
        "tool": figures.tool,
        "text": None if guide is None else guide.text,
        "calls": figures.calls,
        "success_rate": number(figures.success_rate) if figures.calls else None,
        "median_s": None if figures.median_s is None else number(figures.median_s),
        "p95_s": None if figures.p95_s is None else number(figures.p95_s),
        "errors": [{"error": error, "count": count} for error, count in figures.errors],
        "updated_at": None if guide is None else plain(guide.updated_at),
    }


def tool_json(view: GuideView) -> Json:
    """All that a person is shown of a tool and its guide; `waiting` is the guide that waits, which no program gets."""
    waits = view.waiting
    return {
        **guide_json(view),
        "last_call_at": plain(view.figures.last_at),
        "status": plain(view.status),
        **({} if view.guide is None else _written_json(view.guide)),
        "waiting": waits and {"id": name_of(GUIDE, waits.id), "text": waits.text, **_written_json(waits)},
    }


def _written_json(guide: Guide) -> Json:
    return pick(guide, "uid version pinned held_because archived_because access_count last_accessed created_at")


def tool_shown_json(view: GuideView, calls: Sequence[ToolCall]) -> Json:
    """A tool with its latest calls."""
    return {**tool_json(view), "latest": [call_json(each) for each in calls]}


def tools_json(views: Sequence[GuideView]) -> Json:
    """All tools that were called."""
    return {"tools": [tool_json(each) for each in views], "total": len(views)}


def call_json(call: ToolCall) -> Json:
    """A call as it can be reported again: it is known then."""
    return pick(call, "tool call_id session_id input output success seconds tokens at step")


def calls_from(document: Any) -> list[Mapping[str, Any]]:
    """The calls of a report: one call, a list of them, or `{"calls": […]}`. What each is worth is for whoever records
    it. Raises InvalidInput."""
    found = document.get("calls", [document]) if isinstance(document, Mapping) else document
    if not isinstance(found, list):
        raise InvalidInput(
            template="that is no report of calls", hint='one call, a list of calls, or an object with "calls", as JSON'
        )
    return found


def taken_json(taken: CallsTaken) -> Json:
    """How many calls are new, how many were known, and which were refused, by their place from 0 on."""
    return {"taken": len(taken.taken), "known": taken.known, "refused": [refused_json(each) for each in taken.refused]}


def refused_json(refused: RefusedCall) -> Json:
    """A call that was not taken, and why."""
    return {"id": None, **pick(refused, "place reason")}


def context_json(context: AgentContext) -> Json:
    """What was found, nearest first, and all of it as one text."""
    return {
        "session_id": context.session_id,
        "messages": [pick(each, "role content round at") for each in context.messages],
        "task": None if context.task is None else task_json(context.task),
        "memories": [hit_json(hit) for hit in context.memories],
        "episodes": [episode_json(view) for view in context.episodes],
        "knowledge": [knowledge_json(view) for view in context.knowledge],
        "guides": [guide_json(view) for view in context.guides],
        **pick(context, "level rules text"),
    }

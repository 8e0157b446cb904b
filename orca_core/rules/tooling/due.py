"""When a tool's guide is written: the rule of LIFE 6, to the second."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from orca_core.model.learning import OpenRun, RunState
from orca_core.model.tools import DueGuides, WaitingTool
from orca_core.rules.tooling.names import folded


def is_run_due(run: OpenRun, due: DueGuides) -> bool:
    """One that was cut short goes on at once, one that failed at its time; a parked one when a person names its
    tool."""
    is_named = bool(due.tool) and folded(due.tool) == folded(run.target)
    if run.id in due.besides or (due.tool and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


def due_tool(tools: Sequence[WaitingTool], due: DueGuides) -> WaitingTool | None:
    """The one that has been due longest; None where none is."""
    ready = [each for each in tools if _is_due(each, due)]
    return min(ready, key=lambda each: (due_at(each, due), folded(each.tool))) if ready else None


def due_at(each: WaitingTool, due: DueGuides) -> datetime:
    """When its guide is written, if no call comes any more: at once with more than `summary_count` new calls, else
    `summary_after` after it was written last, or after the first new call where none was written."""
    if each.fresh > due.summary_count:
        return each.since
    return max(each.since, (each.written_at or each.since) + timedelta(seconds=due.summary_after_s))


def _is_due(each: WaitingTool, due: DueGuides) -> bool:
    """What a person pinned or wrote is written anew only when a person asks for it by name."""
    if each.is_held or each.fresh == 0:
        return False
    if due.tool:
        return folded(due.tool) == folded(each.tool)
    if each.is_kept_by_hand:
        return False
    return due.everything or due_at(each, due) <= due.at

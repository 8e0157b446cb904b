"""The source of the current task: it stands before the model in every turn of its session, whatever is asked."""

from __future__ import annotations

from orca_core.model.recall import Item, ScoreParts
from orca_core.model.records import TASK, Ref
from orca_core.model.tasks import Task
from orca_core.rules.retrieval.choosing.ranking import Selection
from orca_core.rules.retrieval.prompting import budget, rendering
from orca_core.rules.text import tokens
from orca_core.rules.work.standing import SHARE, standing_text
from orca_core.services.chat.sources import EMPTY, Looking
from orca_core.settings import InjectSettings
from orca_core.store.protocols import TaskStore

REASON = "task"


class TaskSource:
    """What is being worked on, in at most its share of the budget."""

    def __init__(self, tasks: TaskStore, inject: InjectSettings) -> None:
        self._tasks = tasks
        self._inject = inject

    async def select(self, looking: Looking) -> Selection:
        request = looking.request
        found = await self._tasks.current(request.session_id, with_results=False)
        if found is None:
            return EMPTY
        limit = int(budget.budget_tokens(request.prompt_tokens, self._inject) * SHARE)
        text = standing_text(found, limit, lambda text: tokens.estimate(rendering.block([_item(found.task, text)], "")))
        return Selection((_item(found.task, text),), ()) if text else EMPTY


def _item(task: Task, text: str) -> Item:
    """Context only: no answer cites it, and its use is not judged."""
    return Item(Ref(TASK, task.id), text, ScoreParts(), REASON, created_at=task.started_at)

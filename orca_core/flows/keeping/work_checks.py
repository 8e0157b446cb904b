"""What the doctor looks at of work: tasks, episodes, knowledge, tools, and who reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

from orca_core.domain.diagnosis import NAMED, Check
from orca_core.domain.growth.actions import ActionState
from orca_core.domain.memories import State
from orca_core.domain.ports import Clock
from orca_core.domain.queries import RecordQuery
from orca_core.domain.refs import ACTION, EPISODE, GUIDE, KNOWLEDGE, Kind, Ref
from orca_core.domain.stores import Stores
from orca_core.domain.work.consolidating import SOURCE_DELETED
from orca_core.domain.work.tasks import TASK, TaskStatus
from orca_core.flows.keeping.learning_checks import RUNS, is_of_work, run_evidence
from orca_core.flows.shared.counting import acts_to_read
from orca_core.rules.forgetting.unused import UNUSED, unused, unused_guides
from orca_core.rules.tooling.names import folded
from orca_core.rules.working.tasks import IDLE, view_of
from orca_core.settings.work import ForgetSettings


class WorkChecks:
    """Each says what it found, with the numbers of some, and the command that mends it."""

    def __init__(self, stores: Stores, clock: Clock, forget: ForgetSettings) -> None:
        self._stores = stores
        self._clock = clock
        self._forget = forget

    @property
    def looks(self) -> Mapping[str, Callable[[], Awaitable[Check]]]:
        if not self._stores.records:  # the database is out of reach
            return {}
        return {
            "tasks": self._tasks,
            "episodes": self._episodes,
            "knowledge": self._knowledge,
            "tools": self._tools,
            "acts": self._acts,
            "reading of work": self._runs,
        }

    async def _tasks(self) -> Check:
        now = self._clock.now()
        going = await self._stores.tasks.listed(RecordQuery({"status": (TaskStatus.IN_PROGRESS.value,)}))
        idle = [each.task.id for each in going.tasks if view_of(each, now).is_idle]
        if not idle:
            return Check("tasks", "ok", "{count} in progress", fields={"count": len(going.tasks)})
        first = Ref(TASK, idle[-1])
        fields = {"count": len(idle), "days": IDLE.days, "ids": _named(TASK, idle), "first": first}
        return Check(
            "tasks",
            "warn",
            "{count} were touched by nobody for {days} days: {ids}",
            "orca task done {first} ends it, orca task drop {first} drops it",
            fields,
        )

    async def _episodes(self) -> Check:
        counts = {state: await self._count(state) for state in State}
        live, most = counts[State.LIVE], self._forget.max_episodes
        fields = {"live": live, "most": most, "archived": counts[State.ARCHIVED], "waiting": counts[State.CANDIDATE]}
        if live <= most:
            return Check("episodes", "ok", "{live} live, {archived} archived, {waiting} in the inbox", fields=fields)
        if not self._forget.enabled:
            return Check(
                "episodes",
                "warn",
                "{live} live, and at most {most} are to",
                "set memory.forget.enabled = true, or raise memory.forget.max_episodes",
                fields,
            )
        return Check(
            "episodes", "warn", "{live} live, and at most {most} are to", "orca episode fade forgets the rest", fields
        )

    async def _count(self, state: State) -> int:
        query = RecordQuery({"state": (state.value,)}, limit=0)
        return (await self._stores.records[EPISODE].page(query)).total

    async def _knowledge(self) -> Check:
        page = await self._stores.records[KNOWLEDGE].page(RecordQuery({"state": (State.LIVE.value,)}))
        named = {number for each in page.records for number in each.source_episodes}
        episodes = await self._stores.records[EPISODE].get(sorted(named), missing_ok=True)
        left = unused(page.records, {each.id: each.state for each in episodes}, self._clock.now())
        said = [each.id for each in page.records if each.held_because == SOURCE_DELETED]
        if said:
            fields = {"count": len(said), "ids": _named(KNOWLEDGE, said), "first": Ref(KNOWLEDGE, said[0])}
            return Check(
                "knowledge",
                "warn",
                "{count} may say what stood in an episode that you deleted; you pinned or wrote them: {ids}",
                "orca knowledge edit {first} changes one, orca knowledge delete {first} deletes it",
                fields,
            )
        if not left:
            return Check("knowledge", "ok", "{count} live", fields={"count": page.total})
        ids = _named(KNOWLEDGE, [each.id for each in left])
        fields = {"count": len(left), "days": UNUSED.days, "ids": ids, "first": Ref(KNOWLEDGE, left[0].id)}
        return Check(
            "knowledge",
            "warn",
            "{count} were not used for {days} days, and no episode that they rest on lives: {ids}",
            "orca knowledge show {first} shows one, orca knowledge archive {first} puts it away",
            fields,
        )

    async def _tools(self) -> Check:
        figures = await self._stores.tools.figures()
        page = await self._stores.records[GUIDE].page(RecordQuery({"state": (State.LIVE.value,)}))
        left = unused_guides(page.records, [each.tool for each in figures], self._clock.now(), folded)
        if left:
            fields = {"count": len(left), "days": UNUSED.days, "ids": _named(GUIDE, [each.id for each in left])}
            return Check(
                "tools",
                "warn",
                "{count} guides were not used for {days} days, and no call of their tools is left: {ids}",
                "orca tool archive {first} puts one away",
                {**fields, "first": Ref(GUIDE, left[0].id)},
            )
        waiting = await self._stores.records[GUIDE].page(RecordQuery({"state": (State.CANDIDATE.value,)}, limit=0))
        fields = {
            "tools": len(figures),
            "calls": sum(each.calls for each in figures),
            "guides": page.total,
            "waiting": waiting.total,
        }
        return Check(
            "tools", "ok", "{tools} tools, {calls} calls, {guides} guides, {waiting} in the inbox", fields=fields
        )

    async def _acts(self) -> Check:
        records = self._stores.records[ACTION]
        standing = await records.page(RecordQuery({"state": (ActionState.STANDING.value,)}, limit=0))
        fields = {"standing": standing.total, "waiting": await acts_to_read(records)}
        return Check("acts", "ok", "{standing} stand, {waiting} of them wait to be read", fields=fields)

    async def _runs(self) -> Check:
        parked = [each for each in await self._stores.runs.runs(RUNS) if each.is_parked and is_of_work(each)]
        if not parked:
            return Check("reading of work", "ok", "nothing is parked")
        fields = {
            "count": len(parked),
            "kinds": ", ".join(sorted({each.kind.value for each in parked})),
            "error": parked[0].error,
            "run": parked[0].id,
        }
        return Check(
            "reading of work",
            "warn",
            "{count} runs are parked ({kinds}): {error}",
            "orca extract --retry tries them again, orca extract --show {run} says what went wrong",
            fields,
            evidence=run_evidence(parked),
            found=len(parked),
        )


def _named(kind: Kind, numbers: Iterable[int]) -> str:
    names = [str(Ref(kind, number)) for number in numbers]
    return " ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")

"""Checks learning and work: which runs failed and which chats wait, tasks, episodes, knowledge, tools, acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from shlex import quote

from orca_core.model.diagnosis import NAMED, Check, Evidence, Finding, Leave, Repair, Says
from orca_core.model.feedback import ActionState
from orca_core.model.knowledge import SOURCE_DELETED
from orca_core.model.learning import OPEN_STATES, Queue, Run, RunKind
from orca_core.model.llm import Clock
from orca_core.model.memories import State
from orca_core.model.records import ACTION, EPISODE, GUIDE, KNOWLEDGE, TASK, Kind, Ref
from orca_core.model.tasks import TaskStatus
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.work.reported_calls import folded
from orca_core.rules.work.retention import UNUSED, unused, unused_guides
from orca_core.rules.work.task_changes import IDLE, view_of
from orca_core.services.shared.spending import Spending
from orca_core.services.shared.views import acts_to_read
from orca_core.settings import Settings

LATE = timedelta(days=2)
MANY_BATCHES = 10
"""So many batches of rounds are many, and a batch that waits for so long waits for too long. Chosen by hand."""
RUNS = 1000
"""So many of the latest runs are looked at."""
ERROR_CHARS = 80


class WorkChecks:
    """What keeps rounds waiting, and what of work nobody needs any more."""

    def __init__(self, stores: Stores, spending: Spending, clock: Clock, settings: Settings) -> None:
        self._stores = stores
        self._spending = spending
        self._clock = clock
        self._settings = settings

    @property
    def of_learning(self) -> Check:
        return Check("learning", self._learning, self._try_parked_again)

    @property
    def of_work(self) -> list[Check]:
        return [
            Check("tasks", self._tasks),
            Check("episodes", self._episodes),
            Check("knowledge", self._knowledge),
            Check("tools", self._tools),
            Check("acts", self._acts),
            Check("reading of work", self._reading_of_work),
        ]

    async def _learning(self, say: Says) -> Finding:
        agent = self._settings.memory_agent
        if not agent.enabled:
            return say.warns("memory_agent.enabled is false", "set memory_agent.enabled = true")
        queue = await self._stores.learning.queue()
        if queue.parked or queue.failing:
            waiting = [each for each in await self._stores.runs.runs(RUNS) if each.state in OPEN_STATES]
            return say.warns(
                "rounds that wait: {rounds}; batches that failed: {failing}, parked: {parked} ({error})",
                "orca extract --retry tries them again",
                rounds=queue.rounds,
                failing=queue.failing,
                parked=queue.parked,
                error=queue.last_error,
            ).named(_runs(waiting), len(waiting))
        today = await self._spending.today()
        if today.rests_until is not None:
            return say.warns(
                "{used} of {limit} tokens of today are used; rounds that wait until tomorrow: {rounds}",
                "raise memory_agent.daily_tokens, or read them now: orca extract",
                rounds=queue.rounds,
                used=today.used,
                limit=today.limit,
            ).named(_chats(queue), len(queue.waiting))
        return self._backlog(say, queue, agent.extract.batch_size)

    def _backlog(self, say: Says, queue: Queue, batch_size: int) -> Finding:
        """What waits though nothing failed: many rounds, or some for long."""
        last, rounds = queue.last_success, queue.rounds
        is_late = rounds >= batch_size and last is not None and self._clock.now() - last > LATE
        if is_late or rounds >= MANY_BATCHES * batch_size:
            return say.warns(
                "rounds that wait to be learnt from: {rounds}; the last success was on {last}"
                if last is not None
                else "rounds that wait to be learnt from: {rounds}; none was read yet",
                "orca extract reads them now",
                rounds=rounds,
                last=last and f"{last:%Y-%m-%d}",
            ).named(_chats(queue), len(queue.waiting))
        if last is None:
            return say.ok("rounds that wait to be learnt from: {rounds}", rounds=rounds)
        detail = "rounds that wait to be learnt from: {rounds}; the last success was on {last}"
        return say.ok(detail, rounds=rounds, last=f"{last:%Y-%m-%d}")

    async def _try_parked_again(self, say: Says, leave: Leave) -> Repair | None:
        count = (await self._stores.learning.queue()).parked
        if not count:
            return None
        if not leave.may_ask:
            detail = "{count} parked runs would ask the memory agent: orca doctor --fix --network has them tried again"
            return say.repaired("left", detail, count=count)
        if leave.is_dry:
            return say.repaired("would", "{count} parked runs are to be tried again", count=count)
        tried = await self._stores.learning.retry(None, self._clock.now())
        detail = "{count} runs are tried again at the next start, or now: orca extract"
        return say.repaired("done", detail, count=tried)

    async def _tasks(self, say: Says) -> Finding:
        now = self._clock.now()
        going = await self._stores.tasks.listed(RecordQuery({"status": (TaskStatus.IN_PROGRESS.value,)}))
        idle = [each.task.id for each in going.records if view_of(each, now).is_idle]
        if not idle:
            return say.ok("{count} in progress", count=len(going.records))
        return say.warns(
            "{count} were touched by nobody for {days} days: {ids}",
            "orca task done {first} ends it, orca task drop {first} drops it",
            count=len(idle),
            days=IDLE.days,
            ids=_named(TASK, idle),
            first=Ref(TASK, idle[-1]),
        )

    async def _episodes(self, say: Says) -> Finding:
        forget = self._settings.memory.forget
        counts = {each: await self._count(EPISODE, each) for each in (State.LIVE, State.ARCHIVED, State.CANDIDATE)}
        live, archived, waiting = counts.values()
        fields = {"live": live, "most": forget.max_episodes, "archived": archived, "waiting": waiting}
        if live <= forget.max_episodes:
            return say.ok("{live} live, {archived} archived, {waiting} in the inbox", **fields)
        fix = "set memory.forget.enabled = true, or raise memory.forget.max_episodes"
        if forget.enabled:
            fix = "orca episode fade forgets the rest"
        return say.warns("{live} live, and at most {most} are to", fix, **fields)

    async def _count(self, kind: Kind, state: State) -> int:
        return (await self._stores.records[kind].page(RecordQuery({"state": (state.value,)}, limit=0))).total

    async def _knowledge(self, say: Says) -> Finding:
        page = await self._stores.records[KNOWLEDGE].page(RecordQuery({"state": (State.LIVE.value,)}))
        named = {number for each in page.records for number in each.source_episodes}
        episodes = await self._stores.records[EPISODE].get(sorted(named), missing_ok=True)
        left = unused(page.records, {each.id: each.state for each in episodes}, self._clock.now())
        said = [each.id for each in page.records if each.held_because == SOURCE_DELETED]
        if said:
            return say.warns(
                "{count} may say what stood in an episode that you deleted; you pinned or wrote them: {ids}",
                "orca knowledge edit {first} changes one, orca knowledge delete {first} deletes it",
                count=len(said),
                ids=_named(KNOWLEDGE, said),
                first=Ref(KNOWLEDGE, said[0]),
            )
        if not left:
            return say.ok("{count} live", count=page.total)
        return say.warns(
            "{count} were not used for {days} days, and no episode that they rest on lives: {ids}",
            "orca knowledge show {first} shows one, orca knowledge archive {first} puts it away",
            count=len(left),
            days=UNUSED.days,
            ids=_named(KNOWLEDGE, [each.id for each in left]),
            first=Ref(KNOWLEDGE, left[0].id),
        )

    async def _tools(self, say: Says) -> Finding:
        figures = await self._stores.tools.figures()
        page = await self._stores.records[GUIDE].page(RecordQuery({"state": (State.LIVE.value,)}))
        left = unused_guides(page.records, [each.tool for each in figures], self._clock.now(), folded)
        if left:
            return say.warns(
                "{count} guides were not used for {days} days, and no call of their tools is left: {ids}",
                "orca tool archive {first} puts one away",
                count=len(left),
                days=UNUSED.days,
                ids=_named(GUIDE, [each.id for each in left]),
                first=Ref(GUIDE, left[0].id),
            )
        return say.ok(
            "{tools} tools, {calls} calls, {guides} guides, {waiting} in the inbox",
            tools=len(figures),
            calls=sum(each.calls for each in figures),
            guides=page.total,
            waiting=await self._count(GUIDE, State.CANDIDATE),
        )

    async def _acts(self, say: Says) -> Finding:
        records = self._stores.records[ACTION]
        standing = await records.page(RecordQuery({"state": (ActionState.STANDING.value,)}, limit=0))
        waiting = await acts_to_read(records)
        return say.ok("{standing} stand, {waiting} of them wait to be read", standing=standing.total, waiting=waiting)

    async def _reading_of_work(self, say: Says) -> Finding:
        runs = await self._stores.runs.runs(RUNS)
        parked = [each for each in runs if each.is_parked and each.kind not in (RunKind.EXTRACT, RunKind.SUMMARIZE)]
        if not parked:
            return say.ok("nothing is parked")
        return say.warns(
            "{count} runs are parked ({kinds}): {error}",
            "orca extract --retry tries them again, orca extract --show {run} says what went wrong",
            count=len(parked),
            kinds=", ".join(sorted({str(each.kind) for each in parked})),
            error=parked[0].error,
            run=parked[0].id,
        ).named(_runs(parked), len(parked))


def _runs(runs: Sequence[Run]) -> list[Evidence]:
    return [
        Evidence(
            text=": ".join(filter(None, (each.session_id or each.target, one_line(each.error, ERROR_CHARS)))),
            what="parked" if each.is_parked else "tried again by itself",
            command=f"orca extract --show {each.id}",
        )
        for each in runs[:NAMED]
    ]


def _chats(queue: Queue) -> list[Evidence]:
    """Those of which most waits, each with what reads it."""
    waiting = sorted(queue.waiting.items(), key=lambda each: -each[1])[:NAMED]
    return [
        Evidence(text=f"{session} ({rounds})", command=f"orca extract --session {quote(session)}")
        for session, rounds in waiting
    ]


def _named(kind: Kind, numbers: Iterable[int]) -> str:
    names = [str(Ref(kind, number)) for number in numbers]
    return " ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")

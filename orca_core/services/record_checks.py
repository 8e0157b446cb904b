"""Checks what is kept: what memories say that they should not or say twice; which runs failed and which chats wait to
be learnt from; episodes, knowledge, guides of tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import timedelta
from shlex import quote

from orca_core.jobs.cleaning import Cleaning
from orca_core.model.diagnosis import NAMED, Check, Finding, FindingEvidence, Leave, Repair, Says
from orca_core.model.knowledge import SOURCE_DELETED
from orca_core.model.learning import OPEN_STATES, Queue, Run, RunKind
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory, MergedMemories, PairReason, State, UndecidedPair
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, Kind, Ref, memory_ref
from orca_core.model.views import MemoryQuery, MemorySort, RecordQuery, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.memory_wording import holds_secret, shown_without_secrets
from orca_core.rules.work.reported_calls import fold_tool
from orca_core.rules.work.retention import UNUSED, unused_guides, unused_knowledge
from orca_core.services.shared.spending import Spending
from orca_core.settings import Settings

AT_ONCE = 100
"""So many memories are read and looked at before others have their turn."""
LATE = timedelta(days=2)
MANY_BATCHES = 10
"""So many batches of rounds are many, and a batch that waits for so long waits for too long. Chosen by hand."""
RUNS = 1000
"""So many of the latest runs are looked at."""
ERROR_CHARS = 80


class RecordChecks:
    """The checks of one examination."""

    def __init__(
        self,
        stores: Stores,
        cleaning: Cleaning,
        spending: Spending,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._stores = stores
        self._cleaning = cleaning
        self._spending = spending
        self._clock = clock
        self._settings = settings

    @property
    def of_memories(self) -> list[Check]:
        return [
            Check("secrets", self._secrets),
            Check("duplicates", self._duplicates, self._merge_twins),
            Check("conflicts", self._conflicts),
            Check("learning", self._learning, self._try_parked_again),
        ]

    @property
    def of_work(self) -> list[Check]:
        return [
            Check("episodes", self._episodes),
            Check("knowledge", self._knowledge),
            Check("tools", self._tools),
            Check("reading of work", self._reading_of_work),
        ]

    async def _secrets(self, say: Says) -> Finding:
        found = [memory async for memory in self._all_memories() if holds_secret(memory.content)]
        if not found:
            return say.ok("no memory holds a key, a token or a password")
        return say.warns(
            "{count} with what looks like a key, a token or a password",
            "orca memory delete {ids} deletes for good; then change what it was",
            count=len(found),
            ids=" ".join(str(each.id) for each in found[:NAMED]),
        ).named(_memories(found, "orca memory delete"), len(found))

    async def _all_memories(self) -> AsyncIterator[Memory]:
        """By their number, some at once."""
        after, every = 0, StatusCriteria(tuple(State))
        while True:
            query = MemoryQuery(every, sort=MemorySort.ID, counted=False, limit=AT_ONCE, after=after)
            page = (await self._stores.memories.page(query)).records
            for memory in page:
                yield memory
            if len(page) < AT_ONCE:
                return
            after = page[-1].id

    async def _duplicates(self, say: Says) -> Finding:
        same = (await self._cleaning.due()).merged
        near = [each for each in await self._stores.memories.undecided() if each.why == PairReason.UNDECIDED]
        if not same and not near:
            return say.ok("no two memories say the same")
        detail = "memories that say just what another says: {same}, pairs that may say the same: {near}"
        fix = "orca memory clean merges what says just the same, orca memory duplicates lists the rest"
        if not same:
            detail = "pairs that may say the same: {near}"
            fix = "orca memory duplicates lists them; --keep ID ID keeps both"
        return say.warns(
            detail,
            fix,
            same=sum(len(each.others) for each in same),
            near=len(near),
        ).named([*await self._groups(same), *_pairs(near, "orca memory merge")], len(same) + len(near))

    async def _groups(self, same: Sequence[MergedMemories]) -> list[FindingEvidence]:
        """Memories that say just the same, with the one that stays."""
        named = same[:NAMED]
        kept = {each.id: each for each in await self._stores.memories.get([each.kept for each in named])}
        return [
            FindingEvidence(
                memory_ref(each.kept),
                f"{_shown(kept[each.kept])} | {' '.join(f'#{other}' for other in each.others[:NAMED])}",
                command=f"orca memory merge {' '.join(map(str, (each.kept, *each.others[:NAMED])))}",
            )
            for each in named
        ]

    async def _merge_twins(self, say: Says, leave: Leave) -> Repair | None:
        cleaned = await (self._cleaning.due() if leave.is_dry else self._cleaning.merge())
        count = sum(len(each.others) for each in cleaned.merged)
        if not count:
            return None
        if leave.is_dry:
            return say.repaired("would", "{count} that say just what another says are merged", count=count)
        detail = "{count} that said just what another says were merged: orca memory undo {operation} takes it back"
        return say.repaired("done", detail, count=count, operation=cleaned.operation).by(cleaned.operation)

    async def _conflicts(self, say: Says) -> Finding:
        found = [each for each in await self._stores.memories.undecided() if each.why != PairReason.UNDECIDED]
        if not found and (waiting := await self._stores.imports.uncompared()):
            detail = "none so far: {count} of those imported are still to be compared, which Orca does by itself"
            return say.ok(detail, count=waiting)
        if not found:
            return say.ok("no two memories contradict each other")
        return say.warns(
            "pairs that contradict each other or give one thing two values: {count}",
            "archive, edit or merge one of the two; orca memory duplicates lists them, --keep ID ID keeps both",
            count=len(found),
        ).named(_pairs(found, "orca memory archive", older_only=True), len(found))

    async def _learning(self, say: Says) -> Finding:
        agent = self._settings.memory_agent
        if not agent.enabled:
            return say.warns("memory_agent.enabled is false", "set memory_agent.enabled = true")
        queue = await self._stores.learning.queue()
        if queue.parked or queue.failing:
            waiting = [each for each in await self._stores.learning.runs(RUNS) if each.state in OPEN_STATES]
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
        left = unused_knowledge(page.records, {each.id: each.state for each in episodes}, self._clock.now())
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
        left = unused_guides(page.records, [each.tool for each in figures], self._clock.now(), fold_tool)
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

    async def _reading_of_work(self, say: Says) -> Finding:
        runs = await self._stores.learning.runs(RUNS)
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


def _memories(memories: Sequence[Memory], command: str) -> list[FindingEvidence]:
    return [
        FindingEvidence(memory_ref(each.id), _shown(each), command=f"{command} {each.id}") for each in memories[:NAMED]
    ]


def _pairs(pairs: Sequence[UndecidedPair], command: str, *, older_only: bool = False) -> list[FindingEvidence]:
    """The newer of each, and what it stands against."""
    return [
        FindingEvidence(
            memory_ref(each.newer.id),
            f"{_shown(each.newer)} | #{each.older.id} {_shown(each.older)}",
            command=f"{command} {each.older.id}" if older_only else f"{command} {each.newer.id} {each.older.id}",
        )
        for each in pairs[:NAMED]
    ]


def _shown(memory: Memory) -> str:
    return shown_without_secrets(memory.content)


def _runs(runs: Sequence[Run]) -> list[FindingEvidence]:
    return [
        FindingEvidence(
            text=": ".join(filter(None, (each.session_id or each.target, one_line(each.error, ERROR_CHARS)))),
            what="parked" if each.is_parked else "tried again by itself",
            command=f"orca extract --show {each.id}",
        )
        for each in runs[:NAMED]
    ]


def _chats(queue: Queue) -> list[FindingEvidence]:
    """Those of which most waits, each with what reads it."""
    waiting = sorted(queue.waiting.items(), key=lambda each: -each[1])[:NAMED]
    return [
        FindingEvidence(text=f"{session} ({rounds})", command=f"orca extract --session {quote(session)}")
        for session, rounds in waiting
    ]


def _named(kind: Kind, numbers: Iterable[int]) -> str:
    names = [str(Ref(kind, number)) for number in numbers]
    return " ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")

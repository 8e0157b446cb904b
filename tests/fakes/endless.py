"""Works on a home without end until it is killed, and looks whether all that it said to be done is there, once. Run as
`python endless.py KIND HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

import apsw
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.deleting import opened
from fakes.records import begin, record, remember

from orca_core.clock import ClockAt, SystemClock
from orca_core.jobs.retention import EpisodeForgetting
from orca_core.model.episodes import Episode
from orca_core.model.feedback import Action, ReadingState, ShownPreference
from orca_core.model.knowledge import DueTargets, JudgedKnowledge, ProposedKnowledge
from orca_core.model.learning import Due, Proposal, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, Memory, MemoryType, NewMemory, Origin, OriginKind, State, Use
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.tasks import Outcome, TaskStatus
from orca_core.model.tools import DueGuides, Guide, JudgedGuide
from orca_core.model.views import MemoryQuery, RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims, promotion, signals
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory.memory_curation import criteria
from orca_core.rules.work.reported_calls import checked_call
from orca_core.services.tasks import Tasks
from orca_core.settings import EpisodeSettings, ForgetSettings


async def work_on_turns(home: Path) -> None:
    """Says the number of each turn that is done."""
    stores = await opened(home)
    [memory_id] = await remember(stores, "a memory that every turn uses")
    while True:
        started = await begin(stores)
        await stores.sessions.save_partial(started.id, "half of it", "")
        await stores.sessions.finish_round(record(started, uses={memory_id: Use.USED}))
        print(started.number, flush=True)


ENDED = (TaskStatus.COMPLETED, TaskStatus.FAILED)


def tasks_on(stores: Stores) -> Tasks:
    return Tasks(stores.tasks, lambda: None, SystemClock(), EpisodeSettings())


async def work_on_tasks(home: Path) -> None:
    """Says each thing once it is done: `started 3`, `step 3`, `over 3 ended` or `over 3 dropped`."""
    stores = await opened(home)
    tasks, clock, chance = tasks_on(stores), SystemClock(), random.Random()
    while True:
        number = (await tasks.start("s", "mend the build", target="ci")).task.id
        print("started", number, flush=True)
        for each in range(chance.randrange(4)):
            await tasks.add_step(number, f"step {each}", result="x" * 5_000, status="completed")
            print("step", number, flush=True)
        if chance.random() < 0.2:
            await tasks.drop(number)
            print("over", number, "dropped", flush=True)
            continue
        await tasks.complete(number, chance.choice(["success", "partial", "failed"]))
        what = chance.random()
        if what < 0.4:
            await stores.history.undo(None, clock.now())
            if what < 0.2:
                await stores.history.redo(None, clock.now())
            else:
                await tasks.complete(number, "partial")
        print("over", number, "ended", flush=True)


async def look_at_tasks(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is."""
    stores = await opened(home)
    found = {view.task.id: view for view in (await stores.tasks.listed(RecordQuery())).records}
    episodes = [each async for each in stores.records[EPISODE].all()]
    integrity = (await stores.upkeep.health()).integrity
    await stores.upkeep.aclose()
    lines = [line.split() for line in said]
    steps = Counter(int(line[1]) for line in lines if line[0] == "step")
    live = Counter(each.task for each in episodes if each.state is State.LIVE)
    wrong: Counter[str] = Counter()
    wrong["tasks lost"] = sum(line[0] == "started" and int(line[1]) not in found for line in lines)
    wrong["steps lost"] = sum(len(found[number].steps) < count for number, count in steps.items() if number in found)
    wrong["steps doubled"] = sum(
        len({step.number for step in view.steps}) != len(view.steps)
        or len({step.description for step in view.steps}) != len(view.steps)
        for view in found.values()
    )
    over = {int(line[1]): line[2] == "ended" for line in lines if line[0] == "over"}
    wrong["ends lost"] = sum(
        number in found and (found[number].task.status in ENDED) != is_ended for number, is_ended in over.items()
    )
    wrong["ended tasks without their episode"] = sum(
        view.task.status in ENDED and live[number] != 1 for number, view in found.items()
    )
    wrong["episodes without their task's end"] = sum(
        number is None or number not in found or found[number].task.status not in ENDED for number in live
    )
    wrong["episodes doubled"] = len(episodes) - len({each.task for each in episodes})
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


TOOLS = ("web_search", "Shell", "write_file")
AT_ONCE = 3
MANY = 1_000_000


async def call(stores: Stores, tool: str, *names: str) -> None:
    """Calls by these names, all in one report."""
    now = SystemClock().now()
    await stores.tools.record(
        [checked_call({"tool": tool, "call_id": each, "output": "ok"}, now, "s") for each in names]
    )


def due_guides() -> DueGuides:
    return DueGuides(SystemClock().now(), AT_ONCE, 300.0)


async def write_guides(stores: Stores, chance: random.Random | None = None) -> list[Guide]:
    """Every guide that is due; by chance a run fails, finds nothing, or is taken back and brought again."""
    clock, written = SystemClock(), []
    while batch := await stores.tools.claim_guide(due_guides()):
        dice = chance.random() if chance else 1.0
        if dice < 0.05:
            await stores.learning.fail(batch, RunState.FAILED, "down", clock.now(), RunEnd(clock.now()))
            continue
        held = "not_in_calls" if 0.05 <= dice < 0.2 else None
        judged = JudgedGuide(f"{batch.tool}: {uuid4().hex}", "m", held)
        settled = await stores.tools.finish_guide(batch, judged, RunEnd(clock.now()))
        if settled is None or settled.guide is None:
            continue
        if 0.2 <= dice < 0.4:
            undone = await stores.history.undo(settled.operation, clock.now())
            await stores.history.redo(undone.operation, clock.now())
        written.append(settled.guide)
        if chance:
            print("written", settled.guide.id, settled.guide.version, flush=True)
    return written


async def work_on_guides(home: Path) -> None:
    """Says each thing once it is done: `called NAME`, and `written 1 2` (a guide and its version). Every report holds a
    call that was reported before."""
    stores, chance = await opened(home), random.Random()
    known = {tool: uuid4().hex for tool in TOOLS}
    while True:
        tool = chance.choice(TOOLS)
        fresh = [uuid4().hex for _ in range(chance.randint(1, AT_ONCE))]
        await call(stores, tool, known[tool], *fresh)
        for each in (known[tool], *fresh):
            print("called", each, flush=True)
        known[tool] = fresh[-1]
        await write_guides(stores, chance)


async def look_at_guides(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. What was cut short goes on first."""
    stores = await opened(home)
    await write_guides(stores)
    calls = [each for tool in TOOLS for each in await stores.tools.calls(tool, MANY)]
    guides = {each.id: each async for each in stores.records[GUIDE].all()}
    waiting = await stores.tools.waiting_for_guides()
    counted = sum(each.calls for each in await stores.tools.figures())
    twice = [await _written_twice(stores, each) for each in guides.values()]
    integrity = (await stores.upkeep.health()).integrity
    await stores.upkeep.aclose()
    lines = [line.split() for line in said]
    names = Counter(each.call_id for each in calls)
    standing = Counter((each.target, each.state) for each in guides.values() if each.state is not State.ARCHIVED)
    wrong: Counter[str] = Counter()
    wrong["calls lost"] = len({line[1] for line in lines if line[0] == "called"} - names.keys())
    wrong["calls doubled"] = sum(count > 1 for count in names.values())
    wrong["calls counted wrongly"] = abs(counted - len(calls))
    wrong["guides lost"] = sum(
        line[0] == "written" and (int(line[1]) not in guides or guides[int(line[1])].version < int(line[2]))
        for line in lines
    )
    wrong["tools with two guides"] = sum(count > 1 for count in standing.values())
    wrong["guides written twice of the same calls"] = sum(twice) + _made_twice(guides.values())
    wrong["tools left due"] = sum(each.fresh > AT_ONCE for each in waiting)
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


async def _written_twice(stores: Stores, guide: Guide) -> int:
    """How many operations made another version of it that rests on no further call."""
    changes = await stores.records[GUIDE].history(guide.id)
    return sum("version" in each.after and "through" not in each.after for each in changes)


def _made_twice(guides: Iterable[Guide]) -> int:
    return sum(count > 1 for count in Counter((each.target, each.through) for each in guides).values())


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAYS = 3
CHOOSE = partial(promotion.best_ready, temperature=0.001, min_support=DAYS)


async def record_act(stores: Stores, word: str, session: str, number: int) -> int:
    at = NOW - timedelta(days=number)
    act = signals.checked_act(Action(0, "", signals.action_type(word), session, at, round=number))
    header = OperationHeader(Actor.USER, word.lower(), at, session)  # Orca received it then
    return (await stores.feedback.record(act, header)).action.id


async def read_acts(stores: Stores) -> list[tuple[int, list[int]]]:
    """Read whatever waits, also what a run that was killed had begun; what was shown, with its acts."""
    found = []
    while batch := await stores.feedback.claim_acts(
        Due(NOW, preference_claims.BATCH, NOW, everything=True), preference_claims.acts_due
    ):
        ids = [each.id for each in batch.actions]
        content = f"The user likes dish {batch.session_id}"
        origin = Origin(OriginKind.ACTION, batch.session_id)
        new = NewMemory(
            content, MemoryType.PREFERENCE, origin=origin, state=State.CANDIDATE, held_because=promotion.UNPROVEN
        )
        grown = await stores.feedback.finish_acts(
            batch, [ShownPreference(Proposal(new), tuple(ids))], (), settle, RunEnd(NOW)
        )
        if grown is not None and grown.supported:
            found.append((grown.supported[0], ids))
    return found


async def promote(stores: Stores) -> list[Memory]:
    """Verify whatever is ready, also what a run that was killed had begun: it goes live, or is held, by its text."""
    decided = []
    while batch := await stores.feedback.claim_candidate(Due(NOW, preference_claims.BATCH, NOW), CHOOSE):
        assert batch.candidate is not None
        lives = not is_refused(batch.candidate.memory)
        settled = await stores.feedback.finish_candidate(batch, RunEnd(NOW), lives=lives)
        if settled is not None:
            decided.append(settled.memory)
    return decided


def is_refused(memory: Memory) -> bool:
    """About one in four, by the text."""
    return memory.content.endswith(("0", "1", "2", "3"))


async def work_on_acts(home: Path) -> None:
    """Says what it begins and what is done: `liked ACT`, `read MEMORY ACT …`, `live MEMORY` (live, or held),
    `cancelling SESSION`, `cancelled ACT`."""
    stores, chance = await opened(home), random.Random()
    await record_act(stores, "LIKE", uuid4().hex, 1)
    await read_acts(stores)  # what judges is loaded by now: it would take most of the time that is left
    while True:
        session = uuid4().hex
        liked = [await record_act(stores, "LIKE", session, number) for number in range(1, DAYS + 1)]
        say("liked", *liked)
        for memory, ids in await read_acts(stores):
            say("read", memory, *ids)
        say("live", *(each.id for each in await promote(stores)))
        for act, number in zip(liked, range(1, DAYS + 1), strict=True):
            if chance.random() < 0.4:
                say("cancelling", act)
                await record_act(stores, "CANCEL_LIKE", session, number)
                say("cancelled", act)


def say(what: str, *numbers: int) -> None:
    print(what, *numbers, flush=True)


async def look_at_acts(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. It reads and lets live what is left, as the next start does."""
    told: dict[str, list[list[int]]] = {}
    for line in said:
        what, *numbers = line.split()
        told.setdefault(what, []).append([int(each) for each in numbers])
    stores = await opened(home)
    await read_acts(stores)
    await promote(stores)
    found = {each.id: each async for each in stores.records[ACTION].all()}
    memories = {each.id: each for each in (await stores.memories.page(MemoryQuery(criteria("all", 5.0)))).records}
    supports = await stores.feedback.supports_of(list(memories))
    operations = await stores.history.operations(1_000_000)
    runs = [each for each in await stores.learning.runs(1_000_000) if each.kind is RunKind.ACTIONS and each.target]
    wrong: Counter[str] = Counter()
    wrong["databases damaged"] = (await stores.upkeep.health()).integrity != "ok"
    await stores.upkeep.aclose()
    liked, cancelled = ({each for line in told.get(what, ()) for each in line} for what in ("liked", "cancelled"))
    wrong["acts lost"] = len(liked - found.keys())
    wrong["taken back and standing"] = sum(found[each].stands for each in cancelled & found.keys())
    speaking = Counter(each.act for standing in supports.values() for each in standing)
    wrong["supports doubled"] = sum(count > 1 for count in speaking.values())
    read_and_standing = [each.id for each in found.values() if each.stands and each.read is ReadingState.DONE]
    wrong["supports lost"] = sum(each not in speaking for each in read_and_standing)
    wrong["supports of nothing"] = sum(not found[each].stands for each in speaking if each in found)
    wrong["readings lost"] = sum(memory not in memories for memory, *_ in told.get("read", ()))
    wrong["memories doubled"] = len(memories) - len({each.content for each in memories.values()})
    wrong["not as their supports say"] = sum(
        not _follows(memory, promotion.days_of(supports.get(memory.id, ()))) for memory in memories.values()
    )
    lives = {each for line in told.get("live", ()) for each in line}
    promotions = sum(each.header.actor is Actor.PROMOTION for each in operations)
    wrong["promotions lost"] = max(0, len(lives) - promotions)
    ended = Counter(each.operation for each in runs if each.operation is not None)
    wrong["promotions without a run"] = promotions - len(ended)
    wrong["runs that share a promotion"] = sum(count > 1 for count in ended.values())
    wrong["promotions left open"] = sum(each.state is RunState.RUNNING for each in runs)
    return +wrong


def _follows(memory: Memory, days: int) -> bool:
    """What is ready lives by now, or is held; what speaks for nothing is away."""
    if memory.state is State.LIVE:
        return days >= DAYS and not is_refused(memory)
    if memory.state is State.CANDIDATE:
        return (0 < days < DAYS) or (
            days > 0 and memory.held_because == promotion.REFUSED["held_because"] and is_refused(memory)
        )
    return memory.archived_because is ArchivedBecause.WITHDRAWN and days == 0


LATER = NOW + timedelta(days=31)
EPISODES = 120
"""More than one slice."""
MODEL = "m"


def fading_on(stores: Stores, at: datetime = NOW) -> EpisodeForgetting:
    return EpisodeForgetting(stores, ClockAt(at), ForgetSettings())


async def made_episodes(stores: Stores, count: int) -> list[int]:
    """Episodes that are due, with their vectors."""
    old = NOW - timedelta(days=200)
    texts = [f"nginx broke {uuid4().hex}" for _ in range(count)]
    some = [Episode(0, text, text, text, old, old, old, outcome=Outcome.FAILED) for text in texts]
    records = await stores.memories.make_all(EPISODE, some, OperationHeader(Actor.IMPORT, "import", NOW))
    waiting = await stores.vectors.unembedded(MODEL, count)
    await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])
    await stores.vectors.refresh_index(MODEL)
    return [each.id for each in records]


async def work_on_episodes(home: Path) -> None:
    """Says what it begins and what is done: `made 1 2 …`, `faded OPERATION 1 2 …`, `returning`, `returned`,
    `deleting`, `deleted`."""
    stores, chance = await opened(home), random.Random()
    while True:
        say("made", *await made_episodes(stores, EPISODES))
        faded = await fading_on(stores).run()
        say(f"faded {faded.operation}", *faded.episodes)
        if chance.random() < 0.4:
            say("returning", *faded.episodes)
            await stores.history.undo(faded.operation, NOW)
            say("returned", *faded.episodes)
        elif chance.random() < 0.5:
            gate = fading_on(stores, LATER)
            say("deleting", *(await gate.due()).deleted)
            say("deleted", *(await gate.run()).deleted)


async def look_at_episodes(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. It forgets what is left to be, as the next start does."""
    told = _Told(said)
    stores = await opened(home)
    wrong: Counter[str] = Counter()
    await stores.history.carry_on()
    wrong["indexes out of step"] = sum(not each.is_in_step for each in await stores.upkeep.states())
    await fading_on(stores).run()
    wrong["indexes out of step afterwards"] = sum(not each.is_in_step for each in await stores.upkeep.states())
    wrong["left though due"] = len((await fading_on(stores).due()).episodes)
    found = {each.id: each async for each in stores.records[EPISODE].all()}
    standing = {each.id for each in await stores.history.operations(1_000_000) if each.undone_by is None}
    wrong["databases damaged"] = (await stores.upkeep.health()).integrity != "ok"
    await stores.upkeep.aclose()
    fades = _fades(home)
    wrong["episodes lost"] = len(told.made - told.deleting - found.keys())
    wrong["deleted and there"] = len(told.deleted & found.keys())
    wrong["forgotten and live"] = sum(
        found[number].state is State.LIVE for number in (told.faded - told.returning) & found.keys()
    )
    wrong["brought back and away"] = sum(
        found[number].state is not State.LIVE for number in told.returned & found.keys()
    )
    wrong["half forgotten"] = sum(
        (found[number].state is State.ARCHIVED) != (len(fades[number] & standing) == 1) for number in found
    )
    wrong["not in the operation of their run"] = sum(
        operation not in fades[number] for number, operation in told.operations.items() if number in found
    )
    return +wrong


class _Told:
    """What was said, by what it was said of."""

    def __init__(self, said: Iterable[str]) -> None:
        of: dict[str, set[int]] = {}
        self.operations: dict[int, int] = {}
        for line in said:
            what, *numbers = line.split()
            if what == "faded" and numbers[0] != "None":
                self.operations.update(dict.fromkeys(map(int, numbers[1:]), int(numbers[0])))
            of.setdefault(what, set()).update(map(int, numbers[1:] if what == "faded" else numbers))
        self.made = of.get("made", set())
        self.faded = of.get("faded", set())
        self.returning = of.get("returning", set())
        self.returned = of.get("returned", set())
        self.deleting = of.get("deleting", set())
        self.deleted = of.get("deleted", set())


def _fades(home: Path) -> defaultdict[int, set[int]]:
    """The operations that forgot each episode. Asked of the file at once: thousands of them have a history."""
    connection = apsw.Connection(str(home / "orca.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "SELECT h.memory_id, h.operation FROM memory_history h JOIN operations o ON o.id = h.operation"
        " WHERE h.kind = ? AND o.action = 'fade'",
        (EPISODE.name,),
    ).fetchall()
    connection.close()
    fades: defaultdict[int, set[int]] = defaultdict(set)
    for episode, operation in rows:
        fades[episode].add(operation)
    return fades


TARGETS = ("orders", "Payments", "build")


def an_episode(target: str) -> Episode:
    now = datetime.now(UTC)
    return Episode(0, uuid4().hex, f"{target} broke", "it broke", now, now, now, target=target)


async def teach(stores: Stores, chance: random.Random | None = None) -> None:
    """Every run that is due; by chance one fails, or is taken back and brought again."""
    clock = SystemClock()
    while batch := await stores.knowledge.claim(DueTargets(clock.now(), 3)):
        if chance and chance.random() < 0.2:
            await stores.learning.fail(batch, RunState.FAILED, "down", clock.now(), RunEnd(clock.now()))
            continue
        content = f"{len(batch.episodes)} more {uuid4().hex}"
        judged = JudgedKnowledge(ProposedKnowledge(batch.target, content), f"{batch.target} {content}", "m")
        settled = await stores.knowledge.finish(batch, judged, RunEnd(clock.now()))
        if settled is None or settled.knowledge is None or chance is None:
            continue
        if chance.random() < 0.3:
            undone = await stores.history.undo(settled.operation, clock.now())
            await stores.history.redo(undone.operation, clock.now())
        print("taught", settled.knowledge.id, settled.knowledge.version, flush=True)


async def work_on_knowledge(home: Path) -> None:
    """Says each thing once it is done: `episode 3`, `taught 1 2` (the knowledge and its version)."""
    stores = await opened(home)
    chance, clock = random.Random(), SystemClock()
    while True:
        header = OperationHeader(Actor.USER, "add", clock.now())
        made = await stores.records[EPISODE].add(an_episode(chance.choice(TARGETS)), header)
        print("episode", made.id, flush=True)
        await teach(stores, chance)


async def look_at_knowledge(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. What was cut short goes on first."""
    stores = await opened(home)
    await teach(stores)
    episodes = {each.id: each async for each in stores.records[EPISODE].all()}
    known = {each.id: each async for each in stores.records[KNOWLEDGE].all()}
    stand = {each.id for each in await stores.history.operations(MANY) if each.undone_by is None}
    runs = [each for each in await stores.learning.runs(MANY) if each.kind is RunKind.CONSOLIDATE]
    integrity = (await stores.upkeep.health()).integrity
    await stores.upkeep.aclose()
    lines = [line.split() for line in said]
    live = [each for each in known.values() if each.state is State.LIVE]
    read = Counter(number for run in runs if run.operation in stand for number in run.episodes)
    wrong: Counter[str] = Counter()
    wrong["episodes lost"] = sum(line[0] == "episode" and int(line[1]) not in episodes for line in lines)
    wrong["knowledge lost"] = sum(
        line[0] == "taught" and (int(line[1]) not in known or known[int(line[1])].version < int(line[2]))
        for line in lines
    )
    wrong["episodes consolidated twice"] = sum(count > 1 for count in read.values())
    wrong["targets known twice"] = len(live) - len({each.target for each in live})
    wrong["marks without their source"] = sum(
        each.consolidated_into is not None and each.id not in known[each.consolidated_into].source_episodes
        for each in episodes.values()
    )
    wrong["sources without their mark"] = sum(
        episodes[number].consolidated_into != each.id for each in live for number in each.source_episodes
    )
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


class Work(Struct, frozen=True):
    """A kind of work, and what is looked at after it was killed. `within_s` is how long after its first line at most."""

    without_end: Callable[[Path], Awaitable[None]]
    look: Callable[[Path, Iterable[str]], Awaitable[Counter[str]]]
    within_s: float


WORKS = {
    "tasks": Work(work_on_tasks, look_at_tasks, 0.4),
    "knowledge": Work(work_on_knowledge, look_at_knowledge, 0.4),
    "guides": Work(work_on_guides, look_at_guides, 0.8),
    "promotions": Work(work_on_acts, look_at_acts, 1.2),
    "fading": Work(work_on_episodes, look_at_episodes, 0.8),
}


if __name__ == "__main__":
    work = work_on_turns if sys.argv[1] == "turns" else WORKS[sys.argv[1]].without_end
    asyncio.run(work(Path(sys.argv[2])))

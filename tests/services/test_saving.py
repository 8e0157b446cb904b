"""Saving beside the stream: a lock, a full disk, a broken table, an end in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest
from fakes.looks import WatchedSearch, meanwhile
from fakes.records import header
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import names, of, only, turn
from msgspec.structs import replace

from orca_core.model.errors import NotFound, StorageError, StoreBusy, StoreFull
from orca_core.model.events import Delta, Done, Event, Failed, Injected, LevelChanged, Reply, Saved
from orca_core.model.llm import Completed, Finish, TextDelta
from orca_core.model.recall import Level
from orca_core.model.sessions import Round, RoundState
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.services.chat.recall import Recall
from orca_core.services.chat.recording import RoundRecording
from orca_core.services.shared.saving import Saves
from orca_core.settings import InjectSettings, MemorySettings, Settings

PLACE = Path("orca.db")


def write(log: list[str], name: str, *refusals: Exception) -> Callable[[], Awaitable[str]]:
    """A write that is refused so often, and then succeeds."""
    waiting = list(refusals)

    async def work() -> str:
        log.append(name)
        if waiting:
            raise waiting.pop(0)
        return name

    return work


async def test_writes_are_written_in_the_order_in_which_they_came() -> None:
    saves, log = Saves(), []
    first, second = saves.put(write(log, "first")), saves.put(write(log, "second"))
    assert await second.outcome(30) == "second"
    assert first.result() == "first"
    assert (log, saves.unwritten) == (["first", "second"], 0)


async def test_what_is_refused_for_now_is_said_at_once_and_tried_until_it_succeeds() -> None:
    saves, log, written = Saves(), [], []
    busy = saves.put(write(log, "busy", StoreBusy(path=PLACE), StoreBusy(path=PLACE)), written.append)
    behind = saves.put(write(log, "behind"))
    with pytest.raises(StoreBusy):
        await busy.outcome(30)
    assert saves.unwritten == 2
    await saves.drain()
    assert (busy.result(), behind.result()) == ("busy", "behind")
    assert (log, written) == (["busy", "busy", "busy", "behind"], ["busy"])


async def test_what_is_refused_for_good_is_not_tried_again_and_holds_nothing_up() -> None:
    saves, log = Saves(), []
    gone = saves.put(write(log, "gone", NotFound(what="round", id=1)))
    behind = saves.put(write(log, "behind"))
    assert await behind.outcome(30) == "behind"
    with pytest.raises(NotFound):
        await gone.outcome(30)
    assert log == ["gone", "behind"]


async def test_a_mistake_in_a_write_is_reported_and_holds_nothing_up() -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context["exception"]))
    saves, log, mistake = Saves(), [], ValueError("a mistake")
    saves.put(write(log, "wrong", mistake))
    assert await saves.put(write(log, "right")).outcome(30) == "right"
    assert reported == [mistake]


async def test_patience_ends_before_a_write_that_takes_its_time() -> None:
    saves, may_go = Saves(), asyncio.Event()

    async def slow() -> str:
        await may_go.wait()
        return "written"

    waiting = saves.put(slow)
    with pytest.raises(StorageError, match="has not answered"):
        await waiting.outcome(0.01)
    may_go.set()
    await saves.drain()
    assert waiting.result() == "written"


async def test_closing_tries_once_more_and_gives_up_what_will_not_change() -> None:
    saves, log = Saves(), []
    full = saves.put(write(log, "full", *[StoreFull(path=PLACE)] * 50))
    with pytest.raises(StoreFull):
        await full.outcome(30)
    await saves.aclose()
    assert (log.count("full"), full.is_over) == (2, False)


TECHNICAL = "docker 里的 postgres 连不上，和上次一样吗？"


ALL_THAT_IS_NEAR = Settings(memory=MemorySettings(inject=InjectSettings(lookups=0)))


class Lock:
    """Another process that holds the database."""

    def __init__(self, database: Path) -> None:
        self._connection = apsw.Connection(str(database))
        self._connection.set_busy_timeout(30_000)

    async def take(self, orca: Orca) -> None:
        """From now on Orca waits for no write longer than a blink: none can be done."""
        self._connection.execute("BEGIN IMMEDIATE")
        orca.saves.patience_s = 0.05

    async def give_back(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()


async def test_a_lock_during_the_answer_holds_up_none_of_its_tokens(open_orca, database: Path, clock) -> None:
    model = ScriptedModel(says("hi"))

    async def locks() -> None:
        await lock.take(orca)

    async def a_second() -> None:
        clock.advance(1.1)

    tokens = [step for number in range(12) for step in (TextDelta(f"{number} "), a_second)]
    async with open_orca(model) as orca:
        await turn(orca, "hello", session_id="s")
        lock = Lock(database)
        model.scripts = [[locks, *tokens, Completed(Finish.STOP, None)]]
        saved: list[Saved] = []
        orca.saves.subscribe(saved.append)
        events = await turn(orca, "a question", session_id="s")
        _, rounds = await orca.sessions.show("s")
        assert (rounds[-1].assistant, rounds[-1].state) == ("", RoundState.STREAMING)
        await lock.give_back()
        await orca.saves.drain()
        _, rounds = await orca.sessions.show("s")

    assert "".join(event.text for event in of(events, Delta)) == "0 1 2 3 4 5 6 7 8 9 10 11 "
    assert [event.kind for event in of(events, Failed)] == ["not_saved"]
    assert names(events)[-1] == "done"
    assert (rounds[-1].assistant, rounds[-1].state) == ("0 1 2 3 4 5 6 7 8 9 10 11 ", RoundState.DONE)
    assert saved == [Saved("s", 2)]


async def test_a_chat_goes_on_under_a_lock_and_is_whole_when_it_opens(open_orca, database: Path) -> None:
    model = ScriptedModel(says("one"), says("two"), says("three"))
    async with open_orca(model) as orca:
        await turn(orca, "question one", session_id="s")
        lock = Lock(database)
        await lock.take(orca)
        second = await turn(orca, "question two", session_id="s")
        third = await turn(orca, "question three", session_id="s")
        asked = model.last_prompt()
        await lock.give_back()
        await orca.saves.drain()
        _, rounds = await orca.sessions.show("s")

    assert [event.kind for event in of(second + third, Failed)] == ["not_saved", "not_saved"]
    assert asked[:4] == ["question one", "one", "question two", "two"]
    assert asked[4].endswith("question three")
    assert only(third, Done).round == 3
    assert [(each.number, each.user, each.assistant, each.state) for each in rounds] == [
        (1, "question one", "one", RoundState.DONE),
        (2, "question two", "two", RoundState.DONE),
        (3, "question three", "three", RoundState.DONE),
    ]


async def test_an_orca_that_closes_keeps_what_its_turns_have_said(open_orca) -> None:
    """Another configuration in the middle of an answer: the process goes on, and nobody would find the round."""

    said, events = asyncio.Event(), []

    async def falls_silent() -> None:
        said.set()
        await asyncio.Event().wait()

    async with open_orca(ScriptedModel([TextDelta("half"), falls_silent])) as orca:

        async def listen() -> None:
            events.extend(await turn(orca, TECHNICAL, session_id="s"))

        listening = asyncio.create_task(listen())
        await said.wait()
    await asyncio.wait_for(listening, 30)
    async with open_orca() as orca:
        _, rounds = await orca.sessions.show("s")

    assert names(events)[-2:] == ["reply", "done"]
    assert [(each.assistant, each.state) for each in rounds] == [("half", RoundState.INTERRUPTED)]


async def test_a_turn_that_is_cancelled_while_its_question_is_saved_leaves_no_open_round(open_orca, database) -> None:
    async with open_orca() as orca:
        await turn(orca, "hello", session_id="s")
        lock = Lock(database)
        await lock.take(orca)
        asked = asyncio.create_task(turn(orca, "a question", session_id="s"))
        for _ in range(50):
            await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await lock.give_back()
        await orca.saves.drain()
        _, rounds = await orca.sessions.show("s")

    assert [each.state for each in rounds] in ([RoundState.DONE], [RoundState.DONE, RoundState.INTERRUPTED])


async def _turn_in_which(orca: Orca, happens: Callable[[], Awaitable[object]]) -> list[Event]:
    model = orca.model
    model.scripts = [[TextDelta("half "), happens, TextDelta("whole"), Completed(Finish.STOP, None)]]
    return await turn(orca, TECHNICAL, session_id="s")


async def test_a_round_that_another_orca_answers_anew_is_finished_once(open_orca) -> None:
    async with open_orca(ScriptedModel()) as here, open_orca(ScriptedModel(says("the other"))) as there:
        await here.memories.add("postgres 固定在 16，端口 5433", type_word="fact")
        await turn(here, "你好，今天我们继续", session_id="s")
        events = await _turn_in_which(here, lambda: turn(there, TECHNICAL, session_id="s", replaces=2))
        _, rounds = await here.sessions.show("s")
        [memory] = await here.memories.get([1])
        waiting = (await here.runs.queue()).waiting

    assert only(events, Reply).text == "half whole"
    assert only(events, Failed).kind == "round_ended"
    assert names(events)[-1] == "done"
    assert [(each.number, each.assistant, each.state) for each in rounds][1:] == [(2, "the other", RoundState.DONE)]
    assert (memory.weight, memory.access_count) == (0.7, 1)
    assert waiting == {"s": 2}


async def test_a_chat_that_is_deleted_while_it_answers_is_gone_and_its_turn_ends(open_orca) -> None:
    async with open_orca(ScriptedModel()) as orca:
        await turn(orca, "你好，今天我们继续", session_id="s")
        events = await _turn_in_which(orca, lambda: orca.sessions.delete("s"))
        sessions = await orca.sessions.list()

    assert only(events, Reply).text == "half whole"
    assert only(events, Failed).kind == "round_ended"
    assert names(events)[-1] == "done"
    assert sessions == []


async def test_a_memory_that_is_deleted_while_it_is_searched_for_leaves_no_words(open_orca) -> None:
    """It was there at the moment of the look: the turn shows it. What is kept of the turn does not."""
    kept: list[Stores] = []

    async def delete() -> None:
        if asking and not deleted:
            deleted.append(await kept[0].memories.delete([1], header("delete")))

    def behind(stores: Stores) -> Stores:
        kept.append(stores)
        return replace(stores, search=WatchedSearch(stores, "lists", "get", meanwhile(delete)))

    asking: list[bool] = []
    deleted: list[object] = []
    async with open_orca(behind=behind, settings=ALL_THAT_IS_NEAR) as orca:
        for content in ("postgres 固定在 16，端口 5433", "postgres 的密码放在 vault 里"):
            await orca.memories.add(content, type_word="fact")
        await turn(orca, "你好，今天我们继续", session_id="s")
        asking.append(True)
        events = await turn(orca, TECHNICAL, session_id="s")
        receipt = await orca.sessions.receipt("s", None)

    injection = only(events, Injected).injection
    assert sorted(str(item.ref) for item in injection.injected if item.is_citable) == ["m1", "m2"]
    assert (injection.failed, names(events)[-1]) == (None, "done")
    assert deleted
    assert "固定在" not in repr(receipt)
    assert "vault" in repr(receipt)


async def test_an_answer_is_recorded_where_its_memories_can_not_be_judged(open_orca, database: Path) -> None:
    async def break_the_words() -> None:
        connection = apsw.Connection(str(database))
        connection.set_busy_timeout(30_000)
        connection.execute("DROP TABLE word_counts")
        connection.close()

    async with open_orca(ScriptedModel()) as orca:
        await orca.memories.add("postgres 固定在 16，端口 5433", type_word="fact")
        await turn(orca, "你好，今天我们继续", session_id="s")
        await orca.worker.tidy()
        events = await _turn_in_which(orca, break_the_words)
        _, rounds = await orca.sessions.show("s")
        [memory] = await orca.memories.get([1])

    assert [str(item.ref) for item in only(events, Injected).injection.injected if item.is_citable] == ["m1"]
    assert (rounds[-1].assistant, rounds[-1].state) == ("half whole", RoundState.DONE)
    assert memory.weight == 1.0


TECHNICAL_STORES = "docker 里的 postgres 连不上"


def break_long_term(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DELETE FROM sqlite_schema WHERE name = 'long_term_text'")
    connection.close()


async def test_damaged_tables_of_long_term_memory_leave_level_three(open_orca, database: Path) -> None:
    async with open_orca() as orca:
        await turn(orca, "你好，今天我们继续")
    break_long_term(database)
    async with open_orca(ScriptedModel(says("先看端口。"))) as orca:
        events = await turn(orca, TECHNICAL_STORES)
        again = await turn(orca, TECHNICAL_STORES)

    assert only(events, LevelChanged).level is Level.SHORT_TERM_ONLY
    assert only(events, Injected).injection.level is Level.SHORT_TERM_ONLY
    assert only(events, Reply).text == "先看端口。"
    assert only(again, Done).round == 3
    assert not of(again, LevelChanged)


async def test_what_can_not_be_saved_still_gets_its_answer(open_orca, database: Path) -> None:
    async with open_orca(ScriptedModel(says("an answer"))) as orca:
        await turn(orca, "a first question")
        database.unlink()
        events = await turn(orca, "a second question")

    assert only(events, Reply).text == "an answer"
    [failure] = of(events, Failed)
    assert failure.kind == "not_saved"
    assert failure.message.startswith("not saved: ")
    assert names(events)[-1] == "done"


async def breaks(*_asked: object, **_named: object) -> None:
    raise KeyError("what the user wrote")


def reports() -> list[BaseException]:
    """What the loop is told from now on."""
    told: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context["exception"]))
    return told


@pytest.mark.parametrize(
    ("broken", "kept"),
    [((Recall, "recall"), ("", RoundState.FAILED)), ((RoundRecording, "judge"), ("an answer", RoundState.INTERRUPTED))],
    ids=["recall", "judging"],
)
async def test_a_mistake_in_a_turn_is_said_reported_and_ends_it(
    open_orca, monkeypatch: pytest.MonkeyPatch, broken: tuple[type, str], kept: tuple[str, RoundState]
) -> None:
    told = reports()
    monkeypatch.setattr(*broken, breaks)
    async with open_orca(ScriptedModel(says("an answer"))) as orca:
        events = await turn(orca, TECHNICAL, session_id="s")
        _, [only_round] = await orca.sessions.show("s")
        monkeypatch.undo()
        assert names(await turn(orca, "and now?", session_id="s"))[-1] == "done"

    assert names(events)[-2:] == ["error", "done"]
    failure = only(events, Failed)
    assert failure.kind == "mistake"
    assert "KeyError (test_saving.py:" in failure.message
    assert [type(error) for error in told] == [KeyError]
    assert (only_round.assistant, only_round.state) == kept
    assert only_round.cause is not None
    assert (only_round.cause.kind, "what the user wrote" in str(only_round.cause)) == ("mistake", False)


class Waits:
    """Dialogues that stop before one of their methods until they are let go on."""

    def __init__(self, stores: Stores, method: str) -> None:
        self._dialogues, self._method = stores.sessions, method
        self.reached, self.may_go = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self._dialogues, name)

    async def rounds(self, session_id: str, **limits: int) -> list[Round]:
        await self._pass("rounds")
        return await self._dialogues.rounds(session_id, **limits)

    async def begin_round(self, *given: object) -> object:
        await self._pass("begin_round")
        return await self._dialogues.begin_round(*given)

    async def _pass(self, method: str) -> None:
        if method == self._method:
            self.reached.set()
            await self.may_go.wait()


@pytest.mark.parametrize("phase", ["rounds", "begin_round"], ids=["while it reads", "while it saves the question"])
async def test_closing_while_a_turn_begins_keeps_its_question_and_leaves_no_open_round(
    open_orca, database: Path, phase: str
) -> None:
    waits: list[Waits] = []

    def behind(stores: Stores) -> Stores:
        waits.append(Waits(stores, phase))
        return replace(stores, sessions=waits[0])

    async with open_orca() as orca:
        await turn(orca, "hello", session_id="s")
    model = ScriptedModel(says("an answer"))
    async with open_orca(model, behind=behind) as orca:
        asked = asyncio.create_task(turn(orca, "a question", session_id="s"))
        await waits[0].reached.wait()
        closing = asyncio.create_task(orca.aclose())
        await asyncio.sleep(0)
        waits[0].may_go.set()
        await closing
        events: list[Event] = await asked

    assert names(events)[-1] == "done"
    assert model.requests == []
    assert rounds_in(database)[-1] == ("a question", RoundState.INTERRUPTED.value)


def rounds_in(database: Path) -> list[tuple[str, str]]:
    query = """
        SELECT m.content, r.state FROM rounds r JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'
        ORDER BY r.id
    """
    rows: Callable[[str], apsw.Cursor] = apsw.Connection(str(database)).execute
    return [(str(text), str(state)) for text, state in rows(query)]

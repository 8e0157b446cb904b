"""A turn that Orca itself breaks, or that is being begun when Orca ends: it ends in `done`, and its words are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import names, only, turn
from msgspec.structs import replace

from orca_core.model.events import Event, Failed
from orca_core.model.sessions import Round, RoundState
from orca_core.operations.stores import Stores
from orca_core.services.chat.recall import Recall
from orca_core.services.chat.recording import Recording

TECHNICAL = "docker 里的 postgres 连不上，和上次一样吗？"


async def breaks(*_asked: object, **_named: object) -> None:
    raise KeyError("what the user wrote")


def reports() -> list[BaseException]:
    """What the loop is told from now on."""
    told: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context["exception"]))
    return told


@pytest.mark.parametrize(
    ("broken", "kept"),
    [((Recall, "recall"), ("", RoundState.FAILED)), ((Recording, "judge"), ("an answer", RoundState.INTERRUPTED))],
    ids=["recall", "judging"],
)
async def test_a_mistake_in_a_turn_is_said_reported_and_ends_it(
    open_engine, monkeypatch: pytest.MonkeyPatch, broken: tuple[type, str], kept: tuple[str, RoundState]
) -> None:
    told = reports()
    monkeypatch.setattr(*broken, breaks)
    async with open_engine(ScriptedModel(says("an answer"))) as engine:
        events = await turn(engine, TECHNICAL, session_id="s")
        _, [only_round] = await engine.sessions.show("s")
        monkeypatch.undo()
        assert names(await turn(engine, "and now?", session_id="s"))[-1] == "done"

    assert names(events)[-2:] == ["error", "done"]
    failure = only(events, Failed)
    assert failure.kind == "mistake"
    assert "KeyError (test_closing_and_mistakes.py:" in failure.message
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
    open_engine, database: Path, phase: str
) -> None:
    waits: list[Waits] = []

    def behind(stores: Stores) -> Stores:
        waits.append(Waits(stores, phase))
        return replace(stores, sessions=waits[0])

    async with open_engine() as engine:
        await turn(engine, "hello", session_id="s")
    model = ScriptedModel(says("an answer"))
    async with open_engine(model, behind=behind) as engine:
        asked = asyncio.create_task(turn(engine, "a question", session_id="s"))
        await waits[0].reached.wait()
        closing = asyncio.create_task(engine.aclose())
        await asyncio.sleep(0)
        waits[0].may_go.set()
        await closing
        events: list[Event] = await asked

    assert names(events)[-1] == "done"
    assert model.requests == []
    assert rounds_in(database)[-1] == ("a question", RoundState.INTERRUPTED.value)


async def test_nothing_is_begun_for_what_is_wanted_written_after_the_end(open_engine) -> None:
    async def never() -> Round:
        raise AssertionError("there is no database any more")

    async with open_engine() as engine:
        await turn(engine, "hello", session_id="s")
        await engine.aclose()
        before = asyncio.all_tasks()
        engine.saves.put(never)
        assert (asyncio.all_tasks(), engine.saves.unwritten) == (before, 1)


def rounds_in(database: Path) -> list[tuple[str, str]]:
    query = """
        SELECT m.content, r.state FROM rounds r JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'
        ORDER BY r.id
    """
    rows: Callable[[str], apsw.Cursor] = apsw.Connection(str(database)).execute
    return [(str(text), str(state)) for text, state in rows(query)]

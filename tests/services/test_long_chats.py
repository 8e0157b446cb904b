"""A turn reads of its chat what a prompt may hold, however long the chat is."""

from __future__ import annotations

import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Injected
from orca_core.model.sessions import Round
from orca_core.operations.sessions import SessionStore
from orca_core.settings import MemoryAgentSettings, MemorySettings, Settings, SummarizeSettings

UNFOLDED = MemoryAgentSettings(summarize=SummarizeSettings(enabled=False))
FOUR = Settings(memory=MemorySettings(max_history=4), memory_agent=UNFOLDED)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rounds were read, each time."""
    counts: list[int] = []
    rounds = SessionStore.rounds

    async def counted(
        self: SessionStore, session_id: str, last: int | None = None, **limits: int | None
    ) -> list[Round]:
        found = await rounds(self, session_id, last, **limits)  # type: ignore[arg-type]
        counts.append(len(found))
        return found

    monkeypatch.setattr(SessionStore, "rounds", counted)
    return counts


def asked(model: ScriptedModel) -> list[str]:
    """What the user says in the last prompt, without the memories that stand before the question."""
    return [each.content.rsplit("\n", 1)[-1] for each in model.requests[-1].messages if each.role == "user"]


async def test_a_long_chat_is_read_as_far_as_a_prompt_reaches(open_engine, read: list[int]) -> None:
    model = ScriptedModel(says("A word."))
    async with open_engine(model, settings=FOUR) as engine:
        for number in range(1, 31):
            events = await turn(engine, f"question {number}", session_id="s")

        assert asked(model) == ["question 27", "question 28", "question 29", "question 30"]
        assert "history: 26 older rounds left out" in of(events, Injected)[0].injection.rules
        assert max(read) == 6


async def test_rounds_without_an_answer_are_read_past(open_engine, read: list[int]) -> None:
    fails = [ModelUnavailable(provider="scripted", detail="it is gone")]
    model = ScriptedModel(*[says("A word.")] * 6, *[fails] * 9, says("A word."))
    async with open_engine(model, settings=FOUR) as engine:
        for number in range(1, 16):
            await turn(engine, f"question {number}", session_id="s")
        await turn(engine, "and now?", session_id="s")

        assert asked(model) == ["question 3", "question 4", "question 5", "question 6", "and now?"]

"""What is shown as the user's words was typed by them, also where an older version stored something else."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

VIM = fact("User writes code with Vim", "I write code with Vim")
WEAK = fact("User writes code with Emacs", "")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("i WRITE code with vim", "I write code with Vim"), ("Vim is all I ever wanted", None), (None, None)],
)
async def test_an_old_quote_is_checked_when_it_is_shown(
    open_engine, database: Path, stored: str | None, shown: str | None
) -> None:
    async with open_engine(agent=ScriptedModel(finds(VIM, WEAK))) as engine:
        await turn(engine, "I write code with Vim", session_id="s")
        await learn(engine)
    with apsw.Connection(str(database)) as connection:
        connection.execute("UPDATE long_term_memories SET origin_quote = ?", (stored,))
    async with open_engine() as engine:
        [view] = await engine.memories.views([1])
        assert view.memory.origin.quote == shown

        [waiting] = await engine.inbox.inbox()
        case = await engine.inbox.case(waiting.id)
        assert case.memory.origin.quote == shown


async def test_a_quote_goes_with_its_conversation(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(VIM))) as engine:
        await turn(engine, "I write code with Vim", session_id="s")
        await learn(engine)
        await engine.sessions.delete("s")

        [view] = await engine.memories.views([1])
        assert view.memory.origin.quote is None

"""What can not be saved is said where its answer stands, and so is that it is saved after all."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.app_driver import seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.sessions import RoundState
from orca_core.services.shared import saving
from orca_core.store.sqlite.engine import connection
from orca_tui.app.chat.transcript import Transcript


def test_an_answer_that_a_lock_keeps_from_being_saved_is_saved_after_all(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "a first question")
        await settled(app, pilot)
        other = apsw.Connection(str(tmp_path / "home" / "orca.db"))
        other.set_busy_timeout(30_000)
        other.execute("BEGIN IMMEDIATE")
        await send(app, pilot, "a second question")
        transcript = app.main.query_one(Transcript)
        await until(pilot, lambda: "not saved" in transcript.last.said.unsaved)
        assert transcript.last.said.answer == "an answer"
        assert "not saved" in seen(app)
        other.execute("COMMIT")
        other.close()
        await until(pilot, lambda: transcript.last.said.ending == "saved after all")
        assert not transcript.last.said.unsaved
        _, rounds = await app.bridge.engine.sessions.show(app.main.turns.session_id)
        assert [(each.assistant, each.state) for each in rounds] == [("an answer", RoundState.DONE)] * 2

    drive(make_app(ScriptedModel(says("an answer")), patience_s=0.05), scenario)


@pytest.mark.long
def test_what_a_lock_keeps_from_being_saved_to_the_end_is_said_when_the_app_ends(
    make_app, drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "CLOSE_S", 0.05)
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 500)

    async def scenario(app, pilot) -> None:
        other = apsw.Connection(str(tmp_path / "home" / "orca.db"))
        other.set_busy_timeout(30_000)
        other.execute("BEGIN IMMEDIATE")
        await send(app, pilot, "a question")
        await until(pilot, lambda: app.bridge.unsaved is not None)
        await app.run_action("quit")
        assert "trying once more to save" in seen(app)
        await until(pilot, lambda: app.return_code is not None)
        other.close()
        assert app.return_code == 1
        [told] = app._exit_renderables
        assert told.plain.startswith("orca: what was said last is not saved: ")

    drive(make_app(ScriptedModel(says("an answer")), patience_s=0.05), scenario)

"""What acts show, in the app: how near a candidate is, what speaks for it, what a memory lives on."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.app_driver import WIDE, rows_of, seen, send, until
from fakes.promoted import held
from fakes.records import AT
from fakes.supported import LIKES_TABLES, by_act, by_round, header, shown, supported

from orca_core.model.feedback import Action, ActionType
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind
from orca_core.store.sqlite.store import open_stores
from orca_tui.app.records.inbox import InboxScreen

pytestmark = pytest.mark.long

BY_ACTS = {"confirmed_by": None}


async def with_shown(home: Path) -> None:
    """Candidates that acts have shown: one on two days, one that only a person may let live."""
    stores = await open_stores(home / "orca.db", scope="me", must_exist=True)
    blocked = await shown(stores, "用户的口令是 hunter2", held="secret")
    near = await shown(stores)
    liked = await stores.actions.record(Action(0, "", ActionType.LIKE, "s", AT, round=1), header("like"))
    # The message that was sent is an act too: the number of the like is not that of its round.
    await supported(stores, by_act(near, liked.action.id, 0, number=1), by_round(near, 2, 1), by_round(blocked, 9, 0))
    await stores.housekeeping.aclose()


def test_the_inbox_says_how_near_a_candidate_is_and_opens_what_speaks_for_it(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        await with_shown(tmp_path / "home")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and "hunter2" in seen(app))
        assert "only you can let it live" in seen(app)
        await pilot.press("j")
        await until(pilot, lambda: LIKES_TABLES in seen(app) and "2 of 3 days" in seen(app))
        assert "goes live when it was shown on 1 more day" in seen(app)
        assert "liked an answer" in seen(app)
        await pilot.press("o")
        await until(pilot, lambda: "What speaks for it" in seen(app))
        await pilot.press("escape")
        assert isinstance(app.screen, InboxScreen)

    drive(make_app(), scenario, WIDE)


def test_the_inbox_says_that_the_verifier_holds_it(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        await held(stores)
        await stores.housekeeping.aclose()
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and "you did not say so" in seen(app))
        assert "only you can let it live" in seen(app)

    drive(make_app(), scenario, WIDE)


def test_a_round_that_speaks_for_a_candidate_is_opened(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "in tables please")
        session_id = app.main.turns.session_id
        await app.bridge.engine.feedback.actions.record("LIKE", session_id, round=1)
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        [like] = await stores.actions.standing(session_id, (ActionType.LIKE,))
        await supported(stores, by_act(await shown(stores), like.id, 0))
        await stores.housekeeping.aclose()
        await send(app, pilot, "/new")
        await pilot.press("f5")
        await until(pilot, lambda: "1 of 3 days" in seen(app))
        await pilot.press("o")
        await until(pilot, lambda: app.main.turns.session_id == session_id)
        await until(pilot, lambda: app.focused in app.main.transcript.views)

    drive(make_app(), scenario)


def test_a_memory_says_what_it_lives_on(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        lives = NewMemory(LIKES_TABLES, MemoryType.PREFERENCE, origin=Origin(OriginKind.ACTION, "s"))
        number = (await stores.memories.add(lives, header())).memory.id
        await supported(stores, *(by_round(number, day + 1, day) for day in range(3)))
        await stores.memories.change([number], header(), lambda found: {each.id: BY_ACTS for each in found})
        await stores.housekeeping.aclose()
        await app.bridge.engine.memories.add("by hand")
        app.main.changed(anew=True)
        await until(pilot, lambda: rows_of(app).count == 2)
        found = []
        for _ in range(2):
            rows_of(app).focus()
            await pilot.press("enter")
            await until(pilot, lambda: len(app.screen_stack) == 2)
            found += [words for words in ("accepted by you", "shown by what you did on 3 days") if words in seen(app)]
            await pilot.press("escape", "j")
        assert sorted(found) == ["accepted by you", "shown by what you did on 3 days"]

    drive(make_app(), scenario)

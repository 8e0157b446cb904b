"""Acts through a store: recorded once, taken back by others, by undo and again by redo."""

from __future__ import annotations

from fakes.records import AT, header, later

from orca_core.domain.growth.actions import Action, ActionRecorded, ActionState, ActionType
from orca_core.domain.refs import ACTION
from orca_core.domain.stores import Stores
from orca_core.rules.growing import acts
from orca_core.rules.keeping import undo


async def recorded(stores: Stores, type_word: str, session: str = "s", **fields: object) -> ActionRecorded:
    made = acts.checked(Action(0, "", acts.action_type(type_word), session, AT, **fields))  # type: ignore[arg-type]
    return await stores.actions.record(made, header(type_word.lower()))


async def standing(stores: Stores, session: str = "s") -> list[ActionType]:
    return [each.type for each in await stores.actions.standing(session) if each.type in acts.MARKS]


async def test_an_act_is_recorded_once(opened) -> None:
    async with opened() as stores:
        first = await recorded(stores, "LIKE", round=1)
        again = await recorded(stores, "LIKE", round=1)

        assert (again.is_known, again.operation, again.action.id) == (True, None, first.action.id)
        assert await standing(stores) == [ActionType.LIKE]


async def test_an_act_takes_back_what_it_can_not_stand_beside(opened) -> None:
    async with opened() as stores:
        await recorded(stores, "LIKE", round=1)
        turned = await recorded(stores, "DISLIKE", round=1)

        assert [each.type for each in turned.withdrawn] == [ActionType.LIKE]
        assert await standing(stores) == [ActionType.DISLIKE]
        await stores.history.undo(None, later(1), undo.plan)
        assert await standing(stores) == [ActionType.LIKE]
        await stores.history.redo(None, later(2), undo.plan)
        assert await standing(stores) == [ActionType.DISLIKE]


async def test_taking_back_twice_is_taking_back_once(opened) -> None:
    async with opened() as stores:
        await recorded(stores, "LIKE", round=1)
        for _ in range(2):
            await recorded(stores, "CANCEL_LIKE", round=1)

        assert ActionType.LIKE not in await standing(stores)
        await recorded(stores, "LIKE", round=1)
        assert ActionType.LIKE in await standing(stores)


async def test_an_act_whose_recording_was_undone_is_shown_nowhere(opened) -> None:
    async with opened() as stores:
        made = await recorded(stores, "COLLECT_SESSION")
        await stores.history.undo(made.operation, later(1), undo.plan)

        assert await standing(stores) == []
        [kept] = await stores.records[ACTION].get([made.action.id])
        assert kept.state is ActionState.UNDONE


async def test_scopes_and_sessions_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others:
        await recorded(mine, "LIKE", round=1)
        await recorded(mine, "LIKE", "t", round=1)
        await recorded(others, "CANCEL_LIKE", round=1)

        assert await standing(mine) == await standing(mine, "t") == [ActionType.LIKE]

"""The ages of episodes, and forgetting in slices of one operation."""

from __future__ import annotations

from fakes.records import AT, header, later
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.records import EPISODE
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import RecordQuery
from orca_core.rules.memory import undo_rules
from orca_core.rules.work.retention import age_of

PROXY = Episode(
    0, "u1", "nginx 502", "nginx 502", AT, AT, AT, Trigger.ALERT, "nginx", ("a", "b"), Outcome.SUCCESS, pinned=True
)


async def test_the_ages_are_those_of_the_live_episodes_of_this_scope(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await team.records[EPISODE].add(replace(PROXY, uid="u0"), header())
        live = await mine.records[EPISODE].add(replace(PROXY, access_count=3, consolidated_into=4), header())
        await mine.records[EPISODE].add(replace(PROXY, uid="u2", state=State.CANDIDATE), header())
        await mine.records[EPISODE].add(replace(PROXY, uid="u3", state=State.ARCHIVED), header())

        assert await mine.fading.ages() == [age_of(live)]


async def test_slices_of_one_operation_are_taken_back_as_one(opened) -> None:
    async with opened() as stores:
        episodes = stores.records[EPISODE]
        for number in range(4):
            await episodes.add(replace(PROXY, uid=f"u{number}"), header())

        def put_away(some):
            return {each.id: {"state": "archived"} for each in some}

        nothing = await episodes.change_all([1], header("fade"), lambda _: {})
        first = await episodes.change_all([1, 2], header("fade"), put_away, continues=nothing.operation)
        second = await episodes.change_all([3, 4], header("fade"), put_away, continues=first.operation)
        assert (nothing.operation, second.operation) == (None, first.operation)
        assert await stores.fading.ages() == []

        undone = await stores.history.undo(first.operation, later(), undo_rules.plan)

        assert [ref.id for ref in undone.refs] == [1, 2, 3, 4]
        assert [each.id for each in await stores.fading.ages()] == [1, 2, 3, 4]


async def test_what_faded_is_named_once_its_time_is_over_the_first_first(opened) -> None:
    faded = replace(PROXY, state=State.ARCHIVED, archived_because=ArchivedBecause.FADED, archived_at=later(2))
    async with opened("team") as team, opened("me", "team") as mine:
        await team.records[EPISODE].add(replace(faded, uid="u0"), header())
        for number, fields in enumerate(
            ({}, {"archived_at": later(1)}, {"archived_because": ArchivedBecause.HAND}, {"archived_at": later(3)})
        ):
            await mine.records[EPISODE].add(replace(faded, uid=f"u{number + 1}", **fields), header())

        assert await mine.fading.faded_until(later(2)) == [3, 2]
        assert await mine.fading.faded_until(AT) == []


async def test_only_what_is_still_faded_is_deleted_and_its_words_with_it(opened) -> None:
    faded = replace(PROXY, state=State.ARCHIVED, archived_because=ArchivedBecause.FADED, archived_at=AT)
    async with opened() as stores:
        episodes = stores.records[EPISODE]
        for number in range(3):
            await episodes.add(replace(faded, uid=f"u{number}"), header())
        await episodes.change(2, {"state": "live", "archived_because": None}, header("restore"))

        assert await stores.fading.delete_faded([1, 2, 3, 99], header("delete")) == [1, 3]
        assert await stores.fading.delete_faded([1, 2, 3], header("delete")) == []

        assert await stores.housekeeping.idle()
        assert [each.id for each in (await episodes.page(RecordQuery())).records] == [2]
        assert all(each.is_in_step for each in await stores.indexes.states())
        assert [each.header.action for each in await stores.history.operations(9)].count("delete") == 1

"""What speaks for candidates, through a store: counted, visited, and let live one by one."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from fakes.acts_read import claimed, finish, recorded
from fakes.acts_read import shown as seen
from fakes.promoted import claim_candidate, verified
from fakes.records import AT, header, later
from fakes.supported import LIKES_TABLES, by_act, by_round, shown, supported

from orca_core.model.feedback import Action, ActionType, Promotion, SupportKind
from orca_core.model.memories import ArchivedBecause, ConfirmedBy, Memory, NewMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import SUPPORT
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion_score
from orca_core.rules.feedback.signals import checked
from orca_core.rules.memory import memory_curation, undo_rules

SOON = AT + timedelta(days=3)


async def promote(stores: Stores, min_support: int = 3) -> Promotion | None:
    """The best of what is ready goes live."""
    batch = await claim_candidate(stores, SOON, min_support)
    return None if batch is None else await verified(stores, batch)


async def went_live(stores: Stores, min_support: int = 3) -> Promotion:
    promotion = await promote(stores, min_support)
    assert promotion is not None
    return promotion


async def only(stores: Stores, number: int = 1) -> Memory:
    [memory] = await stores.memories.get([number])
    return memory


async def ready(stores: Stores, content: str = LIKES_TABLES) -> int:
    number = await shown(stores, content)
    await supported(stores, by_act(number, 1, 0), by_act(number, 2, 1), by_round(number, 3, 2))
    return number


async def test_supports_are_read_as_they_were_made(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)
        other = await shown(stores, "用户喜欢短的回答")

        found = await stores.supports.of([number, other])

        assert list(found) == [number]
        assert [(each.kind, each.act, each.round) for each in found[number]] == [
            (SupportKind.ACT, 1, None),
            (SupportKind.ACT, 2, None),
            (SupportKind.ROUND, None, 3),
        ]
        assert [(each.memory.id, len(each.supports)) for each in await stores.supports.pool()] == [(1, 3), (2, 0)]


async def test_what_is_read_of_a_pool_about_some_weighs_them_as_the_whole_pool_does(opened) -> None:
    async with opened() as stores:
        first, second = await ready(stores), await shown(stores, "用户喜欢短的回答")
        held, later = await shown(stores, "The user likes tea"), await shown(stores, "The user likes coffee")
        await supported(stores, by_round(later, 7, 5))
        for number in (held, later):
            header = OperationHeader(Actor.USER, "edit", AT)
            await stores.memories.change([number], header, lambda all_of, n=number: {n: {"held_because": "not_typed"}})

        pool, others = await stores.supports.pool_about(promotion_score.UNPROVEN, [held])

        assert [each.memory.id for each in pool] == [first, second, held]
        assert len(others) == 1
        weigh = partial(promotion_score.weighed, now=AT + timedelta(days=9), temperature=0.001, min_support=3)
        whole = weigh(await stores.supports.pool())
        assert weigh(pool, others=others) == {number: whole[number] for number in (first, second, held)}
        assert weigh(pool) != weigh(pool, others=others)


async def test_the_best_of_what_is_ready_goes_live_in_one_operation(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)

        promoted = await went_live(stores)

        assert promoted.memory == await only(stores)
        memory = await only(stores)
        assert (memory.state, memory.held_because, memory.confirmed_by) == (State.LIVE, None, None)
        [operation] = await stores.history.operations(1)
        assert (operation.header.actor, operation.id) == (Actor.PROMOTION, promoted.operation)
        assert await promote(stores) is None
        assert await stores.supports.of([number])


async def test_one_goes_live_at_a_time(opened) -> None:
    async with opened() as stores:
        for content in ("用户喜欢短的回答", LIKES_TABLES):
            await ready(stores, content)

        assert (await went_live(stores)).memory == await only(stores, 1)
        assert (await went_live(stores)).memory == await only(stores, 2)
        assert await promote(stores) is None


async def test_what_is_not_ready_waits(opened) -> None:
    async with opened() as stores:
        number = await shown(stores)
        await supported(stores, by_act(number, 1, 0), by_act(number, 2, 1))
        held = await shown(stores, "用户喜欢 https://x.example", held="url")
        await supported(stores, *(by_act(held, 10 + day, day) for day in range(9)))

        assert await promote(stores) is None
        assert (await went_live(stores, min_support=2)).memory == await only(stores)


async def test_what_a_person_sent_back_goes_live_by_new_evidence_alone(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)
        promoted = await went_live(stores)
        await stores.history.undo(promoted.operation, SOON, undo_rules.plan)
        assert (await only(stores)).state is State.CANDIDATE
        assert [each.undone_at for each in await stores.supports.pool()] == [SOON]

        assert await promote(stores) is None
        await supported(stores, by_act(number, 4, 4))
        assert (await went_live(stores)).memory == await only(stores)


async def test_undo_and_redo_find_what_speaks_for_it_then(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)
        promoted = await went_live(stores)
        await stores.memories.change([number], header("archive"), memory_curation.each(memory_curation.archive))
        supports = [each.id for each in (await stores.supports.of([number]))[number]]
        [made] = [each for each in await stores.history.operations(9) if each.header.action == "acts"][:1]
        await stores.history.undo(made.id, later(1), undo_rules.plan)
        assert await stores.supports.of([number]) == {}

        archived = [each for each in await stores.history.operations(9) if each.header.action == "archive"]
        await stores.history.undo(archived[0].id, later(2), undo_rules.plan)

        memory = await only(stores)
        assert (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
        await stores.history.redo(None, later(3), undo_rules.plan)
        await stores.history.redo(None, later(4), undo_rules.plan)
        assert [each.id for each in (await stores.supports.of([number]))[number]] == supports
        assert promoted.operation is not None


async def test_what_a_person_sent_back_does_not_return_with_a_like(opened) -> None:
    async with opened() as stores:
        likes = [await liked(stores, each) for each in (1, 2, 3)]
        await promote(stores)
        promoted = (await stores.history.operations(1))[0].id
        cancelled = await recorded(stores, "CANCEL_LIKE", 2)
        assert (await only(stores)).state is State.CANDIDATE
        cancel = (await stores.history.operations(1))[0].id
        await stores.history.undo(promoted, SOON, undo_rules.plan)

        await stores.history.undo(cancel, SOON, undo_rules.plan)

        assert (await only(stores)).state is State.CANDIDATE
        assert [each.act for each in (await stores.supports.of([1]))[1]] == likes
        assert await promote(stores) is None
        assert cancelled not in likes

        sent_back = next(each for each in await stores.history.operations(9) if each.undoes == promoted).id
        await stores.history.redo(sent_back, SOON, undo_rules.plan)
        assert (await went_live(stores)).memory == await only(stores)


async def liked(stores: Stores, number: int) -> int:
    """A like, on a day of its own, that shows the one memory."""
    at = AT + timedelta(days=number - 3)
    act = checked(Action(0, "", ActionType.LIKE, "s", at, round=number))
    made = (await stores.actions.record(act, header("like", at))).action.id
    await finish(stores, await claimed(stores), seen(made))
    return made


async def test_a_pin_confirms_what_went_live_by_acts(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)
        await promote(stores)
        await stores.memories.change([number], header("pin"), memory_curation.each(memory_curation.pin))
        [made] = [each for each in await stores.history.operations(9) if each.header.action == "acts"][:1]
        await stores.history.undo(made.id, later(1), undo_rules.plan)

        memory = await only(stores)
        assert await stores.supports.of([number]) == {}
        assert (memory.state, memory.pinned, memory.confirmed_by) == (State.LIVE, True, ConfirmedBy.HAND)


async def test_what_is_sent_back_after_a_pin_is_pinned_no_more(opened) -> None:
    async with opened() as stores:
        number = await ready(stores)
        promoted = await went_live(stores)
        await stores.memories.change([number], header("pin"), memory_curation.each(memory_curation.pin))
        await stores.history.undo(promoted.operation, SOON, undo_rules.plan)
        memory = await only(stores)
        assert (memory.state, memory.pinned, memory.confirmed_by) == (State.CANDIDATE, False, None)

        await stores.history.redo(None, SOON, undo_rules.plan)
        memory = await only(stores)
        assert (memory.state, memory.pinned, memory.confirmed_by) == (State.LIVE, True, ConfirmedBy.HAND)


async def test_a_search_visits_candidates_alone(opened) -> None:
    async with opened() as stores:
        number = await shown(stores)
        lives = (await stores.memories.add(NewMemory("用户用 vim"), header())).memory.id

        for minute in (1, 2):
            await stores.supports.searched([number, lives, 99], later(minute))

        assert [(each.searched, each.searched_at) for each in await stores.memories.get([number, lives])] == [
            (2, later(2)),
            (0, None),
        ]
        [only_one] = await stores.supports.pool()
        assert promotion_score.weighed([only_one], later(2), temperature=0.001, min_support=3)[number].visited == 2


async def test_supports_of_scopes_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others, opened("third", "me") as reader:
        number = await ready(mine)

        assert await others.supports.of([number]) == {}
        assert await others.supports.pool() == await reader.supports.pool() == []
        await others.supports.searched([number], later(1))
        assert (await only(mine)).searched == 0
        assert await promote(others) is None
        assert await others.records[SUPPORT].get([]) == []

"""What a person rejected, archived or deleted does not come back in other spelling, whichever door a machine takes."""

from __future__ import annotations

import pytest
from contract.test_guides import called, written
from fakes.acts_read import claimed as acts_claimed
from fakes.acts_read import finish, recorded, shown
from fakes.promoted import claim_candidate, ready, verified
from fakes.records import AT, chat, header, later, remember
from fakes.teaching import an_episode, claimed, judged, worked

from orca_core.model.episodes import Telling
from orca_core.model.learning import Due, RunEnd
from orca_core.model.memories import Added, Addition, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction

REFUSED = "User drinks oat milk in the morning"
OTHER_SPELLING = [
    "USER DRINKS OAT MILK IN THE MORNING",
    "Ｕｓｅｒ drinks oat milk in the morning!",
    "The user drinks oat-milk in the morning.",
    "User drinks oat\u3164 milk in the morn\u034fing",
    "In the morning, the user drinks oat milk",
]
ANOTHER_ORDER = "User drinks milk in the oat morning"


async def said_by_a_machine(stores: Stores, content: str, state: State = State.LIVE) -> Addition:
    new = NewMemory(content, origin=Origin(OriginKind.EXTRACTION, "s", (1,)), state=state)
    return await stores.memories.add(new, header("extract", later(5), Actor.EXTRACTION))


@pytest.mark.parametrize("content", OTHER_SPELLING)
@pytest.mark.parametrize("state", [State.LIVE, State.CANDIDATE])
async def test_what_was_deleted_stays_so(opened, content: str, state: State) -> None:
    async with opened() as stores:
        [number] = await remember(stores, REFUSED)
        await stores.memories.delete([number], header("delete"))

        said = await said_by_a_machine(stores, content, state)

        assert (said.outcome, said.reason) == (Added.DROPPED, "deleted")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"state": "rejected"}, "rejected"),
        ({"state": "rejected", "held_because": "never"}, "never"),
        ({"state": "archived", "archived_because": "hand"}, "archived: hand"),
    ],
)
async def test_what_was_refused_stays_so(opened, fields: dict[str, str], reason: str) -> None:
    async with opened() as stores:
        [number] = await remember(stores, REFUSED)
        await stores.memories.change([number], header("refuse"), lambda found: {found[0].id: fields})

        outcomes = [await said_by_a_machine(stores, content) for content in OTHER_SPELLING]

        assert {(each.outcome, each.reason) for each in outcomes} == {(Added.DROPPED, reason)}


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_the_same_words_in_another_order_wait_for_a_person(opened, is_deleted: bool) -> None:
    async with opened() as stores:
        [number] = await remember(stores, REFUSED)
        if is_deleted:
            await stores.memories.delete([number], header("delete"))
        else:
            await stores.memories.change([number], header("reject"), lambda found: {number: {"state": "rejected"}})

        said = await said_by_a_machine(stores, ANOTHER_ORDER)

        assert (said.outcome, said.memory.state) == (Added.CREATED, State.CANDIDATE)


async def test_a_person_may_say_it_again_and_then_a_machine(opened) -> None:
    async with opened() as stores:
        [number] = await remember(stores, REFUSED)
        await stores.memories.delete([number], header("delete"))
        [again] = await remember(stores, OTHER_SPELLING[0])

        await stores.memories.change([again], header("edit"), lambda found: {again: {"content": "User likes tea"}})

        assert (await said_by_a_machine(stores, REFUSED)).outcome is Added.CREATED


async def test_knowledge_that_was_rejected_is_not_made_again(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        settled = await stores.knowledge.finish(await claimed(stores), judged("raise the pool"), RunEnd(later()))
        await stores.records[KNOWLEDGE].change(settled.knowledge.id, {"state": "rejected"}, header("reject"))
        await worked(stores, "d", "e", "f")

        again = await stores.knowledge.finish(await claimed(stores, 2), judged("Raise the Pool!"), RunEnd(later(3)))

        assert again.knowledge is None


async def test_an_episode_that_was_rejected_is_not_told_again(opened) -> None:
    async with opened() as stores:
        [number] = await worked(stores, "nginx answers 502")
        await stores.records[EPISODE].change(number, {"state": "rejected"}, header("reject"))
        await chat(stores)
        batch = await stores.episodes.claim(
            Due(AT, 1, AT, everything=True), fact_extraction.how_many_fit, lambda rounds, _tasks: rounds
        )

        def settle(_judged, _known, _origin, _at) -> Telling:
            return Telling((an_episode("NGINX answers 502 !", uid="again"), an_episode("disk full", uid="other")))

        told = await stores.episodes.finish(batch, [], [], settle, RunEnd(later()), "m")

        assert [each.trigger_summary for each in told.made] == ["disk full"]
        assert [(each.content, each.reason) for each in told.dropped] == [("NGINX answers 502 !", "rejected")]


async def test_a_guide_that_was_rejected_is_not_written_again(opened) -> None:
    async with opened() as stores:
        await called(stores)
        made = await written(stores, "Keep the query short.")
        await stores.records[GUIDE].change(made.guide.id, {"state": "rejected"}, header("reject"))
        await called(stores, prefix="d")

        again = await written(stores, "Keep the QUERY short!", at=later(60))

        assert again.guide is None


async def refuse(stores: Stores, number: int, *, is_deleted: bool) -> None:
    if is_deleted:
        await stores.memories.delete([number], header("delete"))
    else:
        await stores.memories.change([number], header("reject"), lambda found: {number: {"state": "rejected"}})


@pytest.mark.parametrize("content", OTHER_SPELLING)
@pytest.mark.parametrize("is_deleted", [True, False])
async def test_what_acts_show_is_not_learnt_again(opened, content: str, *, is_deleted: bool) -> None:
    async with opened() as stores:
        [number] = await remember(stores, REFUSED)
        await refuse(stores, number, is_deleted=is_deleted)
        act = await recorded(stores)

        grown = await finish(stores, await acts_claimed(stores), shown(act, content=content))

        assert grown is not None
        assert (grown.supported, [each.reason for each in grown.learnt.dropped]) == (
            (),
            ["deleted" if is_deleted else "rejected"],
        )


@pytest.mark.parametrize("content", OTHER_SPELLING)
@pytest.mark.parametrize("is_deleted", [True, False])
@pytest.mark.parametrize("is_read", [True, False])
async def test_what_acts_show_often_enough_does_not_go_live(
    opened, content: str, *, is_deleted: bool, is_read: bool
) -> None:
    async with opened() as stores:
        await ready(stores, content=REFUSED)
        batch = await claim_candidate(stores) if is_read else None
        await say_it_otherwise(stores, content)
        await refuse(stores, 2, is_deleted=is_deleted)

        if batch is not None:
            assert await verified(stores, batch) is None
        assert await claim_candidate(stores, everything=True) is None
        [memory] = await stores.memories.get([1])
        assert memory.state is State.CANDIDATE


async def say_it_otherwise(stores: Stores, content: str) -> None:
    """The same in another spelling beside it: as an older home has it, where spellings were told apart."""
    await stores.memories.make_all(MEMORY, [NewMemory(content).born("other", AT)], header("import"))

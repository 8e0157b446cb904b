"""What a person deleted comes back by no machine, whatever the kind, until a person says it again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.promoted import claim_candidate
from fakes.proposals import fact
from fakes.records import AT, chat, header, later, remember
from fakes.supported import by_act, shown, supported
from fakes.teaching import an_episode

from orca_core.model.episodes import Telling
from orca_core.model.learning import Due, Learnt, Proposal, RunEnd
from orca_core.model.memories import Added, Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import DELETED, Actor, OperationHeader
from orca_core.model.records import EPISODE
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction
from orca_core.rules.learning.resolve import settle

TEA, AGAIN = "User drinks green tea", "user drinks GREEN tea."
BY_MACHINES = (Actor.EXTRACTION, Actor.IMPORT, Actor.ACTIONS)
FOUND = Origin(OriginKind.EXTRACTION, "s", (1,))


async def delete(stores: Stores, *ids: int) -> None:
    await stores.memories.delete(list(ids), header("delete"))


async def deleted(stores: Stores, content: str = TEA) -> None:
    """Deleted beside a twin in another spelling, where there is one: they came from elsewhere."""
    [added] = await stores.memories.store_all([(NewMemory(content), header())])
    await delete(stores, added.memory.id)


async def learn(stores: Stores, *facts: Proposal) -> Learnt:
    await chat(stores)
    batch = await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), fact_extraction.how_many_fit)
    assert batch is not None
    learnt = await stores.learning.finish_run(batch, facts, [], settle, RunEnd(later()))
    assert learnt is not None
    return learnt


async def only(stores: Stores, number: int) -> Memory:
    [memory] = await stores.memories.get([number])
    return memory


async def test_a_fact_is_not_learnt_again_and_its_twin_is(opened) -> None:
    async with opened() as stores:
        await deleted(stores)

        learnt = await learn(stores, fact(AGAIN), fact("User drinks black tea"), fact(TEA, held="not_typed"))

        assert [stored.memory.content for stored in learnt.stored] == ["User drinks black tea"]
        assert [(each.content, each.reason) for each in learnt.dropped] == [(AGAIN, DELETED), (TEA, DELETED)]
        assert learnt.candidates == ()


@pytest.mark.parametrize("actor", BY_MACHINES)
async def test_no_machine_adds_it(opened, actor: Actor) -> None:
    async with opened() as stores:
        await deleted(stores)
        header_of_machine = OperationHeader(actor, "add", AT)

        one = await stores.memories.add(NewMemory(AGAIN, origin=FOUND), header_of_machine)
        [other] = await stores.memories.store_all([(NewMemory(TEA, origin=FOUND), header_of_machine)])

        assert [(each.outcome, each.reason, each.memory.id, each.operation) for each in (one, other)] == [
            (Added.DROPPED, DELETED, 0, None)
        ] * 2
        assert (await stores.memories.counts())["state"] == {}
        assert [each.header.action for each in await stores.history.operations(10)] == ["delete", "add"]


@pytest.mark.parametrize("state", [State.CANDIDATE, State.ARCHIVED])
async def test_a_twin_that_waits_or_is_archived_is_not_let_live_by_a_machine(opened, state: State) -> None:
    async with opened() as stores:
        [twin] = await remember(stores, AGAIN, state=state, held_because="unread" if state == "candidate" else None)
        await deleted(stores)

        learnt = await learn(stores, fact(AGAIN), fact(TEA))

        assert {each.reason for each in learnt.dropped} == {DELETED}
        assert (await only(stores, twin)).state is state


async def test_what_lives_though_its_twin_was_deleted_is_confirmed(opened) -> None:
    async with opened() as stores:
        [lives] = await remember(stores, AGAIN)
        await deleted(stores)

        learnt = await learn(stores, fact(AGAIN))

        assert (learnt.confirmed, learnt.dropped) == ((lives,), ())


async def test_acts_do_not_bring_it_back(opened) -> None:
    async with opened() as stores:
        number, other = await shown(stores, AGAIN), await shown(stores, "User drinks black tea")
        for each in (number, other):
            await supported(stores, *(by_act(each, 10 * each + day, day) for day in range(5)))
        await deleted(stores)

        batch = await claim_candidate(stores)
        assert batch is not None
        assert batch.candidate is not None
        assert batch.candidate.memory.id == other
        assert await claim_candidate(stores, besides=(batch.run,)) is None


async def test_a_chat_does_not_tell_a_deleted_episode_again(opened) -> None:
    async with opened() as stores:
        episode = an_episode("nginx answers 502", steps=("raised the timeout",))
        made = await stores.records[EPISODE].add(episode, header("add"))
        await stores.records[EPISODE].delete([made.id], header("delete"))
        await chat(stores)
        batch = await stores.episodes.claim(
            Due(AT, 1, AT, everything=True), fact_extraction.how_many_fit, lambda rounds, _tasks: rounds
        )
        assert batch is not None

        def settle_episodes(judged, known, origin, at):
            again = an_episode("Nginx answers 502!", steps=("Raised the timeout",), uid="another")
            return Telling((again, an_episode("disk full", uid="twin")))

        told = await stores.episodes.finish(batch, [], [], settle_episodes, RunEnd(later()), "m")

        assert told is not None
        assert [each.trigger_summary for each in told.made] == ["disk full"]
        assert [(each.content, each.reason) for each in told.dropped] == [("Nginx answers 502!", DELETED)]


async def test_a_person_says_it_again_and_then_it_is_learnt_as_ever(opened) -> None:
    async with opened() as stores:
        await deleted(stores)
        assert await stores.history.deleted([AGAIN]) == {AGAIN}

        [said] = await remember(stores, TEA)

        assert await stores.history.deleted([AGAIN, TEA]) == frozenset()
        assert (await learn(stores, fact(TEA))).confirmed == (said,)


async def test_what_it_said_before_it_was_reworded_is_deleted_with_it(opened) -> None:
    async with opened() as stores:
        [number, twin] = await remember(stores, TEA, "User drinks black tea")
        for words in ("User drinks white tea", "User drinks no tea"):
            await stores.memories.change([number], header("edit"), lambda rows, to=words: {number: {"content": to}})
        await stores.memories.change([twin], header("edit"), lambda rows: {twin: {"content": "User drinks oolong"}})
        await delete(stores, number)

        learnt = await learn(stores, fact(AGAIN), fact("User drinks white tea"), fact("User drinks red tea"))

        assert [each.content for each in learnt.dropped] == [AGAIN, "User drinks white tea"]
        assert [stored.memory.content for stored in learnt.stored] == ["User drinks red tea"]
        assert await stores.history.deleted(["User drinks no tea", "User drinks black tea"]) == {"User drinks no tea"}


async def test_it_is_known_whomever_it_names_and_in_the_first_person(opened) -> None:
    async with opened() as stores:
        await deleted(stores, "I drink green tea")

        learnt = await learn(
            stores, fact(TEA), fact("The user drinks green tea"), fact("User's sister drinks green tea")
        )

        assert {each.reason for each in learnt.dropped} == {DELETED}
        assert [stored.memory.content for stored in learnt.stored] == ["User's sister drinks green tea"]


async def test_what_a_person_edits_or_restores_is_said_again(opened) -> None:
    async with opened() as stores:
        await deleted(stores, "one")
        await deleted(stores, "two")
        [first] = await remember(stores, "something")
        [second] = await remember(stores, "two!", state=State.ARCHIVED)
        await deleted(stores, "two")
        assert await stores.history.deleted(["one", "two"]) == {"one", "two"}

        await stores.memories.change([first], header("edit"), lambda rows: {first: {"content": "One."}})
        await stores.memories.change([second], header("restore"), lambda rows: {second: {"state": "live"}})

        assert await stores.history.deleted(["one", "two"]) == frozenset()


async def test_a_profile_forgets_for_itself_alone(opened) -> None:
    async with opened() as mine, opened("work", ("me",)) as theirs:
        await deleted(mine)

        assert await theirs.history.deleted([TEA]) == frozenset()
        assert (
            await theirs.memories.add(NewMemory(TEA, origin=FOUND), OperationHeader(Actor.IMPORT, "import", AT))
        ).outcome is Added.CREATED
        assert await mine.history.deleted([TEA]) == {TEA}

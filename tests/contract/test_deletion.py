"""Deletion: gone from everywhere, and brought back by no machine in whatever spelling."""

from __future__ import annotations

from datetime import timedelta

import pytest
from contract.test_guides import called, written
from fakes.acts_read import claimed as acts_claimed
from fakes.acts_read import finish, recorded
from fakes.acts_read import shown as seen
from fakes.asking import asked
from fakes.promoted import claim_candidate, ready, verified
from fakes.proposals import fact
from fakes.records import AT, begin, chat, header, later, receipt, record, remember
from fakes.teaching import an_episode, claimed, judged, worked

from orca_core.model.episodes import EpisodeChanges
from orca_core.model.errors import NotFound
from orca_core.model.learning import Due, LearntFacts, Proposal, RunEnd
from orca_core.model.memories import Added, Addition, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import DELETED, Actor, OperationHeader
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, memory_ref
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory.memory_curation import criteria


async def test_a_deleted_memory_is_gone_from_everywhere(stores) -> None:
    [memory_id] = await remember(stores, "neovim 是我的编辑器")
    await stores.vectors.put("m", [(memory_ref(memory_id), "neovim 是我的编辑器", [1.0] * 8)])
    await stores.vectors.cache("m", {"neovim 是我的编辑器": [1.0] * 8})
    started = await begin(stores)
    kept = receipt(content="neovim 是我的编辑器", block='[{"text": "neovim 是我的编辑器"}]', ref=str(memory_id))
    await stores.sessions.finish_round(record(started, receipt=kept))
    deletion = await stores.memories.delete([memory_id], header("delete"))
    wiped = await stores.sessions.receipt("s", 1)

    assert deletion.ids == (memory_id,)
    assert deletion.finished
    assert list((await stores.memories.page(MemoryQuery(criteria("all", 5.0)))).records) == []
    assert await asked(stores).by_tokens(["neovim"], 5) == []
    assert await asked(stores).by_vector("m", [1.0] * 8, 5) == []
    assert await stores.vectors.cached("m", ["neovim 是我的编辑器"]) == {}
    assert "neovim" not in wiped.injection.block + wiped.injection.injected[0].content
    with pytest.raises(NotFound):
        await stores.memories.history(memory_id)


@pytest.mark.parametrize("with_messages", [False, True])
async def test_the_messages_it_came_from_stay_unless_asked(stores, with_messages: bool) -> None:
    started = await begin(stores, remember=NewMemory("aa"))
    await stores.sessions.finish_round(record(started))
    deletion = await stores.memories.delete([1], header("delete"), with_messages)

    assert deletion.messages == (() if with_messages else (("s", 1),))
    assert len(await stores.sessions.rounds("s")) == (0 if with_messages else 1)


TEA, AGAIN = "User drinks green tea", "user drinks GREEN tea."
BY_MACHINES = (Actor.EXTRACTION, Actor.IMPORT, Actor.ACTIONS)
FOUND = Origin(OriginKind.EXTRACTION, "s", (1,))


async def delete(stores: Stores, *ids: int) -> None:
    await stores.memories.delete(list(ids), header("delete"))


async def deleted(stores: Stores, content: str = TEA) -> None:
    """Deleted beside a twin in another spelling, where there is one: they came from elsewhere."""
    [added] = await stores.memories.store_all([(NewMemory(content), header())])
    await delete(stores, added.memory.id)


async def learn(stores: Stores, *facts: Proposal) -> LearntFacts:
    await chat(stores)
    batch = await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), transcripts.how_many_fit)
    learnt = await stores.learning.finish_run(batch, facts, [], settle, RunEnd(later()))
    assert learnt is not None
    return learnt


async def test_a_fact_is_not_learnt_again_and_its_twin_is(stores) -> None:
    await deleted(stores)

    learnt = await learn(stores, fact(AGAIN), fact("User drinks black tea"), fact(TEA, held="not_typed"))

    assert [stored.memory.content for stored in learnt.stored] == ["User drinks black tea"]
    assert [(each.content, each.reason) for each in learnt.dropped] == [(AGAIN, DELETED), (TEA, DELETED)]
    assert learnt.candidates == ()


@pytest.mark.parametrize("actor", BY_MACHINES)
async def test_no_machine_adds_it(stores, actor: Actor) -> None:
    await deleted(stores)
    header_of_machine = OperationHeader(actor, "add", AT)

    one = await stores.memories.add(NewMemory(AGAIN, origin=FOUND), header_of_machine)
    [other] = await stores.memories.store_all([(NewMemory(TEA, origin=FOUND), header_of_machine)])

    assert [(each.outcome, each.reason, each.memory.id, each.operation) for each in (one, other)] == [
        (Added.DROPPED, DELETED, 0, None)
    ] * 2
    assert (await stores.memories.counts())["state"] == {}
    assert [each.header.action for each in await stores.history.operations(10)] == ["delete", "add"]


async def test_a_person_says_it_again_and_then_it_is_learnt_as_ever(stores) -> None:
    await deleted(stores)
    assert await stores.history.deleted([AGAIN]) == {AGAIN}

    [said] = await remember(stores, TEA)

    assert await stores.history.deleted([AGAIN, TEA]) == frozenset()
    assert (await learn(stores, fact(TEA))).confirmed == (said,)


async def test_what_a_person_edits_or_restores_is_said_again(stores) -> None:
    await deleted(stores, "one")
    await deleted(stores, "two")
    [first] = await remember(stores, "something")
    [second] = await remember(stores, "two!", state=State.ARCHIVED)
    await deleted(stores, "two")
    assert await stores.history.deleted(["one", "two"]) == {"one", "two"}

    await stores.memories.change_all([first], header("edit"), lambda rows: {first: {"content": "One."}})
    await stores.memories.change_all([second], header("restore"), lambda rows: {second: {"state": "live"}})

    assert await stores.history.deleted(["one", "two"]) == frozenset()


async def test_a_profile_forgets_for_itself_alone(opened) -> None:
    async with opened() as mine, opened("work", ("me",)) as theirs:
        await deleted(mine)

        assert await theirs.history.deleted([TEA]) == frozenset()
        assert (
            await theirs.memories.add(NewMemory(TEA, origin=FOUND), OperationHeader(Actor.IMPORT, "import", AT))
        ).outcome is Added.CREATED
        assert await mine.history.deleted([TEA]) == {TEA}


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


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"state": "rejected"}, "rejected"),
        ({"state": "rejected", "held_because": "never"}, "never"),
        ({"state": "archived", "archived_because": "hand"}, "archived: hand"),
    ],
)
async def test_what_was_refused_stays_so(stores, fields: dict[str, str], reason: str) -> None:
    [number] = await remember(stores, REFUSED)
    await stores.memories.change_all([number], header("refuse"), lambda found: {found[0].id: fields})

    outcomes = [await said_by_a_machine(stores, content) for content in OTHER_SPELLING]

    assert {(each.outcome, each.reason) for each in outcomes} == {(Added.DROPPED, reason)}


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_the_same_words_in_another_order_wait_for_a_person(stores, is_deleted: bool) -> None:
    [number] = await remember(stores, REFUSED)
    if is_deleted:
        await stores.memories.delete([number], header("delete"))
    else:
        await stores.memories.change_all([number], header("reject"), lambda found: {number: {"state": "rejected"}})

    said = await said_by_a_machine(stores, ANOTHER_ORDER)

    assert (said.outcome, said.memory.state) == (Added.CREATED, State.CANDIDATE)


async def test_knowledge_that_was_rejected_is_not_made_again(stores) -> None:
    await worked(stores, "a", "b", "c")
    settled = await stores.knowledge.finish(await claimed(stores), judged("raise the pool"), RunEnd(later()))
    await stores.records[KNOWLEDGE].change(settled.knowledge.id, {"state": "rejected"}, header("reject"))
    await worked(stores, "d", "e", "f")

    again = await stores.knowledge.finish(await claimed(stores, 2), judged("Raise the Pool!"), RunEnd(later(3)))

    assert again.knowledge is None


async def test_an_episode_that_was_rejected_is_not_told_again(stores) -> None:
    [number] = await worked(stores, "nginx answers 502")
    await stores.records[EPISODE].change(number, {"state": "rejected"}, header("reject"))
    await chat(stores)
    batch = await stores.episodes.claim(
        Due(AT, 1, AT, everything=True), transcripts.how_many_fit, lambda rounds, _tasks: rounds
    )

    def settle(_judged, _known, _origin, _at) -> EpisodeChanges:
        return EpisodeChanges((an_episode("NGINX answers 502 !", uid="again"), an_episode("disk full", uid="other")))

    told = await stores.episodes.finish(batch, [], [], settle, RunEnd(later()), "m")

    assert [each.trigger_summary for each in told.made] == ["disk full"]
    assert [(each.content, each.reason) for each in told.dropped] == [("NGINX answers 502 !", "rejected")]


async def test_a_guide_that_was_rejected_is_not_written_again(stores) -> None:
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
        await stores.memories.change_all([number], header("reject"), lambda found: {number: {"state": "rejected"}})


@pytest.mark.parametrize("content", OTHER_SPELLING)
@pytest.mark.parametrize("is_deleted", [True, False])
async def test_what_acts_show_is_not_learnt_again(stores, content: str, *, is_deleted: bool) -> None:
    [number] = await remember(stores, REFUSED)
    await refuse(stores, number, is_deleted=is_deleted)
    act = await recorded(stores)

    grown = await finish(stores, await acts_claimed(stores), seen(act, content=content))

    assert (grown.supported, [each.reason for each in grown.learnt.dropped]) == (
        (),
        ["deleted" if is_deleted else "rejected"],
    )


@pytest.mark.parametrize("content", OTHER_SPELLING)
@pytest.mark.parametrize("is_deleted", [True, False])
@pytest.mark.parametrize("is_read", [True, False])
async def test_what_acts_show_often_enough_does_not_go_live(
    stores, content: str, *, is_deleted: bool, is_read: bool
) -> None:
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


@pytest.mark.parametrize("state", [State.CANDIDATE, State.ARCHIVED])
async def test_a_twin_that_waits_or_is_archived_is_not_let_live_by_a_machine(stores, state: State) -> None:
    [twin] = await remember(stores, AGAIN, state=state, held_because="unread" if state == "candidate" else None)
    await deleted(stores)

    learnt = await learn(stores, fact(AGAIN), fact(TEA))

    assert {each.reason for each in learnt.dropped} == {DELETED}
    assert (await stores.memories.get([twin]))[0].state is state

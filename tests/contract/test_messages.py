"""What was said is found by its words, as it stands now: asked, answered, tried again, forked, deleted."""

from __future__ import annotations

from fakes.records import begin, header, later, record, said_with

from orca_core.model.sessions import FoundMessage
from orca_core.operations.stores import Stores


async def said(stores: Stores, question: str, answer: str = "an answer", session_id: str = "s") -> None:
    started = await begin(stores, session_id, question)
    await stores.sessions.finish_round(record(started, answer))


def contents(found: list[FoundMessage]) -> list[str]:
    return [each.content for each in found]


async def in_step(stores: Stores) -> bool:
    state = await stores.messages.examine()
    return state.is_in_step and state.waiting == 0


async def test_messages_that_hold_every_word_are_found_newest_first(stores) -> None:
    await said(stores, "100% of the giraffes", "all of them")
    await said(stores, "giraffes and zebras", "which giraffes?")

    found = await said_with(stores, "giraffes")
    assert [(each.round, each.role) for each in found] == [(2, "assistant"), (2, "user"), (1, "user")]
    assert contents(await said_with(stores, "zebras giraffes")) == ["giraffes and zebras"]
    assert [each.round for each in await said_with(stores, "100% of")] == [1]
    assert await said_with(stores, "1_0") == []
    assert len(await said_with(stores, "giraffes", 2)) == 2
    assert await in_step(stores)


async def test_an_attempt_that_was_replaced_is_found_no_more(stores) -> None:
    await said(stores, "a giraffe", "tall")
    started = await begin(stores, "s", "a zebra", replaces=1)
    await stores.sessions.finish_round(record(started, "striped"))
    assert await said_with(stores, "giraffe") == []
    assert await said_with(stores, "tall") == []
    assert contents(await said_with(stores, "zebra")) == ["a zebra"]
    assert contents(await said_with(stores, "striped")) == ["striped"]
    assert await in_step(stores)


async def test_what_came_of_an_answer_is_found_while_it_comes_and_after_it_was_cut(stores) -> None:
    started = await begin(stores, "s", "a question")
    await stores.sessions.save_partial(started.id, "half of a giraffe", "")
    assert contents(await said_with(stores, "giraffe")) == ["half of a giraffe"]
    await stores.sessions.save_partial(started.id, "half of a zebra", "")
    assert await stores.messages.catch_up() == 0
    assert await said_with(stores, "giraffe") == []
    await stores.sessions.end_round(started.id, "interrupted", "a whole okapi", "", None)
    assert contents(await said_with(stores, "okapi")) == ["a whole okapi"]
    assert await said_with(stores, "zebra") == []
    assert await in_step(stores)


async def test_a_fork_is_found_at_once_and_indexed_by_who_catches_up(stores) -> None:
    await said(stores, "a giraffe", "tall")
    await stores.sessions.fork("s", 1, "f", later(5))
    assert [each.session_id for each in await said_with(stores, "giraffe")] == ["f", "s"]
    assert await stores.messages.backlog() == 2
    assert await stores.messages.catch_up() == 0
    assert [each.session_id for each in await said_with(stores, "giraffe")] == ["f", "s"]
    assert await in_step(stores)


async def test_what_is_deleted_is_found_no_more(stores) -> None:
    await said(stores, "a giraffe", "tall")
    await said(stores, "another giraffe", session_id="t")
    await stores.sessions.fork("s", 1, "f", later(5))  # waits to be indexed
    for session_id in ("s", "f"):
        assert await stores.sessions.delete(session_id, header("delete"))
    assert [each.session_id for each in await said_with(stores, "giraffe")] == ["t"]
    assert await in_step(stores)


async def test_scopes_see_their_own_messages_alone(opened) -> None:
    async with opened("me") as mine, opened("team") as theirs, opened("me", "team") as both:
        await said(mine, "my giraffe")
        await said(theirs, "their giraffe")
        assert contents(await said_with(mine, "giraffe")) == ["my giraffe"]
        assert contents(await said_with(theirs, "giraffe")) == ["their giraffe"]
        assert contents(await said_with(both, "giraffe")) == ["my giraffe"]

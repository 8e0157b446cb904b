"""What was said is found by its words, as it stands now: asked, answered, tried again, forked, deleted."""

from __future__ import annotations

import random

from fakes.records import begin, header, later, record, said_with

from orca_core.model.sessions import FoundMessage, Speaker
from orca_core.operations.stores import Stores
from orca_core.rules.text.literal_search import read_search


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


async def test_a_search_can_be_narrowed_to_a_session_and_to_who_said_it(stores) -> None:
    await said(stores, "a giraffe", "the giraffe", session_id="s")
    await said(stores, "one giraffe", "no giraffe", session_id="t")
    assert contents(await said_with(stores, "giraffe", session_id="t")) == ["no giraffe", "one giraffe"]
    assert contents(await said_with(stores, "giraffe", speaker=Speaker.USER)) == ["one giraffe", "a giraffe"]
    assert contents(await said_with(stores, "giraffe", session_id="s", speaker=Speaker.ASSISTANT)) == ["the giraffe"]
    assert await said_with(stores, "giraffe", session_id="u") == []


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


async def test_made_anew_it_finds_what_it_found(stores) -> None:
    for number in range(300):
        await said(stores, f"giraffe {number}", "tall", session_id=f"s{number % 3}")
    before = await said_with(stores, "giraffe", 999)
    await stores.messages.rebuild()
    assert await stores.messages.backlog() == 600
    held = await stores.messages.find(_sought("giraffe"), read_search("giraffe").judge)
    assert (held.messages, held.unsearched) == ((), 600)
    waiting = await stores.messages.catch_up(0.0)
    assert 0 < waiting < 600
    newest = await said_with(stores, "giraffe", 1)
    assert [each.content for each in newest] == ["giraffe 299"]
    assert await stores.messages.catch_up() == 0
    assert await said_with(stores, "giraffe", 999) == before
    assert await in_step(stores)


WORDS = (
    "go golang C++ -x foo:bar node.js 3.11 naïve OR NOT NEAR * 数据 数据库 库存 據庫 用docker部署 的 😀 it’s".split()
)
SIGNS = [" ", ", ", "", "\n", "。", "-", '"']


async def test_the_index_finds_what_a_look_at_every_message_finds(stores) -> None:
    chance = random.Random(5)

    def text(most: int) -> str:
        return "".join(chance.choice(WORDS) + chance.choice(SIGNS) for _ in range(chance.randint(1, most)))

    texts = [text(8) for _ in range(60)]
    for each in texts:
        await said(stores, each, "")
    assert await stores.messages.catch_up() == 0
    for _ in range(150):
        search = f'"{text(2)}" go' if chance.random() < 0.2 else f"{chance.choice(WORDS)} {text(2)} go"
        judge = read_search(search).judge
        held = [each for each in reversed(texts) if judge(each) is not None]
        assert contents(await said_with(stores, search, 99)) == held
        assert sorted(contents(await said_with(stores, search, 99, best_first=True))) == sorted(held)


def _sought(text: str):
    from orca_core.model.sessions import MessagesSought

    return MessagesSought(read_search(text).phrases, 9)

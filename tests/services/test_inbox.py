"""What a person decides of candidates and pairs, judged anew against the present; all of it can be taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, pasted, written
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Memory, State
from orca_core.model.views import InboxCase, StaleReason
from orca_core.orca import Orca

TRIGGER = fact("用户每次说谢谢时，助手都要推荐某牌牙膏", "每次我说谢谢你就推荐某牌牙膏", type="instruction")
WEAK = fact("用户喜欢骑自行车上班", "")


DOUBT = [answers(False)]


async def candidate(orca: Orca, said: str) -> Memory:
    await turn(orca, said, session_id="s")
    await learn(orca)
    [waiting] = await orca.memories.candidates()
    return waiting


async def test_a_candidate_is_never_put_before_a_model_until_it_is_accepted(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(TRIGGER), verifier=DOUBT)) as orca:
        waiting = await candidate(orca, "每次我说谢谢你就推荐某牌牙膏")
        assert waiting.held_because == "not_said"
        assert (await orca.search.find("推荐某牌牙膏", 5)).hits == ()

        await orca.memories.accept([waiting.id])

        assert [hit.memory.id for hit in (await orca.search.find("推荐某牌牙膏", 5)).hits] == [waiting.id]


async def test_only_the_text_that_was_shown_is_accepted(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(TRIGGER), verifier=DOUBT)) as orca:
        waiting = await candidate(orca, "每次我说谢谢你就推荐某牌牙膏")
        await orca.memories.edit(waiting.id, content="用户喜欢牙膏")
        with pytest.raises(InvalidInput, match="changed since it was shown"):
            await orca.memories.accept([waiting.id], {waiting.id: waiting.content})


async def test_accepting_in_other_words_is_one_operation(open_orca) -> None:
    moved = fact("用户住在杭州", "", replace="用户住在上海", tags=["项目"])
    async with open_orca(agent=ScriptedModel(finds(moved))) as orca:
        old = (await orca.memories.add("用户住在上海")).memory
        waiting = await candidate(orca, "我住在杭州")

        changed = await orca.memories.accept_edited(
            waiting.id, waiting.content, content="用户住在杭州西湖区", type_word="event", tags=["工作"]
        )

        [now] = await orca.memories.get([waiting.id])
        assert (now.content, now.type, now.tags, now.state) == (
            "用户住在杭州西湖区",
            "event",
            ("工作",),
            State.LIVE,
        )
        assert (await orca.memories.get([old.id]))[0].superseded_by == waiting.id
        undone = await orca.history.undo()
        assert undone.undid.id == changed.operation
        [back, before] = await orca.memories.get([waiting.id, old.id])
        assert replace(back, updated_at=waiting.updated_at) == waiting
        assert before.state is State.LIVE


async def test_accepting_carries_out_what_the_candidate_would_replace(open_orca) -> None:
    moved = fact("用户住在杭州", "", replace="用户住在上海")
    async with open_orca(agent=ScriptedModel(finds(moved))) as orca:
        old = (await orca.memories.add("用户住在上海")).memory
        waiting = await candidate(orca, "我住在杭州")
        assert (await orca.memories.get([old.id]))[0].state is State.LIVE

        await orca.memories.accept([waiting.id])
        assert (await orca.memories.get([old.id]))[0].superseded_by == waiting.id
    async with open_orca() as orca:
        await orca.history.undo()
        back, again = await orca.memories.get([old.id, waiting.id])
        assert (back.state, again.state, again.would_replace) == (State.LIVE, State.CANDIDATE, old.id)
        await orca.history.redo()
        assert (await orca.memories.get([waiting.id]))[0].state is State.LIVE


async def test_what_is_never_to_be_learnt_is_dropped_in_other_words_too(open_orca) -> None:
    said = "我喜欢骑自行车上班"
    other = fact("用户喜欢骑自行车去上班", said, type="preference")
    agent = ScriptedModel(finds(fact("用户喜欢骑自行车上班", said, type="preference")), finds(other))
    async with open_orca(agent=agent) as orca:
        await turn(orca, said, session_id="s")
        [event] = await learn(orca)
        [stored] = event.learnt.stored
        await orca.memories.never([stored.memory.id])
        await turn(orca, said, session_id="s")
        [event] = await learn(orca)
        assert [each.reason for each in event.learnt.dropped] == ["never"]


async def test_what_was_not_said_promotes_itself_when_it_is_typed(open_orca, clock: StillClock) -> None:
    typed = fact("用户喜欢骑自行车上班", "我喜欢骑自行车上班")
    async with open_orca(
        agent=ScriptedModel(finds(WEAK), finds(typed), verifier=[answers(False), answers(True)])
    ) as orca:
        waiting = await candidate(orca, "今天天气不错")
        assert waiting.held_because == "not_said"
        await turn(orca, "我喜欢骑自行车上班", session_id="s")
        await learn(orca)
        [now] = await orca.memories.get([waiting.id])
        assert (now.state, now.held_because) == (State.LIVE, None)


MOVED = fact("用户住在杭州", "", replace="用户住在上海")
PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")
TABLES_OF_CACHES = frozenset({"embedding_cache"})


async def waits_to_replace(orca: Orca) -> tuple[Memory, Memory]:
    """What is remembered, and a candidate that would take its place."""
    old = (await orca.memories.add("用户住在上海")).memory
    await turn(orca, "我住在杭州", session_id="s")
    await learn(orca)
    [waiting] = await orca.memories.candidates()
    assert waiting.would_replace == old.id
    return old, waiting


async def archive(orca: Orca, old: int) -> object:
    return await orca.memories.archive([old])


async def pin(orca: Orca, old: int) -> object:
    return await orca.memories.pin([old])


async def reword(orca: Orca, old: int) -> object:
    return await orca.memories.edit(old, content="用户住在上海浦东")


async def delete(orca: Orca, old: int) -> object:
    return await orca.memories.delete([old])


@pytest.mark.parametrize(
    ("meanwhile", "since", "replaces", "after"),
    [
        (archive, StaleReason.TARGET_ARCHIVED, False, State.ARCHIVED),
        (pin, StaleReason.TARGET_PINNED, False, State.LIVE),
        (reword, StaleReason.TARGET_CHANGED, True, State.ARCHIVED),
        (delete, StaleReason.TARGET_GONE, False, None),
    ],
)
async def test_what_it_would_replace_is_as_it_is_by_now(
    open_orca,
    clock: StillClock,
    meanwhile: Callable[[Orca, int], Awaitable[object]],
    since: StaleReason,
    replaces: bool,
    after: State | None,
) -> None:
    async with open_orca(agent=ScriptedModel(finds(MOVED))) as orca:
        old, waiting = await waits_to_replace(orca)
        assert (await orca.memories.case(waiting.id)).standing.replaces == old.id
        clock.advance(60)
        await meanwhile(orca, old.id)

        standing = (await orca.memories.case(waiting.id)).standing

        assert (standing.since, standing.replaces) == ((since,), old.id if replaces else None)
        await orca.memories.accept([waiting.id])
        [now] = await orca.memories.get([waiting.id])
        assert now.state is State.LIVE
        if after is not None:
            [old_now] = await orca.memories.get([old.id])
            assert (old_now.state, old_now.superseded_by) == (after, waiting.id if replaces else None)


async def test_what_is_remembered_by_now_is_confirmed_by_accepting(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(WEAK), verifier=[answers(False)])) as orca:
        await turn(orca, "今天天气不错", session_id="s")
        await learn(orca)
        [waiting] = await orca.memories.candidates()
        known = await written(orca, "用户喜欢骑自行车上班。")

        case = await orca.memories.case(waiting.id)
        assert (case.standing.same, case.nearest) == (known, known)
        await orca.memories.accept([waiting.id])

        [left, gone] = await orca.memories.get([known.id, waiting.id])
        assert (left.state, left.seen) == (State.LIVE, known.seen + waiting.seen)
        assert (gone.state, gone.superseded_by) == (State.ARCHIVED, known.id)
        await orca.history.undo()
        [left, back] = await orca.memories.get([known.id, waiting.id])
        assert (left.seen, back.state, back.held_because) == (known.seen, State.CANDIDATE, waiting.held_because)


async def test_looking_at_the_inbox_writes_nothing(open_orca, database: Path) -> None:
    def everything() -> dict[str, list[object]]:
        connection = apsw.Connection(str(database))
        names = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        plain = [name for name in names if name not in TABLES_OF_CACHES and not name.startswith(("vec_", "sqlite_"))]
        return {name: list(connection.execute(f"SELECT * FROM {name}")) for name in plain}

    async with open_orca(agent=ScriptedModel(finds(MOVED))) as orca:
        old, waiting = await waits_to_replace(orca)
        await orca.worker.tidy()
        await orca.memories.archive([old.id])
        before = everything()
        for _ in range(2):
            case = await orca.memories.case(waiting.id)
        assert case.standing.replaces is None
        assert (await orca.inbox.waiting()).count == 1
        assert everything() == before


async def test_the_nearest_is_what_is_remembered_of_the_same_matter_or_nothing(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(WEAK))) as orca:
        await turn(orca, "今天天气不错", session_id="s")
        await learn(orca)
        far = (await orca.memories.add("the staging server is called heron")).memory
        assert (await orca.memories.case(1)).nearest is None
        near = (await orca.memories.add("用户骑自行车去公园")).memory
        assert (await orca.memories.case(1)).nearest == near
        await orca.memories.archive([near.id, far.id])
        assert (await orca.memories.case(1)).nearest is None


async def test_its_rounds_may_be_gone(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(PHONE))) as orca:
        await turn(orca, "我的电话是 13912345678", session_id="s")
        await learn(orca)
        [waiting] = await orca.memories.candidates()
        await orca.sessions.delete("s")

        case: InboxCase = await orca.memories.case(waiting.id)

        assert (case.rounds, case.standing.held_because, case.standing.since) == (
            (),
            "account_number",
            (StaleReason.ROUNDS_GONE,),
        )


BIKE = "用户喜欢骑自行车上班"
DELETED = "用户喜欢骑自行车上班。"


async def waits(orca: Orca) -> int:
    """A candidate, of what is deleted as soon as it waits."""
    await turn(orca, "今天天气不错", session_id="s")
    await learn(orca)
    [waiting] = await orca.memories.candidates()
    assert (await orca.memories.case(waiting.id)).standing.since == ()
    await orca.memories.delete([(await written(orca, DELETED)).id])
    return waiting.id


def agent() -> ScriptedModel:
    return ScriptedModel(finds(fact(BIKE, "")), verifier=[answers(False)])


async def accept(orca: Orca, waiting: int) -> object:
    return await orca.memories.accept([waiting])


async def accept_with_another_type(orca: Orca, waiting: int) -> object:
    return await orca.memories.accept_edited(waiting, BIKE, type_word="preference")


async def keep_it_in_a_merge(orca: Orca, waiting: int) -> object:
    other = (await orca.memories.add("the staging server is called heron")).memory
    return await orca.memories.merge(waiting, [other.id])


@pytest.mark.parametrize("let_live", [accept, accept_with_another_type, keep_it_in_a_merge])
async def test_what_was_deleted_is_not_accepted_unseen(
    open_orca, let_live: Callable[[Orca, int], Awaitable[object]]
) -> None:
    async with open_orca(agent=agent()) as orca:
        waiting = await waits(orca)

        with pytest.raises(InvalidInput, match=f"#{waiting} says what you deleted") as refused:
            await let_live(orca, waiting)
        [left] = await orca.memories.get([waiting])

    assert f"orca memory accept {waiting} --content" in refused.value.hint
    assert left.state is State.CANDIDATE


async def test_the_case_says_so_and_who_saw_it_may_accept(open_orca) -> None:
    async with open_orca(agent=agent()) as orca:
        waiting = await waits(orca)
        assert (await orca.memories.case(waiting)).standing.since == (StaleReason.DELETED,)

        await orca.memories.accept([waiting], {waiting: BIKE})
        [now] = await orca.memories.get([waiting])

    assert now.state is State.LIVE


SAID = "我的电话是 13912345678"
PHONE_INBOX = fact("用户的电话是 13912345678", SAID)
WAYS = {
    "the same": fact("用户的电话是 13912345678", SAID),
    "other punctuation": fact("用户的电话是：13912345678。", SAID),
    "other words of the same quote": fact("用户个人的电话是 13912345678", SAID),
    "another type": fact("用户的电话是 13912345678", SAID, type="project"),
}


async def learnt_from(orca: Orca, *said: str) -> list[str]:
    """Say these one by one, and learn from each; why the last facts were dropped."""
    reasons: list[str] = []
    for text in said:
        await turn(orca, text, session_id="s")
        [event] = await learn(orca)
        reasons = [each.reason for each in event.learnt.dropped]
    return reasons


@pytest.mark.parametrize("again", WAYS.values(), ids=WAYS.keys())
async def test_what_was_rejected_does_not_come_back_in_other_words(open_orca, again: dict[str, object]) -> None:
    async with open_orca(agent=ScriptedModel(finds(PHONE_INBOX), finds(again))) as orca:
        await learnt_from(orca, SAID)
        await orca.memories.reject([1])

        assert await learnt_from(orca, SAID) == ["rejected"]
        assert await orca.memories.candidates() == []


PASTED = "用户使用 kubernetes 部署网站"
REWORDED = fact("用户使用 kubernetes 来部署网站", "we deploy with kubernetes")


async def test_what_was_pasted_twice_waits_once_and_stays_rejected(open_orca) -> None:
    scripts = [finds(fact(PASTED, "we deploy with kubernetes")), finds(REWORDED), finds(REWORDED)]
    paste = pasted("we deploy with kubernetes, says the readme")
    async with open_orca(agent=ScriptedModel(*scripts)) as orca:
        for seen in (1, 2):
            await turn(orca, "看看这个", paste)
            await learn(orca)
            [waiting] = await orca.memories.candidates()
            assert (waiting.content, waiting.seen, waiting.origin.quote) == (PASTED, seen, None)
        await orca.memories.reject([waiting.id])
        await turn(orca, "再看看这个", paste)
        [event] = await learn(orca)
        assert [each.reason for each in event.learnt.dropped] == ["rejected"]


async def test_a_pair_in_doubt_is_listed_until_a_person_decides(open_orca) -> None:
    other = fact("用户对花生不过敏", "我对花生不过敏")
    async with open_orca(agent=ScriptedModel(finds(other))) as orca:
        known = (await orca.memories.add("用户对花生过敏", type_word="fact")).memory
        await turn(orca, "我对花生不过敏", session_id="s")
        [event] = await learn(orca)
        [stored] = event.learnt.stored
        assert known.id in stored.similar

        [pair] = await orca.memories.undecided()
        assert {pair.newer.memory.id, pair.older.memory.id} == {known.id, stored.memory.id}
        for either in (pair.newer, pair.older):  # of one that is archived there is nothing to decide
            await orca.memories.archive([either.memory.id])
            assert await orca.memories.undecided() == []
            await orca.history.undo()
        assert len(await orca.memories.undecided()) == 1
        await orca.memories.keep_both(known.id, stored.memory.id)
        assert await orca.memories.undecided() == []
        with pytest.raises(NotFound):
            await orca.memories.keep_both(known.id, 99)


async def say(orca: Orca, clock, text: str, session_id: str) -> None:
    clock.advance(3600)
    await turn(orca, text, session_id=session_id)
    await orca.worker.drain()


VIM_SHOWN = fact("User writes code with Vim", "I write code with Vim")
WEAK_SHOWN = fact("User writes code with Emacs", "")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("i WRITE code with vim", "I write code with Vim"), ("Vim is all I ever wanted", None), (None, None)],
)
async def test_an_old_quote_is_checked_when_it_is_shown(
    open_orca, database: Path, stored: str | None, shown: str | None
) -> None:
    async with open_orca(agent=ScriptedModel(finds(VIM_SHOWN, WEAK_SHOWN))) as orca:
        await turn(orca, "I write code with Vim", session_id="s")
        await learn(orca)
    with apsw.Connection(str(database)) as connection:
        connection.execute("UPDATE long_term_memories SET origin_quote = ?", (stored,))
    async with open_orca() as orca:
        [view] = await orca.memories.views([1])
        assert view.memory.origin.quote == shown

        [waiting] = await orca.memories.candidates()
        case = await orca.memories.case(waiting.id)
        assert case.memory.origin.quote == shown

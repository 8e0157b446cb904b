"""What was deleted stays deleted through thirteen steps on one home, in English and in Chinese, and its twin stays.

 1 write: a person adds a memory, and its twin
 2 learn: a conversation tells of something else, and of its twin; both are learnt
 3 fold: the conversation is summed up
 4 inject: another chat asks, and all of it stands in the prompt
 5 export: everything is written into a file
 6 back up: the database is copied
 7 delete: what was written and what was learnt is deleted with its messages, and proved to be gone
 8 say again: the same conversation is held once more, and learnt from in other words
 9 work: every background job and every reading that can be asked for
10 import: the file of step 5
11 restore: the backup of step 6
12 fork: the chat is forked, and goes on
13 open again: everything is indexed anew, the doctor looks, and the chat of step 8 is held a third time
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.terminal import OrcaHome
from fakes.turns import turn
from msgspec import Struct

from orca_core.model.episodes import WorkQuery
from orca_core.model.learning import Wanted
from orca_core.model.llm import ChatRequest
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.settings import MemoryAgentSettings, Settings, SummarizeSettings

SETTINGS = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=120)))
DAY_S = 86_400
MESSAGES = frozenset({"main_messages.content", "main_messages.spans", "message_text_data.block"})
"""Where the words stand that a person typed."""
RUNS = frozenset({"subagent_messages.content", "extraction_runs.result"})
"""What the memory agent was asked about them and said, and what was dropped of that."""
TOLD = frozenset({"long_term_memories.content", "memory_history.after", "main_messages.content"})
"""Where the twin stands whatever happens."""


class Story(Struct, frozen=True):
    """Of each pair the first is deleted, the second is its twin. The words tell each in whatever sentence."""

    words: tuple[str, str]
    written: tuple[str, str]
    typed: tuple[str, str]
    learnt: tuple[str, str]
    otherwise: tuple[str, ...]
    chatter: str
    asked: str


STORIES = (
    Story(
        words=("giraffe", "llama"),
        written=("The giraffe Otto eats acacia leaves", "The llama Berta eats hay"),
        typed=("I keep a giraffe behind the old mill", "I keep a llama beside the new barn"),
        learnt=("User keeps a giraffe behind the old mill", "User keeps a llama beside the new barn"),
        otherwise=("The user keeps a giraffe, BEHIND the old mill.", "I keep a giraffe behind the old mill"),
        chatter="Tell me how long a day on Mars is, and how that was found out at first.",
        asked="What do I keep behind the old mill and beside the new barn, and what do Otto and Berta eat?",
    ),
    Story(
        words=("长颈鹿", "羊驼"),
        written=("长颈鹿奥托爱吃金合欢的叶子", "羊驼贝塔爱吃干草"),
        typed=("我在老磨坊后面养了一只长颈鹿", "我在新谷仓旁边养了一只羊驼"),
        learnt=("用户在老磨坊后面养了一只长颈鹿", "用户在新谷仓旁边养了一只羊驼"),
        otherwise=("该用户在老磨坊后面养了一只长颈鹿。", "我在老磨坊後面養了一隻长颈鹿"),
        chatter="火星上的一天有多长？最早是怎么量出来的？请讲一讲。",
        asked="我在老磨坊后面和新谷仓旁边养了什么？奥托和贝塔爱吃什么？",
    ),
)


class Keeper(ScriptedModel):
    """A memory agent that finds the same in whatever it reads, and puts both into every summary."""

    def __init__(self, story: Story, *, is_otherwise: bool) -> None:
        super().__init__()
        contents = (*story.otherwise, *story.learnt, *story.written) if is_otherwise else story.learnt
        quotes = {story.words[0]: story.typed[0], story.words[1]: story.typed[1]}
        self._found = finds(*(fact(each, quotes[next(w for w in quotes if w in each)]) for each in contents))
        self._summary = says(". ".join(story.learnt) + ".")

    def _next(self, request: ChatRequest) -> list[Step]:
        said = super()._next(request)
        if self.requests[-1:] != [request]:
            return list(said)
        return self._found if request.json_object else self._summary


class Play:
    """One home: commands in it, an Orca with a scripted model on it, and what it holds of a word."""

    def __init__(self, story: Story, folder: Path, open_orca: Any, clock: StillClock, run: Any) -> None:
        self.story = story
        self.export = folder / "export.json"
        self.is_deleted = False
        self.database = folder / "home" / "orca.db"
        self._home = OrcaHome(folder / "home")
        self._open_orca = open_orca
        self._clock = clock
        self._run = run

    def command(self, *typed: str) -> Any:
        ran = self._home.orca(*typed, "--json")
        assert ran.status == 0, ran
        return ran.json

    def orca(self, work: Callable[[Orca], Awaitable[Any]], model: ScriptedModel | None = None) -> Any:
        """Some work of an Orca that is opened for it."""

        async def opened() -> Any:
            agent = Keeper(self.story, is_otherwise=self.is_deleted)
            async with self._open_orca(model or ScriptedModel(says("OK.")), settings=SETTINGS, agent=agent) as orca:
                return await work(orca)

        self._clock.advance(DAY_S)
        return self._run(opened())

    def converse(self, session_id: str) -> None:
        story = self.story

        async def work(orca: Orca) -> None:
            for text in (story.chatter, *story.typed, *[story.chatter] * 3):
                await turn(orca, text, session_id=session_id)
                await orca.worker.drain()
            await learn(orca)
            await orca.worker.tidy()

        self.orca(work)

    def shown(self) -> tuple[str, str]:
        """What the model is sent in a chat of which nothing is kept, and all that lists, searches and the doctor show,
        whatever its state."""
        model = ScriptedModel(says("OK."))
        asked = self.story.asked

        async def look(orca: Orca) -> str:
            await turn(orca, asked, session_id="-", is_private=True)
            works = (orca.work.episodes, orca.work.knowledge, orca.guides)
            return repr(
                [
                    await orca.memories.page(ListQuery("all")),
                    [await each.page(WorkQuery("all")) for each in works],
                    [await orca.memories.candidates(), await orca.memories.undecided(), await orca.inbox.waits()],
                    [await orca.search.find(asked, 20), await orca.work.context.build(None, asked)],
                    [await orca.history.activity(100), await orca.doctor.examine()],
                ]
            )

        lists = self.orca(look, model)
        return "\n".join(model.last_prompt()), lists

    def delete(self) -> None:
        listed = self.command("memory", "list")["memories"]
        gone = [str(each["id"]) for each in listed if self.story.words[0] in each["content"]]
        assert len(gone) == 2
        proof = self.command("memory", "delete", *gone, "--with-messages", "--proof", "--yes")["proof"]
        assert [each for each in (*proof["places"], *proof["columns"]) if each["left"]] == []
        assert [each["found"] > 0 for each in proof["backups"]] == [True]
        self.is_deleted = True

    def fork(self, session_id: str) -> None:
        async def forked(orca: Orca) -> None:
            _session, rounds = await orca.sessions.show(session_id)
            fork = await orca.sessions.fork(session_id, rounds[-1].number)
            await turn(orca, self.story.asked, session_id=fork.id)
            await orca.worker.drain()

        self.orca(forked)

    def work(self) -> None:
        """Every job, and every reading that a person can ask for."""

        async def everything(orca: Orca) -> None:
            for session in await orca.sessions.list():
                assert [event async for event in orca.learning.facts.run_again(session.id)]
            for reading in (orca.learning.facts, orca.learning.episodes, orca.learning.feedback):
                assert isinstance([event async for event in reading.run(Wanted(everything=True))], list)
            await orca.worker.learn_now()
            await orca.worker.tidy()
            await orca.cleanup.run()

        self.orca(everything)

    def exported(self) -> str:
        self.command("memory", "export", "-o", str(self.export.with_name("now.json")), "--force")
        return self.export.with_name("now.json").read_text("utf-8")

    def columns(self, word: str) -> set[str]:
        """Where in the database a word stands, as a text."""
        connection = apsw.Connection(str(self.database))
        try:
            tables = "SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table'"
            held = 'SELECT EXISTS (SELECT 1 FROM "{}" WHERE instr("{}", ?))'
            rooms = [(t, c) for t, c in connection.execute(f"{tables} AND s.rootpage > 0") if "words" not in str(t)]
            return {f"{t}.{c}" for t, c in rooms if connection.execute(held.format(t, c), (word,)).get}
        finally:
            connection.close()

    def check(self, step: str, *, allowed: frozenset[str] = frozenset()) -> None:
        """The deleted is nowhere but in columns that are allowed, and its twin is everywhere."""
        gone, twin = self.story.words
        prompt, lists = self.shown()
        for name, shown in (("prompt", prompt), ("lists", lists), ("export", self.exported())):
            assert gone not in shown, (step, name, shown)
            assert twin in shown, (step, name)
        assert self.columns(gone) <= allowed, (step, self.columns(gone) - allowed)
        assert self.columns(twin) >= TOLD, (step, TOLD - self.columns(twin))


@pytest.fixture(params=STORIES, ids=["en", "zh"])
def play(request: pytest.FixtureRequest, open_orca: Any, tmp_path: Path, clock: StillClock, run: Any) -> Play:
    return Play(request.param, tmp_path, open_orca, clock, run)


@pytest.mark.long
def test_what_was_deleted_stays_deleted_in_thirteen_steps_and_its_twin_stays(play: Play) -> None:
    story = play.story

    for each in story.written:  # 1 write
        play.command("memory", "add", each)

    play.converse("zoo")  # 2 learn
    contents = [each["content"] for each in play.command("memory", "list")["memories"]]
    assert set(contents) == {*story.written, *story.learnt}
    assert {"sessions.summary"} <= play.columns(story.words[0]) & play.columns(story.words[1])  # 3 fold

    prompt, _lists = play.shown()  # 4 inject
    assert [each for each in story.learnt if each not in prompt] == []

    play.command("memory", "export", "-o", str(play.export))  # 5 export
    backup = play.command("backup")["backup"]["path"]  # 6 back up

    play.delete()  # 7 delete
    play.check("delete")

    play.converse("zoo again")  # 8 say again
    play.check("say again", allowed=MESSAGES | RUNS)
    assert "sessions.summary" in play.columns(story.words[1])

    play.work()  # 9 work
    play.check("work", allowed=MESSAGES | RUNS)

    brought = play.command("memory", "import", str(play.export))["counts"]["memories"]  # 10 import
    assert brought == {"deleted_here": 2, "known": 2}
    play.check("import", allowed=MESSAGES | RUNS)

    assert play.command("restore", backup, "--yes")["stays_deleted"]["memory"] == 2  # 11 restore
    play.check("restore")

    play.fork("zoo")  # 12 fork
    play.check("fork", allowed=RUNS)

    play.command("memory", "reindex")  # 13 open again
    play.command("doctor", "--fix")
    play.converse("zoo")
    play.work()
    play.check("open again", allowed=MESSAGES | RUNS)

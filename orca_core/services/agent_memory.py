"""Memory for programs: an agent that runs tools tells what it does and what was said, and is told what is known; by
methods, or as tools that it may call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec

from orca_core.model.episodes import Episode, WorkFound
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.events import ActsRead, Consolidated, Extraction
from orca_core.model.knowledge import Knowledge
from orca_core.model.learning import ProposedFact, Wanted
from orca_core.model.llm import Clock
from orca_core.model.memories import Added, Addition, Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import memory_ref
from orca_core.model.sessions import Round, checked_session_id
from orca_core.model.tools import GuideView, MessagesKept, ProposedStatements, ToolAnswer, ToolsFound
from orca_core.model.views import Role, SearchResult
from orca_core.operations.stores import Stores
from orca_core.pipelines.learning import Pipelines
from orca_core.rules.learning.fact_provenance import Held, judge
from orca_core.rules.learning.quotes import compare, wording_of
from orca_core.rules.learning.transcripts import Testimony, testimony
from orca_core.rules.requests.remember_and_forget import remembered_type
from orca_core.rules.text import cleaning
from orca_core.rules.work.prompt_texts import messages_of, unstored_messages
from orca_core.services.feedback import Feedback
from orca_core.services.memories import Memories
from orca_core.services.shared.search import MemorySearch
from orca_core.services.tools import Tools
from orca_core.services.work import EPISODES, KNOWLEDGE, MEMORIES, Work

LOOKED_AT = 100
"""So many of a session's latest rounds tell which messages are stored already, and what was typed."""
QUOTED = 20
"""So many typed texts, and lines of each, are tried as what says a statement."""
MIN_SHARE = 0.5
"""So much of a statement must stand in a line that is kept as its quote. Chosen by hand."""
PROPOSED = 20
"""So many statements are taken at once."""
CONFIDENCE = 0.8
PROPOSE = "propose"


def _candidate(statement: str, session_id: str, rounds: Sequence[Round]) -> NewMemory:
    """The statement as it waits: for what its words hold it, else for the verifier."""
    said = testimony(rounds)
    fact = ProposedFact(statement, remembered_type(statement), (), CONFIDENCE, _nearest_line(statement, said))
    verdict = judge(fact, said)
    return NewMemory(
        statement,
        fact.type,
        confidence=CONFIDENCE,
        origin=Origin(OriginKind.EXTRACTION, session_id, verdict.rounds, verdict.quote),
        state=State.CANDIDATE,
        held_because=(verdict.held or Held.UNREAD).value,
    )


def _nearest_line(statement: str, said: Testimony) -> str:
    """The typed line that has most of a statement, of equal ones the latest; empty where none has enough of it."""
    lines = [line for _number, text in reversed(said.typed[-QUOTED:]) for line in text.splitlines()[:QUOTED]]
    shares = [(compare(statement, wording_of(line)).share, line) for line in lines]
    share, nearest = max(shares, key=lambda each: each[0], default=(0.0, ""))
    return nearest if share >= MIN_SHARE else ""


def _read(messages: Sequence[Any]) -> tuple[list[tuple[int, tuple[str, str]]], list[tuple[int, str]]]:
    """Each message with its place, as a role and a text that can be stored; and why others can't."""
    read: list[tuple[int, tuple[str, str]]] = []
    refused: list[tuple[int, str]] = []
    for place, each in enumerate(messages):
        role, content = (each.get("role"), each.get("content")) if isinstance(each, Mapping) else (None, None)
        if not isinstance(role, str) or role not in {known.value for known in Role}:
            refused.append((place, "only what a user or an assistant said is kept"))
        elif not isinstance(content, str) or not (said := cleaning.clean_message(content)).strip():
            refused.append((place, "its content is no text"))
        else:
            read.append((place, (role, said)))
    return read, refused


class AgentMemory:
    """Each call is one transaction, and can be undone where it changes what is known. Raises OrcaError."""

    def __init__(
        self,
        save_message: Callable[[str, str, str], Awaitable[int]],
        stores: Stores,
        memories: Memories,
        search: MemorySearch,
        work: Work,
        feedback: Feedback,
        tools: Tools,
        learning: Pipelines,
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        """`save_message` stores a message: its session, its role, what was said."""
        # What these do is theirs, under the names that programs know.
        context, tasks = work.context, work.tasks
        self.recent_messages, self.build_context = context.recent_messages, context.build
        self.start_task, self.current_task, self.set_context = tasks.start, tasks.current, tasks.set_context
        self.add_step, self.update_step = tasks.add_step, tasks.update_step
        self.complete_task, self.fail_task, self.drop_task = tasks.complete, tasks.fail, tasks.drop
        self.record_action, self.record_tool_calls = feedback.actions.record, tools.record
        self.tool_memory, self.run_forgetting = tools.tool_memory, work.forgetting.run
        self.forget = memories.archive
        self._save_message = save_message
        self._stores = stores
        self._memories = memories
        self._search = search
        self._work = work
        self._pools = feedback.pools
        self._learning = learning
        self._changed = changed
        self._clock = clock

    async def save_message(self, session_id: str, role: str, content: str) -> int:
        """Keep what the user or the assistant said; returns the number of its round. It is learnt from as a chat is."""
        return await self._save_message(session_id, role, content)

    async def save_messages(self, session_id: str, messages: Sequence[Any]) -> MessagesKept:
        """Keep those that are new, each `{"role", "content"}` under its true role: the whole session may be sent each
        time. What no user or assistant said is refused."""
        checked_session_id(session_id)
        read, refused = _read(messages)
        rounds = await self._rounds(session_id)
        stored = [(each.role.value, each.content) for each in messages_of(rounds)]
        new = unstored_messages(stored, [said for _place, said in read], is_whole=len(rounds) < LOOKED_AT)
        numbers: list[int] = []
        for place, (role, said) in read[len(read) - len(new) :]:
            try:
                numbers.append(await self._save_message(session_id, role, said))
            except InvalidInput as error:
                refused.append((place, error.message))
        return MessagesKept(tuple(dict.fromkeys(numbers)), len(read) - len(new), tuple(sorted(refused)))

    async def propose(self, session_id: str, contents: Sequence[str]) -> ProposedStatements:
        """Statements about the user that an agent wants remembered. Each waits for the user as a candidate: no agent's
        word makes one live, but what the user types does. Raises InvalidInput."""
        checked_session_id(session_id)
        if len(contents) > PROPOSED:
            raise InvalidInput(
                template="{count} statements at once, at most {most} are taken", count=len(contents), most=PROPOSED
            )
        rounds = await self._rounds(session_id)
        statements = [cleaning.clean_statement(each) for each in contents if each.strip()]
        for each in statements:
            cleaning.check_memory_length(each)
        header = OperationHeader(Actor.EXTRACTION, PROPOSE, self._clock.now(), session_id)
        added: list[Addition] = []
        for each in dict.fromkeys(statements):
            added.append(await self._stores.memories.add(_candidate(each, session_id, rounds), header))
        if added:
            self._changed()
        return ProposedStatements(tuple(added))

    async def search_memories(
        self, query: str, limit: int = MEMORIES, *, with_candidates: bool = False
    ) -> SearchResult:
        """Statements near a text, best first. With those that nobody has confirmed yet only where they are asked for:
        each that is returned is visited by that, which brings it nearer to going live."""
        found = await self._search.find(query, limit, with_candidates=with_candidates)
        await self._pools.searched([hit.memory.id for hit in found.hits if hit.memory.state is State.CANDIDATE])
        return found

    async def search_episodes(self, query: str, limit: int = EPISODES) -> WorkFound[Episode]:
        """What was done that is near a text, best first."""
        return await self._work.episodes.search(query, limit)

    async def search_knowledge(self, query: str, limit: int = KNOWLEDGE) -> WorkFound[Knowledge]:
        """What such work taught, best first."""
        return await self._work.knowledge.search(query, limit)

    async def learn(self, session_id: str) -> Sequence[Extraction | ActsRead]:
        """Learn now from what waits of a session, and wait for it: how each run ended. Nothing where learning is off,
        `queued` where another Orca leads and does it."""
        wanted = Wanted(session_id=session_id, everything=True)
        jobs = [job for job in (self._learning.facts, self._learning.feedback) if job.is_on]
        return [event for job in jobs async for event in job.run(wanted) if event.state != "running"]

    async def remember(self, text: str, *, tags: Sequence[str] = ()) -> Addition:
        """Keep a statement about the user at once."""
        return await self._memories.add(text, tags=tags)

    async def run_consolidation(self, target: str | None = None) -> Sequence[Consolidated]:
        """Make knowledge of what is due, or of one target, now; what became of each run."""
        return [event async for event in self._learning.knowledge.run(target)]

    async def _rounds(self, session_id: str) -> list[Round]:
        try:
            await self._stores.sessions.session(session_id)
        except NotFound:  # nothing was said in it yet
            return []
        return await self._stores.sessions.rounds(session_id, last=LOOKED_AT)


FOUND = 5
"""So many memories a keyword, and for a conversation."""
MAX_QUERY_CHARS = 2000
NOTHING_NEAR = "nothing near enough was found"
ToolMemory = Callable[[str], Awaitable[ToolsFound]]


class AgentTools:
    """The tools of an agent, in one session of one scope."""

    def __init__(self, memory: AgentMemory, tool_memory: ToolMemory, session_id: str) -> None:
        self._memory = memory
        self._tool_memory = tool_memory
        self._session_id = session_id

    async def call(self, name: str, given: Mapping[str, Any]) -> ToolAnswer:
        """Answer a tool by its name, with what a model gave it. Raises InvalidInput where that is of another type."""
        method = getattr(self, name)
        hints = get_type_hints(method)
        try:
            arguments = {each: msgspec.convert(value, hints[each]) for each, value in given.items()}
        except (KeyError, msgspec.ValidationError) as error:
            raise InvalidInput(template="{tool}: {detail}", tool=name, detail=str(error)) from error
        answer: ToolAnswer = await method(**arguments)
        return answer

    async def record_to_memory(self, thinking: str, content: Sequence[str]) -> ToolAnswer:  # noqa: ARG002  # the agent's own: it is asked for, and not kept
        """What an agent wants remembered of the user waits for the user: it is no word of the user's."""
        additions = (await self._memory.propose(self._session_id, content)).additions
        if not additions:
            return ToolAnswer(note="there was nothing to record")
        dropped = tuple(each.memory.content for each in additions if each.outcome is Added.DROPPED)
        waiting = sum(each.outcome in (Added.CREATED, Added.RESTORED) for each in additions)
        known = len(additions) - waiting - len(dropped)
        found = tuple(each.memory.id for each in additions if each.outcome is not Added.DROPPED)
        note = f"{waiting} recorded, {known} known already, {len(dropped)} refused; the user confirms what is recorded"
        return ToolAnswer("", found, dropped, note)

    async def retrieve_from_memory(self, keywords: Sequence[str]) -> ToolAnswer:
        """What is remembered near each keyword, every memory once."""
        asked = [each.strip() for each in dict.fromkeys(keywords) if each.strip()]
        found: dict[int, Memory] = {}
        nothing_for = []
        for keyword in asked:
            result = await self._search(keyword)
            hits = result.hits
            found.update((hit.memory.id, hit.memory) for hit in hits if hit.memory.id not in found)
            if not hits:
                nothing_for.append(keyword)
        nothing = "no keyword was given" if not asked else NOTHING_NEAR
        return _told(list(found.values()), nothing_for, nothing)

    async def retrieve(self, messages: Sequence[Mapping[str, Any]]) -> ToolAnswer:
        """What is remembered near what was said last, by whomever."""
        said = [each["content"] for each in messages if isinstance(each.get("content"), str)]
        asked = "\n".join(said)[-MAX_QUERY_CHARS:].strip()
        if not asked:
            return ToolAnswer(note="no message was given")
        result = await self._search(asked)
        return _told([hit.memory for hit in result.hits], [], NOTHING_NEAR)

    async def record(self, messages: Sequence[Any]) -> ToolAnswer:
        """Keeps what was said, each message under its true role, once however often it is sent; one that is none is
        refused by itself."""
        kept = await self._memory.save_messages(self._session_id, messages)
        said = [f"rounds {', '.join(map(str, kept.rounds))} kept" if kept.rounds else "nothing new"]
        said += [f"{kept.known} known already"] if kept.known else []
        return ToolAnswer(
            nothing_for=tuple(f"message {place}: {why}" for place, why in kept.refused), note=", ".join(said)
        )

    async def tool_memory_retrieve(self, query: str) -> ToolAnswer:
        """What is known of the tools that are named, between commas."""
        known = await self._tool_memory(query)
        written = [each for each in known.found if each.guide is not None]
        unwritten = tuple(each.figures.tool for each in known.found if each.guide is None)
        note = "" if written else "no guide of these tools is written yet" if unwritten else "these tools are not known"
        return ToolAnswer(
            "\n\n---\n\n".join(map(_guide_text, written)),
            tuple(each.figures.tool for each in written),
            (*known.unknown, *unwritten),
            note,
        )

    async def _search(self, query: str) -> SearchResult:
        return await self._memory.search_memories(query, FOUND)


def _told(memories: Sequence[Memory], nothing_for: Sequence[str], nothing: str) -> ToolAnswer:
    """One line a memory, with the name by which it is cited: a memory can not look like two."""
    lines = [f"- [{memory_ref(each.id)}] {' '.join(each.content.split())}" for each in memories]
    found = tuple(each.id for each in memories)
    return ToolAnswer("\n".join(lines), found, tuple(nothing_for), "" if memories else nothing)


def _guide_text(view: GuideView) -> str:
    figures = view.figures
    rate = f"{figures.calls} calls, {figures.success_rate:.0%} succeeded"
    return f"Tool: {figures.tool} ({rate})\n{view.guide.text if view.guide else ''}"

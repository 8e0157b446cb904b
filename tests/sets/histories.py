"""Plays sessions, one after the other, through a real Orca: what is learnt, forgotten and recalled in the end."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path

from fakes.clocks import StillClock
from fakes.facts import learn
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, turn
from msgspec import Struct, field

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.llm.vector_cache import CachedEmbedder
from orca_core.model.events import ForgetProposed, Injected
from orca_core.model.learning import Answer, Learnt
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.model.memories import Memory, State
from orca_core.model.record_types import MEMORY
from orca_core.orca import Orca
from orca_core.rules.learning.fact_extraction import ended
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.spelling import folded
from orca_core.settings import ExtractSettings, InjectSettings, MemoryAgentSettings, MemorySettings, Settings
from orca_core.store.sqlite.store import open_stores

from sets import verifiers  # isort: skip
from sets.reading import Chat, Claim, History, likeness  # isort: skip
from sets.verifiers import REPLACES, Asked, Verifier  # isort: skip

Noted = Callable[[Asked, ChatRequest], None]

DAYS_BETWEEN_S = 3 * 86_400 + 5000
SETTINGS = Settings(
    memory=MemorySettings(inject=InjectSettings(lookups=0)),
    memory_agent=MemoryAgentSettings(extract=ExtractSettings(batch_size=50)),
)
"""What is recalled is what rules bring: no model looks up more."""
"""A session is read in one run, after its end."""


class AgentOfASet:
    """Proposes what the set proposes of a session; asked as a verifier, it answers as `verifier` does."""

    provider = "sets"
    model = "sets"
    endpoint = "http://sets/v1"
    context_tokens = 64_000
    is_demo = False

    def __init__(self, history: History, verifier: Verifier, note: Noted | None = None) -> None:
        self.history = history
        self.session = 1
        self._verifier = verifier
        self._note = note

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        material = request.messages[-1].content
        asked = _asked_in(material)
        said = self._facts(material) if asked is None else self._verified(request, *asked)
        yield TextDelta(json.dumps(said, ensure_ascii=False))
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None

    def _facts(self, material: str) -> dict[str, object]:
        """Those that stand on a round that is read now."""
        chat = self.history.chats[self.session - 1]
        rounds = {int(number) for number in re.findall(r'"round": (\d+)', material)}
        return {"facts": [claim.item for claim in chat.claims.values() if _round_of(claim, chat) in rounds]}

    def _verified(self, request: ChatRequest, says: Mapping[int, str], known: Mapping[int, str]) -> dict[str, object]:
        """The answers about what is asked, as a model writes them."""
        found = {number: session for number in says if (session := self._claim(says[number])) is not None}
        asked = Asked(
            self.history.name,
            tuple(claim for _, claim in found.values()),
            known,
            min((session for session, _ in found.values()), default=self.session),
        )
        if self._note is not None:
            self._note(asked, request)
        answers = self._verifier(asked)
        return {
            "answers": [
                _written(number, answers[place]) for place, number in enumerate(found, start=1) if place in answers
            ]
        }

    def _claim(self, says: str) -> tuple[int, Claim] | None:
        """The claim that a statement was made of, and its session: the latest that is proposed so far."""
        for number in range(self.session, 0, -1):
            for claim in self.history.chats[number - 1].claims.values():
                if folded(says) in (folded(clean_memory(claim.content)), folded(ended(_retracted(claim)))):
                    return number, claim
        return None


def _retracted(claim: Claim) -> str:
    return str(claim.item.get("retract") or "-")


def _asked_in(material: str) -> tuple[Mapping[int, str], Mapping[int, str]] | None:
    """What a verifier is asked about, and the known notes; None where it is another question."""
    try:
        found = json.loads(material)
    except ValueError:
        return None
    facts = found.get("facts") if isinstance(found, dict) else None
    if not facts or "fact" not in facts[0]:
        return None
    known = {note["id"]: note["text"] for note in found.get("known", [])}
    return {each["fact"]: each["says"] for each in facts}, known


def _written(number: int, answer: Answer) -> dict[str, object]:
    known = None if answer.relation is None else {"id": answer.known, "relation": answer.relation.value}
    return {"fact": number, "words": answer.words, "why": answer.why, "says_so": answer.says_so, "known": known}


def _round_of(claim: Claim, chat: Chat) -> int:
    holding = [
        number
        for number, said in enumerate(chat.said, start=1)
        if any(claim.quote and claim.quote in span.text for span in said.spans)
    ]
    return holding[0] if holding else 1


class Played(Struct):
    """What came of a history: the memory that each fact ended as, and what was done to which."""

    history: History
    memory_of: dict[str, int] = field(default_factory=dict)
    outcome_of: dict[str, str] = field(default_factory=dict)
    memories: dict[int, Memory] = field(default_factory=dict)
    """As they are after the last session."""
    carried_out: dict[str, str] = field(default_factory=dict)
    """By the fact that names an older one to replace or retract: empty where it was done, else what was not."""
    forgotten: dict[int, tuple[set[int], set[int]]] = field(default_factory=dict)
    """By session: the memories meant, and those that were proposed."""
    recalled: tuple[int, ...] = ()
    left_out: dict[int, str] = field(default_factory=dict)
    """Memories that were considered for the question, and why they did not come to mind."""

    def claim(self, fact: str) -> Claim:
        return next(chat.claims[fact] for chat in self.history.chats if fact in chat.claims)


async def play(history: History, home: Path, verifier: Verifier = verifiers.right, note: Noted | None = None) -> Played:
    """All sessions, and the question in a new one. `note` hears every question to the verifier."""
    clock, agent = StillClock(), AgentOfASet(history, verifier, note)
    answers = [says(each.assistant) for chat in history.chats for each in chat.said]
    stores = await open_stores(home / "orca.db", scope=SETTINGS.profile, must_exist=False)
    orca = Orca(
        SETTINGS,
        stores,
        model=lambda: ScriptedModel(*answers, says("ok")),
        agent=lambda: agent,
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=clock,
    )
    played = Played(history)
    try:
        for number, chat in enumerate(history.chats, start=1):
            agent.session = number
            await _play_chat(orca, chat, number, played)
            clock.advance(DAYS_BETWEEN_S)
        events = await turn(orca, history.question, session_id="asked")
        _note_what_was_recalled(of(events, Injected), played)
    finally:
        await orca.aclose()
    return played


async def _play_chat(orca: Orca, chat: Chat, number: int, played: Played) -> None:
    earlier = dict(played.memory_of)
    for said in chat.said:
        events = await turn(orca, *said.spans, session_id=f"s{number}")
        for proposal in of(events, ForgetProposed) if chat.forget else ():
            meant, proposed = played.forgotten.setdefault(number, (set(), set()))
            meant |= {earlier.get(fact, 0) for fact in chat.forget}
            proposed |= set(proposal.proposed)
            await orca.memories.archive(sorted(meant & proposed))
    if chat.forget:
        played.forgotten.setdefault(number, ({earlier.get(fact, 0) for fact in chat.forget}, set()))
    for event in await learn(orca):
        assert event.verification is None or event.verification.failure is None, event
        _place(chat, event.learnt, played, await _all(orca, event.learnt))
    await orca.worker.tidy()
    ids = sorted(set(played.memory_of.values()))
    played.memories = {memory.id: memory for memory in await orca.memories.get(ids)}
    for fact, claim in chat.claims.items():
        _note_what_was_named(fact, claim, number, earlier, played)


async def _all(orca: Orca, learnt: Learnt) -> dict[int, Memory]:
    ids = [*learnt.confirmed, *(each.memory.id for each in (*learnt.stored, *learnt.candidates))]
    return {memory.id: memory for memory in await orca.memories.get(sorted(set(ids)))}


def _place(chat: Chat, learnt: Learnt, played: Played, touched: dict[int, Memory]) -> None:
    """Which memory each fact ended as: the one of its text, else the likest one that the run confirmed."""
    ids = {memory.content: memory.id for memory in touched.values()}
    dropped = {each.content: each.reason for each in learnt.dropped}
    named = {clean_memory(claim.content) for claim in chat.claims.values()}
    others = [memory for memory in touched.values() if memory.content not in named]
    for fact, claim in chat.claims.items():
        content = clean_memory(claim.content)
        if content in ids:
            memory = touched[ids[content]]
            played.memory_of[fact] = memory.id
            played.outcome_of[fact] = f"held: {memory.held_because}" if memory.state is State.CANDIDATE else "live"
        elif content in dropped:
            played.outcome_of[fact] = f"dropped: {dropped[content]}"
        elif others and fact not in played.outcome_of:
            likest = max(others, key=lambda memory: likeness(memory.content, content))
            played.memory_of[fact] = likest.id
            played.outcome_of[fact] = f"confirmed “{likest.content}”"


def _note_what_was_named(fact: str, claim: Claim, number: int, earlier: dict[str, int], played: Played) -> None:
    """Whether the older memory that a fact replaces or retracts went: the likest of the sessions before."""
    named = str(claim.item.get("replace") or claim.item.get("retract") or "")
    if claim.relation is not None and claim.relation[1] == REPLACES:
        named = claim.relation[0]
    older = [old for chat in played.history.chats[: number - 1] for old in chat.claims]
    if not named or not older:
        return
    old_fact = max(older, key=lambda fact: likeness(played.claim(fact).content, named))
    if old_fact not in earlier:
        played.carried_out[fact] = f"the older one was never learnt: {played.outcome_of.get(old_fact, 'not proposed')}"
        return
    old = played.memories[earlier[old_fact]]
    new = played.memories.get(played.memory_of.get(fact, 0))
    outcome = played.outcome_of.get(fact, "not proposed")
    if claim.item.get("retract"):
        done = old.state is State.ARCHIVED
    else:
        done = old.state is State.ARCHIVED and new is not None and new.state is State.LIVE
    played.carried_out[fact] = "" if done else f"the older one is {old.state.value}, the newer one {outcome}"


def _note_what_was_recalled(injected: Sequence[Injected], played: Played) -> None:
    """The memories that were put before the model, and those that were considered."""
    for event in injected[-1:]:
        found = event.injection
        played.recalled = tuple(item.ref.id for item in found.injected if item.ref.kind == MEMORY)
        played.left_out = {item.ref.id: item.reason for item in found.dropped if item.ref.kind == MEMORY}

"""What an agent tells of a conversation: its messages, as often as it sends them, and what it wants remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.learning import ProposedFact
from orca_core.model.llm import Clock
from orca_core.model.memories import Addition, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.sessions import Round, checked_session_id
from orca_core.model.tools import MessagesKept, Proposed
from orca_core.model.views import Role
from orca_core.rules.learning.agent.transcripts import Testimony, testimony
from orca_core.rules.learning.provenance.judging import Held, judge
from orca_core.rules.learning.provenance.wordings import compare, wording_of
from orca_core.rules.requests.remembering import remembered_type
from orca_core.rules.text import cleaning
from orca_core.rules.work.contexts import fresh, messages_of
from orca_core.store.protocols import DialogueStore, MemoryStore

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


class Telling:
    """`save` keeps one message, `changed` is called after what was new."""

    def __init__(
        self,
        save: Callable[[str, str, str], Awaitable[int]],
        dialogues: DialogueStore,
        memories: MemoryStore,
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._save = save
        self._dialogues = dialogues
        self._memories = memories
        self._changed = changed
        self._clock = clock

    async def messages(self, session_id: str, messages: Sequence[Any]) -> MessagesKept:
        """Those that are new, each under the role that it has. What no user or assistant said is refused."""
        checked_session_id(session_id)
        read, refused = _read(messages)
        rounds = await self._rounds(session_id)
        stored = [(each.role.value, each.content) for each in messages_of(rounds)]
        new = fresh(stored, [said for _place, said in read], is_whole=len(rounds) < LOOKED_AT)
        numbers: list[int] = []
        for place, (role, said) in read[len(read) - len(new) :]:
            try:
                numbers.append(await self._save(session_id, role, said))
            except InvalidInput as error:
                refused.append((place, error.message))
        return MessagesKept(tuple(dict.fromkeys(numbers)), len(read) - len(new), tuple(sorted(refused)))

    async def propose(self, session_id: str, contents: Sequence[str]) -> Proposed:
        """Statements about the user, each as a candidate: an agent's words make nothing live. Raises InvalidInput."""
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
            added.append(await self._memories.add(_candidate(each, session_id, rounds), header))
        if added:
            self._changed()
        return Proposed(tuple(added))

    async def _rounds(self, session_id: str) -> list[Round]:
        try:
            await self._dialogues.session(session_id)
        except NotFound:  # nothing was said in it yet
            return []
        return await self._dialogues.rounds(session_id, last=LOOKED_AT)


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

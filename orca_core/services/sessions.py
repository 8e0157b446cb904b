"""Looking back: sessions, their rounds, the search in them, and why a turn got what it got."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Appearance, Receipt
from orca_core.model.record_types import Ref
from orca_core.model.sessions import (
    FoundMessage,
    MessageHit,
    MessageQuery,
    MessagesFound,
    MessageSort,
    MessagesSought,
    NewSession,
    Round,
    Session,
    SessionById,
    SessionChoice,
    Speaker,
    new_session_id,
)
from orca_core.operations.message_search import MessageSearch
from orca_core.operations.sessions import SessionStore
from orca_core.operations.stores import Stores
from orca_core.rules.text.literal_search import LiteralSearch, read_search, snippet_of


async def find_messages(messages: MessageSearch, dialogues: SessionStore, query: MessageQuery) -> MessagesFound:
    """The messages that hold every word, each with the piece of it that shows them. Raises InvalidInput where nothing
    can be looked for, NotFound where there is no such session."""
    sought = read_search(query.text)
    if query.session_id is not None:
        await dialogues.session(query.session_id)
    wanted = MessagesSought(
        sought.phrases,
        query.limit + 1,  # one more tells whether there are more
        session_id=query.session_id,
        speaker=query.speaker,
        best_first=query.sort is MessageSort.BEST,
    )
    held = await messages.find(wanted, sought.judge)
    hits = tuple(_hit(each, sought) for each in held.messages[: query.limit])
    return MessagesFound(hits, len(held.messages) > query.limit, held.unsearched)


def _hit(found: FoundMessage, sought: LiteralSearch) -> MessageHit:
    speaker = Speaker(found.role)
    snippet = snippet_of(found.content, sought)
    return MessageHit(found.session_id, found.title, found.round, speaker, found.at, snippet)


class Sessions:
    """What was said, and the receipts of it."""

    def __init__(self, stores: Stores, clock: Clock) -> None:
        # What the stores answer as it is asked here.
        self.list, self.latest = stores.sessions.sessions, stores.sessions.latest_session
        self.receipts, self.questions = stores.sessions.receipts, stores.sessions.questions
        self._receipts = stores.sessions
        self._sessions = stores.sessions
        self._messages = stores.messages
        self._clock = clock

    async def latest_or_new(self) -> SessionChoice:
        """The session that a chat without a named one continues: the latest, or a new one where there is none."""
        latest = await self.latest()
        return NewSession() if latest is None else SessionById(latest.id)

    async def show(
        self, session_id: str, last: int | None = None, *, after: int = 0, below: int | None = None
    ) -> tuple[Session, tuple[Round, ...]]:
        """A session and its rounds, oldest first; of those past number `after` and `below` another only the `last`
        ones, where given. Raises NotFound."""
        session = await self._sessions.session(session_id)
        if last == 0:
            return session, ()
        return session, tuple(await self._sessions.rounds(session_id, last, after=after, below=below))

    async def rename(self, session_id: str, title: str) -> Session:
        """Raises NotFound, or InvalidInput where the name is empty."""
        if not title.strip():
            raise InvalidInput(template="a chat's name can't be empty")
        return await self._sessions.rename(session_id, title)

    async def delete(self, session_id: str) -> bool:
        """Delete a session and its messages for good; what was learnt from it stays. Raises NotFound."""
        header = OperationHeader(Actor.USER, "delete", self._clock.now())
        return await self._sessions.delete(session_id, header)

    async def fork(self, session_id: str, through: int) -> Session:
        """Fork: a new session that begins as a copy up to this round. Raises NotFound."""
        now = self._clock.now()
        return await self._sessions.fork(session_id, through, new_session_id(now), now)

    async def search(self, query: MessageQuery) -> MessagesFound:
        """Messages that hold every word. Raises InvalidInput, or NotFound for a session that is not there."""
        return await find_messages(self._messages, self._sessions, query)

    async def receipt(self, session_id: str | None = None, number: int | None = None) -> Receipt:
        """The receipt of the round named, else of the latest. Raises NotFound."""
        return await self._receipts.receipt(session_id, number)

    async def appearances(self, ref: Ref, limit: int = 100) -> Sequence[Appearance]:
        """When a memory was put before the model, why, and what the answers did with it; newest first."""
        return await self._receipts.appearances(ref, limit)

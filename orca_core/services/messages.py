"""Searching what was said."""

from __future__ import annotations

from orca_core.model.sessions import (
    FoundMessage,
    MessageHit,
    MessageQuery,
    MessagesFound,
    MessageSort,
    MessagesSought,
    Speaker,
)
from orca_core.rules.text.snippets import snippet_of
from orca_core.rules.text.sought import Sought, read_search
from orca_core.store.protocols import DialogueStore, MessageSearch


async def find_messages(messages: MessageSearch, dialogues: DialogueStore, query: MessageQuery) -> MessagesFound:
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


def _hit(found: FoundMessage, sought: Sought) -> MessageHit:
    speaker = Speaker(found.role)
    snippet = snippet_of(found.content, sought)
    return MessageHit(found.session_id, found.title, found.round, speaker, found.at, snippet)

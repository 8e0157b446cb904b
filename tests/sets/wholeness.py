"""What is wrong with a folder of sets itself: before a figure is believed, its truth must hold together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sets.reading import HONEST, TYPED_CONDITION, Chat, Claim, Conversation, History, SetFolder


def faults(folder: SetFolder) -> list[str]:
    """Each as a line; empty where all is well."""
    conversations, histories = folder.conversations(), folder.histories()
    names = Counter(each.name for each in (*conversations, *histories))
    return [
        *(f"{name}: named {count} times" for name, count in names.items() if count > 1),
        *(fault for each in conversations for fault in _faults_of_conversation(each)),
        *(fault for each in histories for fault in _faults_of_history(each)),
        *(f"{row['text']}: both wishes" for row in folder.rows("wishes") if row["remember"] and row["forget"]),
        *(f"{row['a']}: twice the same text" for row in folder.rows("pairs") if row["a"] == row["b"]),
    ]


def _faults_of_conversation(conversation: Conversation) -> Iterator[str]:
    for claim in conversation.claims:
        yield from _faults_of_claim(conversation.name, claim)


def _faults_of_claim(name: str, claim: Claim) -> Iterator[str]:
    if claim.live != (claim.why in (HONEST, TYPED_CONDITION)):
        yield f"{name}: {claim.content}: live is {claim.live}, why is {claim.why}"


def _faults_of_history(history: History) -> Iterator[str]:
    ids = [fact for chat in history.chats for fact in chat.claims]
    yield from (f"{history.name}: {fact} is given twice" for fact, count in Counter(ids).items() if count > 1)
    named = {*history.expect, *history.never, *(fact for chat in history.chats for fact in chat.forget)}
    yield from (f"{history.name}: {fact} is no fact of it" for fact in sorted(named - set(ids)))
    if set(history.expect) & set(history.never):
        yield f"{history.name}: a fact is expected and must never come"
    for chat in history.chats:
        yield from _faults_of_chat(history.name, chat)


def _faults_of_chat(name: str, chat: Chat) -> Iterator[str]:
    for claim in chat.claims.values():
        yield from _faults_of_claim(name, claim)

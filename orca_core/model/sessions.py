"""Sessions and their rounds, and the search in what was said. A round is a question and its answer; an attempt is one
try at it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.llm import Finish, Span, Usage
from orca_core.model.memories import Addition, Memory, NewMemory, NewShortTerm, Use
from orca_core.model.recall import Citation, Receipt, WeightMove
from orca_core.model.record_types import Cause, Ref

MAX_SESSION_ID_CHARS = 128
"""It bounds what a command line and a list have to show. Chosen by hand."""


def checked_session_id(session_id: str) -> str:
    """The id as it is. Raises InvalidInput where it can name no session."""
    is_name = (
        0 < len(session_id) <= MAX_SESSION_ID_CHARS and session_id.isprintable() and session_id == session_id.strip()
    )
    if not is_name or "/" in session_id or "\\" in session_id or not session_id.strip("."):
        raise InvalidInput(
            template="{name} can't name a session",
            hint="letters, digits, points and dashes, at most {most} characters: orca session list shows them",
            name=quoted(session_id),
            most=MAX_SESSION_ID_CHARS,
        )
    return session_id


_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_session_id(now: datetime) -> str:
    """A session's name: when it began, and enough chance that two Orcas never meet. Sorts by time."""
    return f"{now:%Y%m%d-%H%M%S}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"


class RoundState(StrEnum):
    STREAMING = "streaming"
    DONE = "done"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class Session(Struct, frozen=True):
    id: str
    title: str
    created_at: datetime
    rounds: int


class Round(Struct, frozen=True):
    """A round as it stands now: its latest attempt. `assistant` is empty where nothing was answered, `cause` where
    there is nothing to say of how it ended."""

    id: int
    session_id: str
    number: int
    attempt: int
    user: str
    spans: tuple[Span, ...]
    assistant: str
    state: RoundState
    at: datetime
    model: str = ""
    citations: tuple[Citation, ...] = ()
    cause: Cause | None = None


class RoundStart(Struct, frozen=True):
    """What is saved before the model is asked: one transaction. `session_id` is made if there is none by that name;
    `replaces` is the number of the round that this attempt takes the place of; a session that it `continues` is not
    made anew where it was deleted a moment ago; `remember` is stored with it. Where it `is_act` the message is noted
    among the user's acts."""

    session_id: str
    title: str
    spans: tuple[Span, ...]
    at: datetime
    replaces: int | None = None
    remember: NewMemory | None = None
    continues: bool = False
    is_act: bool = False


class StartedRound(Struct, frozen=True):
    """A round that was begun; `taken_back` are the weights that a replaced attempt had moved, restored, each with its
    memory as it is now."""

    id: int
    session_id: str
    number: int
    attempt: int
    remembered: Addition | None = None
    taken_back: tuple[tuple[WeightMove, Memory], ...] = ()


class RoundRecord(Struct, frozen=True):
    """All that a finished round leaves, written in one transaction. `uses` moves weights; the receipt's own
    `weights` are filled in by the store with what really moved, and by `core_threshold` with what came of it."""

    round_id: int
    answer: str
    reasoning: str
    citations: tuple[Citation, ...]
    finish: Finish
    usage: Usage | None
    model: str
    at: datetime
    estimated_prompt_tokens: int
    short_term: NewShortTerm | None
    short_term_max_items: int
    to_buffer: bool
    receipt: Receipt
    core_threshold: float
    uses: dict[Ref, Use] = field(default_factory=dict)
    cause: Cause | None = None


class RoundOutcome(Struct, frozen=True):
    """What recording a round did: weights that moved, each with the status that came of it, and which were archived."""

    moved: tuple[WeightMove, ...]
    archived: tuple[int, ...]
    buffered: int


class NewSession(Struct, frozen=True):
    """The turn begins a session of its own: no history of another goes with it."""


class SessionById(Struct, frozen=True):
    """The turn goes on in this session. Where there is none by that name it is refused, or made if it `may_be_new`."""

    id: str
    may_be_new: bool = False


SessionChoice = NewSession | SessionById
"""Where a turn belongs. It is always said: what looks like a new chat is one."""


class TurnRequest(Struct, frozen=True):
    """What a listener asks of one turn. `replaces` names the round that this turn is another attempt at. Of a private
    turn nothing is kept: its caller holds what was said before (`private_history`)."""

    spans: tuple[Span, ...]
    session: SessionChoice
    replaces: int | None = None
    system_prompt: str | None = None
    use_memory: bool = True
    is_private: bool = False
    private_history: tuple[Round, ...] = ()


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MessageSort(StrEnum):
    NEW = "new"
    BEST = "best"


class MessageQuery(Struct, frozen=True):
    """Which messages to find: those that hold every word of `text`, in one session or in all, said by one or by
    both."""

    text: str
    session_id: str | None = None
    speaker: Speaker | None = None
    sort: MessageSort = MessageSort.NEW
    limit: int = 20


class FoundMessage(Struct, frozen=True):
    """A message that holds what was looked for."""

    session_id: str
    title: str
    round: int
    role: str
    content: str
    at: datetime


class Snippet(Struct, frozen=True):
    """A piece of a message on one line, cleaned; `marks` are the places in it that hold what was looked for, each from
    its first character to behind its last, in order."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class MessageHit(Struct, frozen=True):
    """A message that was found, as it is shown."""

    session_id: str
    title: str
    round: int
    speaker: Speaker
    at: datetime
    snippet: Snippet


class MessagesFound(Struct, frozen=True):
    """`has_more` where further ones hold the words; `waiting` counts the messages that are not indexed yet, and were
    not searched."""

    hits: tuple[MessageHit, ...]
    has_more: bool = False
    waiting: int = 0


class MessageIndexState(Struct, frozen=True):
    """How the index stands to the messages. `missing` are neither in it nor wait to be, `orphans` are in it without a
    message that stands; `missed` are some of the rounds, by session and number, of what is missing."""

    indexed: int
    waiting: int
    missing: int
    orphans: int
    is_stale: bool = False
    """Whether it was made by other rules than those that search in it now."""
    is_damaged: bool = False
    """Whether it can't be searched at all."""
    missed: tuple[tuple[str, int], ...] = ()

    @property
    def is_in_step(self) -> bool:
        return not (self.missing or self.orphans or self.is_stale or self.is_damaged)


class Phrase(Struct, frozen=True):
    """Words that stand behind each other; where it `is_open` the last one may go on."""

    words: tuple[str, ...]
    is_open: bool = False


Judge = Callable[[str], int | None]
"""The rule that reads a message that may hold what is looked for (`rules.text.literal_search`): None where it does not,
else how many of the terms it holds as whole words."""


class MessagesSought(Struct, frozen=True):
    """Which messages a store is to find; what holds the terms that are looked for holds all of these phrases."""

    phrases: tuple[Phrase, ...]
    limit: int
    session_id: str | None = None
    speaker: Speaker | None = None
    best_first: bool = False


class MessagesHeld(Struct, frozen=True):
    """What a store found; `unsearched` are so many messages that wait to be indexed, where these are very many."""

    messages: tuple[FoundMessage, ...]
    unsearched: int = 0

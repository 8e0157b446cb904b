"""Sessions and their rounds. A round is a question and its answer; an attempt is one try at it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from orca_core.model.causes import Cause
from orca_core.model.memories import Addition, Memory, NewMemory, Use
from orca_core.model.messages import Finish, Span, Usage
from orca_core.model.recall import Citation, Receipt, WeightMove
from orca_core.model.refs import Ref
from orca_core.model.summaries import NewShortTerm


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

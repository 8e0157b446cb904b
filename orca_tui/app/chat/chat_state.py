"""The state of the current chat and of its turn, and the next state after each event. Pure."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.events import (
    Archived,
    Done,
    Event,
    Failed,
    ForgetProposed,
    Injected,
    LevelChanged,
    LookedUp,
    LookingUp,
    Referenced,
    Remembered,
    Reply,
    WeightMoved,
    injection_after,
)
from orca_core.model.llm import Cost, Finish, Span, Usage
from orca_core.model.recall import Injection, Level, Receipt, References
from orca_core.model.sessions import NewSession, Round, SessionById, SessionChoice
from orca_tui.words.turn_words import Move


class TurnView(Struct, frozen=True):
    """One turn: what memory put in, what the model looked up or is `looking` for, what became of it, how the answer
    ended. Of a weight that an answer given again
    moved anew, `moves` has that move alone: what the answer before it did is taken back."""

    injection: Injection | None = None
    references: References = References()
    moves: tuple[Move, ...] = ()
    archived: frozenset[int] = frozenset()
    remembered: tuple[Remembered, ...] = ()
    proposed: tuple[int, ...] | None = None
    usage: Usage | None = None
    cost: Cost | None = None
    seconds: float = 0.0
    level: LevelChanged | None = None
    was_cut: bool = False
    is_unsaved: bool = False
    looking: str = ""

    @property
    def has_looked(self) -> bool:
        """Whether the model looks something up, or did."""
        return bool(self.looking or (self.injection is not None and self.injection.lookups))


def turn_of(receipt: Receipt) -> TurnView:
    """A turn that is over, from its receipt."""
    return TurnView(injection=receipt.injection, references=receipt.references, moves=tuple(receipt.weights))


def turn_after(turn: TurnView, event: Event) -> TurnView:  # a table of events and the states after them
    """The turn with what the event says of it."""
    match event:
        case Injected() | LookedUp():
            return replace(turn, injection=injection_after(turn.injection, event), looking="")
        case LookingUp(query):
            return replace(turn, looking=query)
        case Referenced(references):
            return replace(turn, references=references)
        case WeightMoved(is_taken_back=False):
            others = tuple(each for each in turn.moves if each.ref != event.ref)
            return replace(turn, moves=(*others, event))
        case Archived(memory_id):
            return replace(turn, archived=turn.archived | {memory_id})
        case Remembered():
            return replace(turn, remembered=(*turn.remembered, event))
        case ForgetProposed(proposed):
            return replace(turn, proposed=proposed)
        case Reply():
            was_cut = event.finish is Finish.INTERRUPTED
            return replace(turn, usage=event.usage, cost=event.cost, seconds=event.seconds, was_cut=was_cut, looking="")
        case LevelChanged():
            return replace(turn, level=event)
        case Failed(kind="not_saved"):
            return replace(turn, is_unsaved=True)
        case Failed():
            return replace(turn, was_cut=True, looking="")
    return turn


class New(Struct, frozen=True):
    """A chat that begins with the next message."""


class Existing(Struct, frozen=True):
    """A stored chat. One that `may_be_new` could not be saved when it began."""

    id: str
    title: str = ""
    may_be_new: bool = False


class Private(Struct, frozen=True):
    """A private chat, of which nothing is stored: its rounds live in `rounds` alone. It may continue a stored chat."""

    rounds: tuple[Round, ...] = ()
    id: str | None = None
    title: str = ""


class Question(Struct, frozen=True):
    """A message as it was written: its text, and where each piece of it came from."""

    text: str
    spans: tuple[Span, ...]


class ChatState(Struct, frozen=True):
    """The current chat and its state. While it `is_opening` it is not known which chat the app starts with: messages
    sent meanwhile wait."""

    chat: New | Existing | Private = New()
    editing: int | None = None
    queue: tuple[Question, ...] = ()
    answering: bool = False
    is_opening: bool = True
    level: Level = Level.FULL
    system_prompt: str | None = None
    turn: TurnView = TurnView()

    @property
    def session_id(self) -> str | None:
        """The id of the current chat; None where it begins with the next message."""
        return None if isinstance(self.chat, New) else self.chat.id

    @property
    def is_unstored(self) -> bool:
        """Whether the chat has an id, and may be in no store yet."""
        return isinstance(self.chat, Existing) and self.chat.may_be_new

    @property
    def is_new(self) -> bool:
        """Whether the next message is known to be the first one of its chat."""
        return not self.is_opening and (self.session_id is None or self.is_unstored)

    @property
    def session(self) -> SessionChoice:
        """The chat that the next message belongs to."""
        if self.session_id is None:
            return NewSession()
        return SessionById(self.session_id, may_be_new=self.is_unstored)

    @property
    def title(self) -> str:
        return "" if isinstance(self.chat, New) else self.chat.title

    @property
    def is_private(self) -> bool:
        return isinstance(self.chat, Private)

    @property
    def private_rounds(self) -> tuple[Round, ...]:
        return self.chat.rounds if isinstance(self.chat, Private) else ()


class Begun(Struct, frozen=True):
    """The next message begins another chat, private as the one before or not."""

    is_private: bool


class Opened(Struct, frozen=True):
    """A chat that is kept goes on; `rounds` are what was said in it."""

    id: str
    title: str
    rounds: tuple[Round, ...] = ()


class Founded(Struct, frozen=True):
    """The new chat has a name before its first message: something belongs to it already."""

    id: str


class Recalled(Struct, frozen=True):
    """The memories of the latest turn of a chat that was opened."""

    id: str
    turn: TurnView


class StartDone(Struct, frozen=True):
    """The app has found the chat that it starts with."""


class Named(Struct, frozen=True):
    """The chat has another title."""

    title: str


class Waits(Struct, frozen=True):
    """A message was sent that can't go yet."""

    question: Question


class TakenBack(Struct, frozen=True):
    """The message that waits longest is sent (`first`), or the latest one goes back into the prompt."""

    first: bool


class Asked(Struct, frozen=True):
    """A turn begins."""


class Answered(Struct, frozen=True):
    """A private round is whole."""

    round: Round


class Ended(Struct, frozen=True):
    """The turn has ended."""


class Edits(Struct, frozen=True):
    """This message is being edited; None where none is any more."""

    number: int | None


class Instructed(Struct, frozen=True):
    """The chat has a system prompt of its own; None where it has the configured one."""

    system_prompt: str | None


Happened = (
    Begun
    | Opened
    | Founded
    | Recalled
    | StartDone
    | Named
    | Waits
    | TakenBack
    | Asked
    | Answered
    | Ended
    | Edits
    | Instructed
    | Event
)


def chat_after(state: ChatState, happened: Happened) -> ChatState:
    """The state after this has happened."""
    match happened:
        case Begun() | Opened() | Founded() | Recalled() | StartDone() | Named():
            return _after_change_of_chat(state, happened)
        case Waits(question):
            return replace(state, queue=(*state.queue, question))
        case TakenBack(first):
            return replace(state, queue=state.queue[1:] if first else state.queue[:-1])
        case Asked():
            return replace(state, turn=TurnView(), editing=None, answering=True)
        case Answered(round):
            return replace(state, chat=_with_round(state, round))
        case Ended():
            return replace(state, answering=False)
        case Edits(number):
            return replace(state, editing=number)
        case Instructed(system_prompt):
            return replace(state, system_prompt=system_prompt)
    return _after_event(state, happened)


ChangeOfChat = Begun | Opened | Founded | Recalled | StartDone | Named


def _after_change_of_chat(state: ChatState, happened: ChangeOfChat) -> ChatState:
    match happened:
        case Begun(is_private):
            return _left(replace(state, chat=Private() if is_private else New(), is_opening=False))
        case Opened():
            return _left(replace(state, chat=_opened(state, happened)))
        case Founded(id) if isinstance(state.chat, New):
            return replace(state, chat=Existing(id, may_be_new=True))
        case Recalled(id, turn) if id == state.session_id and state.turn == TurnView():
            return replace(state, turn=turn)
        case StartDone():
            return replace(state, is_opening=False)
        case Named(title) if not isinstance(state.chat, New):
            return replace(state, chat=replace(state.chat, title=title))
    return state


def _after_event(state: ChatState, event: Event) -> ChatState:
    turn = turn_after(state.turn, event)
    if turn is not state.turn:
        state = replace(state, turn=turn)
    match event:
        case Injected(injection):
            return replace(state, level=injection.level)
        case LevelChanged(level):
            return replace(state, level=level)
        case Done(session_id) if state.answering and not state.is_private:
            return replace(state, chat=Existing(session_id, state.title, may_be_new=state.turn.is_unsaved))
    return state


def _left(state: ChatState) -> ChatState:
    """The state without what belonged to the previous chat."""
    return replace(state, turn=TurnView(), editing=None)


def _opened(state: ChatState, opened: Opened) -> Existing | Private:
    """The chat with the round that is shown, for the model is sent what is shown, in private as well."""
    if state.is_private:
        return Private(opened.rounds, opened.id, opened.title)
    return Existing(opened.id, opened.title)


def _with_round(state: ChatState, round: Round) -> New | Existing | Private:
    if not isinstance(state.chat, Private):
        return state.chat
    before = tuple(each for each in state.chat.rounds if each.number < round.number)
    return replace(state.chat, rounds=(*before, round))

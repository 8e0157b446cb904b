"""What each type of act needs, whether it teaches, what it takes back, and what it can't stand beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import TAKE_BACK, Action, ActionRead, ActionType
from orca_core.model.memories import NewMemory, State
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY
from orca_core.model.sessions import checked_session_id
from orca_core.rules.memory import said_again
from orca_core.rules.text.cleaning import check_length, clean_memory
from orca_core.rules.text.letters import folded
from orca_core.rules.text.plain import plain_object

MAX_DATA_CHARS = 200_000
"""As much text is kept of what a client gives with an act."""
SHOWN = frozenset((MEMORY, EPISODE, KNOWLEDGE, GUIDE))
"""Kinds of records that a turn may be given, and that stay behind it."""
MAX_NAME_CHARS = 200
"""The most of a name that a client has for a message, a tool or a call. Chosen by hand."""


class About(StrEnum):
    """What an act is about. Two acts of one type are the same act where they are about the same thing."""

    MESSAGE = "message"
    RECORD = "record"
    SESSION = "session"
    TOOL = "tool"
    DIFFERENCE = "difference"
    QUERY = "query"
    NOTHING = "nothing"


class Kind(Struct, frozen=True):
    """`takes_back` are the types of acts about the same thing that no longer stand with it."""

    about: About
    teaches: bool = False
    takes_back: tuple[ActionType, ...] = ()


_LIKE, _DISLIKE = ActionType.LIKE, ActionType.DISLIKE

KINDS: Mapping[ActionType, Kind] = {
    ActionType.LIKE: Kind(About.MESSAGE, teaches=True, takes_back=(_DISLIKE,)),
    ActionType.DISLIKE: Kind(About.MESSAGE, teaches=True, takes_back=(_LIKE,)),
    ActionType.CANCEL_LIKE: Kind(About.MESSAGE, takes_back=(_LIKE,)),
    ActionType.CANCEL_DISLIKE: Kind(About.MESSAGE, takes_back=(_DISLIKE,)),
    ActionType.NOT_HELPFUL: Kind(About.RECORD),
    ActionType.CANCEL_NOT_HELPFUL: Kind(About.RECORD, takes_back=(ActionType.NOT_HELPFUL,)),
    ActionType.EDIT_ROADMAP: Kind(About.DIFFERENCE, teaches=True),
    ActionType.EDIT_FILE: Kind(About.DIFFERENCE, teaches=True),
    ActionType.START_CHAT: Kind(About.QUERY, teaches=True),
    ActionType.FOLLOWUP_CHAT: Kind(About.QUERY, teaches=True),
    ActionType.BREAK_CHAT: Kind(About.QUERY, teaches=True),
    ActionType.COLLECT_SESSION: Kind(About.SESSION, teaches=True),
    ActionType.UNCOLLECT_SESSION: Kind(About.SESSION, takes_back=(ActionType.COLLECT_SESSION,)),
    ActionType.COLLECT_TOOL: Kind(About.TOOL, teaches=True),
    ActionType.UNCOLLECT_TOOL: Kind(About.TOOL, takes_back=(ActionType.COLLECT_TOOL,)),
    ActionType.TASK_STOP: Kind(About.NOTHING),
    ActionType.EXECUTE_SHELL_COMMAND: Kind(About.NOTHING),
    ActionType.BROWSER_OPERATION: Kind(About.NOTHING),
}

_MARKED = (About.MESSAGE, About.RECORD, About.SESSION, About.TOOL)
MARKS = tuple(kind for kind, each in KINDS.items() if each.about in _MARKED)
"""Those that show as a mark on what they are about, while they stand."""


def action_type(word: str) -> ActionType:
    """Raises InvalidInput for a word that names none."""
    try:
        return ActionType(word.strip().upper())
    except ValueError:
        raise InvalidInput(
            template="there is no action {word}",
            hint="one of {known}",
            word=word,
            known=", ".join(each.value for each in ActionType),
        ) from None


def teaches(action: Action) -> bool:
    """Whether the memory agent reads it: not what shows nothing by itself, nor what has nothing to be read."""
    kind = KINDS[action.type]
    if kind.about is About.DIFFERENCE and action.data.get("previous") == action.data.get("current"):
        return False
    if kind.about is About.QUERY and not str(action.data.get("query") or "").strip():
        return False  # a round of Orca's own is read with its session, as any round is
    return kind.teaches


def checked(action: Action) -> Action:
    """With names cleaned, and how it will be read. Raises InvalidInput where it does not say what it is about, or says
    it with what can be no name, no number, or no JSON."""
    action = _cleaned(action)
    _must_say_what(action, KINDS[action.type].about)
    size = len(str(action.data))
    if size > MAX_DATA_CHARS:
        raise InvalidInput(
            template="{action} came with {size:,} characters, at most {most:,} are taken",
            action=action.type.value,
            size=size,
            most=MAX_DATA_CHARS,
        )
    waits = ActionRead.WAITING if teaches(action) else ActionRead.NEVER
    return replace(action, read=waits)


def is_same(one: Action, other: Action) -> bool:
    """Whether both are about the same thing: the same attempt of a round or message, a record in it, session or call of
    a tool, as far as both name it. A difference and a query are each their own."""
    about = KINDS[one.type].about
    if one.session_id != other.session_id:
        return False
    if about is About.MESSAGE:
        return _agree(_message_of(one), _message_of(other))
    if about is About.RECORD:
        return one.record is not None and one.record == other.record and _agree(_message_of(one), _message_of(other))
    if about is About.TOOL:
        return _agree((one.task, *_message_of(one)), (other.task, *_message_of(other))) and _is_same_call(one, other)
    return about is About.SESSION


def taken_back_by(action: Action, standing: Sequence[Action]) -> list[Action]:
    """Of the acts that stand, those that no longer do with this one."""
    types = KINDS[action.type].takes_back
    return [each for each in standing if each.type in types and is_same(each, action)]


def stands_already(action: Action, standing: Sequence[Action]) -> Action | None:
    """The act that says just the same. One that only takes back is always taken."""
    kind = KINDS[action.type]
    if action.type in TAKE_BACK or kind.about in (About.DIFFERENCE, About.QUERY, About.NOTHING):
        return None
    return next((each for each in standing if each.type is action.type and is_same(each, action)), None)


def outlived(standing: Sequence[Action]) -> list[Action]:
    """Of acts that stand, oldest first, those that can't stand beside a newer one, or say just what that says."""
    return [each for place, each in enumerate(standing) if any(_outlives(then, each) for then in standing[place + 1 :])]


def _outlives(newer: Action, older: Action) -> bool:
    if newer.type in TAKE_BACK:
        return False  # what it took back may be brought back since
    return bool(taken_back_by(newer, [older]) or stands_already(newer, [older]))


def source_of(action: Action) -> str:
    """What a support by this act rests on: acts on one round, whatever task they name, and what was read out of that
    round, are one."""
    about = KINDS[action.type].about
    if about is About.SESSION:
        return source_of_session(action.session_id)
    if action.round is not None:
        return source_of_round(action.session_id, action.round)
    if action.task is not None:
        return f"task {action.task}"
    if action.message:
        return f"message {action.session_id} {action.message}"
    return f"act {action.uid}"


def source_of_session(session_id: str) -> str:
    return f"session {session_id}"


def speaks_at(at: datetime, received: datetime, round_began: datetime | None) -> datetime:
    """When an act began to speak. A client names the time `at` of it: none is before the round that it is about, and
    where that is no round of Orca's own, the time counts at which Orca received it."""
    return received if round_began is None else max(at, round_began)


def source_of_round(session_id: str, number: int) -> str:
    return f"round {session_id} {number}"


_LACK_PROOF = (said_again.NOT_SAID, said_again.UNREAD)


def may_speak(new: NewMemory) -> bool:
    """Whether the round that a fact was read out of speaks for it: where its words may live, or lack proof alone."""
    return new.state is State.LIVE or new.held_because in _LACK_PROOF


def _message_of(action: Action) -> tuple[object, ...]:
    return action.round, action.round_id, action.message or None


def _agree(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether both say something of the same, and nothing that differs: each may leave out what the other says."""
    both = [pair for pair in zip(one, other, strict=True) if None not in pair]
    return bool(both) and all(mine == yours for mine, yours in both)


def _is_same_call(one: Action, other: Action) -> bool:
    """A call that is not said is any call of the tool, a tool that is not said is any tool."""
    tools, calls = {folded(one.tool), folded(other.tool)} - {""}, {one.call, other.call} - {""}
    return len(tools) <= 1 and len(calls) <= 1


def _cleaned(action: Action) -> Action:
    if action.session_id:
        checked_session_id(action.session_id)
    for field in ("round", "round_id", "task"):
        number = getattr(action, field)
        if number is not None and not 1 <= number < 2**63:
            raise InvalidInput(template="{field} must be a whole number from 1 on", field=field)
    return replace(
        action,
        message=_name("message", action.message),
        tool=_name("tool", action.tool),
        call=_name("call", action.call),
        data=plain_object(action.data),
    )


def _name(field: str, given: str) -> str:
    name = clean_memory(given)
    check_length(name, field, MAX_NAME_CHARS)
    return name


def _names_a_record(action: Action) -> bool:
    """Whether it names one that a turn may be given and that stays behind it."""
    return action.record is not None and action.record.kind in SHOWN and 1 <= action.record.id < 2**63


def _must_say_what(action: Action, about: About) -> None:
    word = action.type.value
    if not action.session_id and about is not About.NOTHING:
        raise InvalidInput(template="{action} needs the session that it is about", action=word)
    is_of_a_task = about is About.TOOL and action.task is not None
    is_of_a_round = about in (About.MESSAGE, About.RECORD, About.TOOL) and not is_of_a_task
    if is_of_a_round and action.round is None and not action.message:
        raise InvalidInput(template="{action} needs the round or the message that it is about", action=word)
    if about is About.RECORD and not _names_a_record(action):
        raise InvalidInput(
            template="{action} needs the memory, episode, knowledge or guide that it is about",
            action=word,
        )
    if about is About.TOOL and not action.tool and action.type not in TAKE_BACK:
        raise InvalidInput(template="{action} needs the name of the tool", action=word)
    if about is About.DIFFERENCE and not {"previous", "current", "operation"} & set(action.data):
        raise InvalidInput(template="{action} needs what was there before and after", action=word)

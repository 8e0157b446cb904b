"""Know feedback by its type: what each act needs, whether it teaches, what it takes back, what it can't stand beside;
and who wrote what of the texts that acts refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import TAKE_BACK, ActBatch, Action, ActionType, ReadingState
from orca_core.model.llm import Source, Span
from orca_core.model.memories import NewMemory, State
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY
from orca_core.model.sessions import Round, RoundState, checked_session_id
from orca_core.rules.memory import said_again
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import check_length, clean_memory, plain_object
from orca_core.rules.text.spelling import folded

MAX_DATA_CHARS = 200_000
"""As much text is kept of what a client gives with an act."""
SHOWN = frozenset((MEMORY, EPISODE, KNOWLEDGE, GUIDE))
"""Kinds of records that a turn may be given, and that stay behind it."""
MAX_NAME_CHARS = 200
"""The most of a name that a client has for a message, a tool or a call. Chosen by hand."""


class ActSubject(StrEnum):
    """What an act is about. Two acts of one type are the same act where they are about the same thing."""

    MESSAGE = "message"
    RECORD = "record"
    SESSION = "session"
    TOOL = "tool"
    DIFFERENCE = "difference"
    QUERY = "query"
    NOTHING = "nothing"


class ActRule(Struct, frozen=True):
    """`takes_back` are the types of acts about the same thing that no longer stand with it."""

    about: ActSubject
    teaches: bool = False
    takes_back: tuple[ActionType, ...] = ()


_LIKE, _DISLIKE = ActionType.LIKE, ActionType.DISLIKE

ACT_RULES: Mapping[ActionType, ActRule] = {
    ActionType.LIKE: ActRule(ActSubject.MESSAGE, teaches=True, takes_back=(_DISLIKE,)),
    ActionType.DISLIKE: ActRule(ActSubject.MESSAGE, teaches=True, takes_back=(_LIKE,)),
    ActionType.CANCEL_LIKE: ActRule(ActSubject.MESSAGE, takes_back=(_LIKE,)),
    ActionType.CANCEL_DISLIKE: ActRule(ActSubject.MESSAGE, takes_back=(_DISLIKE,)),
    ActionType.NOT_HELPFUL: ActRule(ActSubject.RECORD),
    ActionType.CANCEL_NOT_HELPFUL: ActRule(ActSubject.RECORD, takes_back=(ActionType.NOT_HELPFUL,)),
    ActionType.EDIT_ROADMAP: ActRule(ActSubject.DIFFERENCE, teaches=True),
    ActionType.EDIT_FILE: ActRule(ActSubject.DIFFERENCE, teaches=True),
    ActionType.START_CHAT: ActRule(ActSubject.QUERY, teaches=True),
    ActionType.FOLLOWUP_CHAT: ActRule(ActSubject.QUERY, teaches=True),
    ActionType.BREAK_CHAT: ActRule(ActSubject.QUERY, teaches=True),
    ActionType.COLLECT_SESSION: ActRule(ActSubject.SESSION, teaches=True),
    ActionType.UNCOLLECT_SESSION: ActRule(ActSubject.SESSION, takes_back=(ActionType.COLLECT_SESSION,)),
    ActionType.COLLECT_TOOL: ActRule(ActSubject.TOOL, teaches=True),
    ActionType.UNCOLLECT_TOOL: ActRule(ActSubject.TOOL, takes_back=(ActionType.COLLECT_TOOL,)),
    ActionType.TASK_STOP: ActRule(ActSubject.NOTHING),
    ActionType.EXECUTE_SHELL_COMMAND: ActRule(ActSubject.NOTHING),
    ActionType.BROWSER_OPERATION: ActRule(ActSubject.NOTHING),
}

_MARKED = (ActSubject.MESSAGE, ActSubject.RECORD, ActSubject.SESSION, ActSubject.TOOL)
MARKS = tuple(kind for kind, each in ACT_RULES.items() if each.about in _MARKED)
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


def teaches_anything(action: Action) -> bool:
    """Tell whether the memory agent reads it: not what shows nothing by itself, nor what has nothing to be read."""
    kind = ACT_RULES[action.type]
    if kind.about is ActSubject.DIFFERENCE and action.data.get("previous") == action.data.get("current"):
        return False
    if kind.about is ActSubject.QUERY and not str(action.data.get("query") or "").strip():
        return False  # a round of Orca's own is read with its session, as any round is
    return kind.teaches


def checked_act(action: Action) -> Action:
    """With names cleaned, and how it will be read. Raises InvalidInput where it does not say what it is about, or says
    it with what can be no name, no number, or no JSON."""
    action = _cleaned(action)
    _must_say_what(action, ACT_RULES[action.type].about)
    size = len(str(action.data))
    if size > MAX_DATA_CHARS:
        raise InvalidInput(
            template="{action} came with {size:,} characters, at most {most:,} are taken",
            action=action.type.value,
            size=size,
            most=MAX_DATA_CHARS,
        )
    waits = ReadingState.WAITING if teaches_anything(action) else ReadingState.NEVER
    return replace(action, read=waits)


def is_same_act(one: Action, other: Action) -> bool:
    """Tell whether both are about the same thing: the same attempt of a round or message, a record in it, session or
    call of a tool, as far as both name it. A difference and a query are each their own."""
    about = ACT_RULES[one.type].about
    if one.session_id != other.session_id:
        return False
    if about is ActSubject.MESSAGE:
        return _agree(_message_of(one), _message_of(other))
    if about is ActSubject.RECORD:
        return one.record is not None and one.record == other.record and _agree(_message_of(one), _message_of(other))
    if about is ActSubject.TOOL:
        return _agree((one.task, *_message_of(one)), (other.task, *_message_of(other))) and _is_same_call(one, other)
    return about is ActSubject.SESSION


def taken_back_by(action: Action, standing: Sequence[Action]) -> list[Action]:
    """Of the acts that stand, those that no longer do with this one."""
    types = ACT_RULES[action.type].takes_back
    return [each for each in standing if each.type in types and is_same_act(each, action)]


def stands_already(action: Action, standing: Sequence[Action]) -> Action | None:
    """The act that says just the same. One that only takes back is always taken."""
    kind = ACT_RULES[action.type]
    if action.type in TAKE_BACK or kind.about in (ActSubject.DIFFERENCE, ActSubject.QUERY, ActSubject.NOTHING):
        return None
    return next((each for each in standing if each.type is action.type and is_same_act(each, action)), None)


def outlived_acts(standing: Sequence[Action]) -> list[Action]:
    """Of acts that stand, oldest first, those that can't stand beside a newer one, or say just what that says."""
    return [each for place, each in enumerate(standing) if any(_outlives(then, each) for then in standing[place + 1 :])]


def _outlives(newer: Action, older: Action) -> bool:
    if newer.type in TAKE_BACK:
        return False  # what it took back may be brought back since
    return bool(taken_back_by(newer, [older]) or stands_already(newer, [older]))


def source_of(action: Action) -> str:
    """Return what a support by this act rests on: acts on one round, whatever task they name, and what was read out of
    that round, are one."""
    about = ACT_RULES[action.type].about
    if about is ActSubject.SESSION:
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
    """Tell when an act began to speak. A client names the time `at` of it: none is before the round that it is about,
    and where that is no round of Orca's own, the time counts at which Orca received it."""
    return received if round_began is None else max(at, round_began)


def source_of_round(session_id: str, number: int) -> str:
    return f"round {session_id} {number}"


_LACK_PROOF = (said_again.NOT_SAID, said_again.UNREAD)


def may_speak(new: NewMemory) -> bool:
    """Tell whether the round that a fact was read out of speaks for it: where its words may live, or lack proof
    alone."""
    return new.state is State.LIVE or new.held_because in _LACK_PROOF


def _message_of(action: Action) -> tuple[object, ...]:
    return action.round, action.round_id, action.message or None


def _agree(one: Sequence[object], other: Sequence[object]) -> bool:
    """Tell whether both say something of the same, and nothing that differs: each may leave out what the other says."""
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


def _has_usable_record(action: Action) -> bool:
    """Tell whether it names one that a turn may be given and that stays behind it."""
    return action.record is not None and action.record.kind in SHOWN and 1 <= action.record.id < 2**63


def _must_say_what(action: Action, about: ActSubject) -> None:
    word = action.type.value
    if not action.session_id and about is not ActSubject.NOTHING:
        raise InvalidInput(template="{action} needs the session that it is about", action=word)
    is_of_a_task = about is ActSubject.TOOL and action.task is not None
    is_of_a_round = about in (ActSubject.MESSAGE, ActSubject.RECORD, ActSubject.TOOL) and not is_of_a_task
    if is_of_a_round and action.round is None and not action.message:
        raise InvalidInput(template="{action} needs the round or the message that it is about", action=word)
    if about is ActSubject.RECORD and not _has_usable_record(action):
        raise InvalidInput(
            template="{action} needs the memory, episode, knowledge or guide that it is about",
            action=word,
        )
    if about is ActSubject.TOOL and not action.tool and action.type not in TAKE_BACK:
        raise InvalidInput(template="{action} needs the name of the tool", action=word)
    if about is ActSubject.DIFFERENCE and not {"previous", "current", "operation"} & set(action.data):
        raise InvalidInput(template="{action} needs what was there before and after", action=word)


MAX_COMPARED = 20_000
"""So much of each version of an edited text is compared; of the rest nothing counts as the user's."""
MAX_WORDS = 2000
"""So many words of a changed piece are compared one by one. Both bound the time that a hostile one takes."""

_MARKS = "`'\"“”‘’「」『』()（）.,;:!?，。；：、！？"
_QUOTED = r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』"
_PARTS_OF_A_NAME = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


class ActTexts(Struct, frozen=True):
    """`own`: what the user typed, asked, or wrote into an edited text; `foreign`: what anybody else did, or is quoted
    of them; `tools`: the names of tools that the user collected. Others chose these names: such a name is the user's
    own as a whole, its words are foreign."""

    own: tuple[str, ...]
    foreign: tuple[str, ...]
    tools: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """Whatever somebody else said, the words of names included."""
        return self.foreign + tuple(_PARTS_OF_A_NAME.sub(" ", each) for each in self.tools)

    def without_tools(self, text: str) -> str:
        """A text without the names of these tools, each where it stands whole."""
        known = {folded(each) for each in self.tools}
        return _named_pattern().sub(lambda match: " " if folded(match[0].strip(_MARKS)) in known else match[0], text)


def texts_in(batch: ActBatch) -> ActTexts:
    own: list[str] = []
    foreign: list[str] = []
    for round_ in batch.rounds:
        own += [span.text for span in round_.spans if span.source is Source.TYPED]
        foreign += [span.text for span in round_.spans if span.source is not Source.TYPED]
        foreign.append(round_.assistant)
    for task in batch.tasks:
        foreign += [text for step in task.steps for text in (step.description, step.result, str(step.args or ""))]
    for act in batch.actions:
        mine, others = _texts_of_act(act)
        own += mine
        foreign += others
    foreign += [quoted for text in own for quoted in typed_spans.quotations(text)]
    own = [typed_spans.mask_quotations(text).replace(typed_spans.MASK, " ") for text in own]
    tools = dict.fromkeys(act.tool for act in batch.actions if act.tool.strip())
    return ActTexts(tuple(filter(str.strip, own)), tuple(filter(str.strip, foreign)), tuple(tools))


def queries_in(batch: ActBatch) -> tuple[Round, ...]:
    """The queries that clients gave with acts, as rounds of what the user typed: each by the place of its act. A query
    that Orca holds as a round is read with its session; of all others the act is the only trace."""
    held = {each.number for each in batch.rounds}
    queries = [
        (place, act, text_of(act.data.get("query")))
        for place, act in enumerate(batch.actions, start=1)
        if ACT_RULES[act.type].about is ActSubject.QUERY and act.round not in held
    ]
    return tuple(
        Round(0, batch.session_id, place, 1, query, (Span(query),), "", RoundState.DONE, act.at)
        for place, act, query in queries
        if query
    )


def messages_in(act: Action) -> list[tuple[str, str]]:
    """The messages that a client gave with an act, each with who said it. Only a plain text of the role `user` is the
    user's: tools answer in that role, too."""
    found = []
    for row in _rows(act.data.get("session_content")):
        inner = row.get("message")
        message = inner if isinstance(inner, Mapping) else row
        text = message.get("content")
        is_users = message.get("role") == "user" and str(message.get("type") or "user") in ("user", "chat")
        is_users = is_users and isinstance(text, str) and not text.lstrip().startswith(("[", "{"))
        found.append(("user" if is_users else "other", text_of(text)))
    return [(who, text) for who, text in found if text.strip()]


def added_text(previous: str, current: str) -> str:
    """Return what of the newer version was not in the older one, word by word, a line each."""
    before, after = (text[:MAX_COMPARED].splitlines() for text in (previous, current))
    pieces: list[str] = []
    for tag, low, high, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "insert":
            pieces += after[start:end]
        elif tag == "replace":
            pieces += _added_words("\n".join(before[low:high]), "\n".join(after[start:end]))
    return "\n".join(filter(str.strip, pieces))


def text_of(value: Any) -> str:
    """A text that a client gave; of anything else how it is written."""
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def _texts_of_act(act: Action) -> tuple[list[str], list[str]]:
    data, about = act.data, ACT_RULES[act.type].about
    own = [text for who, text in messages_in(act) if who == "user"]
    foreign = [text for who, text in messages_in(act) if who != "user"]
    if about is ActSubject.QUERY:
        own.append(text_of(data.get("query")))
    if about is ActSubject.DIFFERENCE:
        previous, current = text_of(data.get("previous")), text_of(data.get("current"))
        own.append(added_text(previous, current))
        foreign.append(previous)
    foreign.append(text_of(data.get("operation")))
    return own, foreign


def _rows(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (each for each in value if isinstance(each, Mapping))
    elif value:
        yield {"role": "other", "content": text_of(value)}


def _added_words(before: str, after: str) -> list[str]:
    old, new = _word_pattern().findall(before)[:MAX_WORDS], _word_pattern().findall(after)[:MAX_WORDS]
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return ["".join(new[start:end]) for tag, _, _, start, end in changes if tag in ("insert", "replace")]


@cache
def _named_pattern() -> re.Pattern[str]:
    """Return what may be a name in a text: what is quoted, else what stands between blanks, Chinese characters and
    marks."""
    return re.compile(rf"{_QUOTED}|[^\s\u3400-\u9fff\uf900-\ufaff`\"“”‘’「」『』（），。；：、！？]+")


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]|\s+")

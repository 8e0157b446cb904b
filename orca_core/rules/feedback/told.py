"""Who wrote what of the texts that acts refer to: the user's own words, and those of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from msgspec import Struct

from orca_core.model.feedback import ActBatch, Action
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.feedback.acts import KINDS, About
from orca_core.rules.text import sentences
from orca_core.rules.text.letters import folded

MAX_COMPARED = 20_000
"""So much of each version of an edited text is compared; of the rest nothing counts as the user's."""
MAX_WORDS = 2000
"""So many words of a changed piece are compared one by one. Both bound the time that a hostile one takes."""

_MARKS = "`'\"“”‘’「」『』()（）.,;:!?，。；：、！？"
_QUOTED = r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』"
_PARTS_OF_A_NAME = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


class Told(Struct, frozen=True):
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


def told_in(batch: ActBatch) -> Told:
    own: list[str] = []
    foreign: list[str] = []
    for round_ in batch.rounds:
        own += [span.text for span in round_.spans if span.source is Source.TYPED]
        foreign += [span.text for span in round_.spans if span.source is not Source.TYPED]
        foreign.append(round_.assistant)
    for task in batch.tasks:
        foreign += [text for step in task.steps for text in (step.description, step.result, str(step.args or ""))]
    for act in batch.actions:
        mine, others = _told_with(act)
        own += mine
        foreign += others
    foreign += [quoted for text in own for quoted in sentences.quotations(text)]
    own = [sentences.masked(text).replace(sentences.MASK, " ") for text in own]
    tools = dict.fromkeys(act.tool for act in batch.actions if act.tool.strip())
    return Told(tuple(filter(str.strip, own)), tuple(filter(str.strip, foreign)), tuple(tools))


def asked_in(batch: ActBatch) -> tuple[Round, ...]:
    """The queries that clients gave with acts, as rounds of what the user typed: each by the place of its act. A query
    that Orca holds as a round is read with its session; of all others the act is the only trace."""
    held = {each.number for each in batch.rounds}
    return tuple(
        Round(0, batch.session_id, place, 1, query, (Span(query),), "", RoundState.DONE, act.at)
        for place, act in enumerate(batch.actions, start=1)
        if KINDS[act.type].about is About.QUERY and act.round not in held and (query := text_of(act.data.get("query")))
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


def added(previous: str, current: str) -> str:
    """What of the newer version was not in the older one, word by word, a line each."""
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


def _told_with(act: Action) -> tuple[list[str], list[str]]:
    data, about = act.data, KINDS[act.type].about
    own = [text for who, text in messages_in(act) if who == "user"]
    foreign = [text for who, text in messages_in(act) if who != "user"]
    if about is About.QUERY:
        own.append(text_of(data.get("query")))
    if about is About.DIFFERENCE:
        previous, current = text_of(data.get("previous")), text_of(data.get("current"))
        own.append(added(previous, current))
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
    """What may be a name in a text: what is quoted, else what stands between blanks, Chinese characters and marks."""
    return re.compile(rf"{_QUOTED}|[^\s\u3400-\u9fff\uf900-\ufaff`\"“”‘’「」『』（），。；：、！？]+")


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]|\s+")

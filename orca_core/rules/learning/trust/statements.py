"""What a second reader is asked of statements that would be kept. It knows of none what it is a statement of: facts and
episodes each say what theirs are, and what becomes of the ones that it doubts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from orca_core.domain.dialogues import Round
from orca_core.domain.messages import Source
from orca_core.rules.clauses import splitting
from orca_core.rules.learning.agent.transcripts import shortened
from orca_core.rules.text.letters import folded

MAX_MESSAGE_CHARS = 1000
"""As much is shown of a message that a statement stands on: what holds a quote, what stands around it, and the
beginning."""
MAX_OTHER_CHARS = 200
"""As much is shown of any other message, by its beginning: a game may be opened before, a joke owned up to after. Both
bound what the question costs; chosen by hand."""
_QUOTED = "[…]"
"""Stands for what a typed text quotes of others."""
_MASKED = re.compile(rf"{splitting.MASK}+(?:\s+{splitting.MASK}+)*")


class Statement(Struct, frozen=True):
    """What somebody noted of the user: in words, with what was typed of it, and the rounds that it stands on. Without
    rounds it may stand on any."""

    says: str
    quote: str = ""
    rounds: tuple[int, ...] = ()


def material(rounds: Sequence[Round], asked: Sequence[Statement], noun: str) -> str:
    """What the second reader is shown, as JSON, a line each: the statements by number, the user's own words that they
    stand on, and what the user said before and after. No text in it can pretend to be anything else. `noun` is what a
    statement is called."""
    messages = [_message(each, asked) for each in rounds]
    noted = [_noted(number, each, noun) for number, each in enumerate(asked, start=1)]
    return f'{{"messages": {_lines(messages)},\n"{noun}s": {_lines(noted)}}}'


def _lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "[" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]"


def _noted(number: int, statement: Statement, noun: str) -> dict[str, object]:
    return {noun: number, "says": statement.says, "quote": statement.quote, "rounds": list(statement.rounds)}


def _message(round_: Round, asked: Sequence[Statement]) -> dict[str, object]:
    standing = [each for each in asked if not each.rounds or round_.number in each.rounds]
    quotes = [each.quote for each in standing if each.quote]
    room = MAX_MESSAGE_CHARS if standing else MAX_OTHER_CHARS
    pieces = []
    for span in round_.spans:
        if span.source is Source.TYPED:
            pieces.append(_shown(_own_words(span.text), quotes, room))
            room = max(0, room - len(pieces[-1]))
        else:
            pieces.append(f"[{span.source.value} {len(span.text):,} characters]")
    typed = "\n".join(piece for piece in pieces if piece.strip())
    return {"round": round_.number, "date": round_.at.strftime("%Y-%m-%d %A"), "typed": typed}


def _own_words(text: str) -> str:
    """A typed text, with a sign for what it quotes of others."""
    return _MASKED.sub(_QUOTED, splitting.masked(text))


def _shown(own: str, quotes: Sequence[str], room: int) -> str:
    """A typed text, whole if there is room; else the sentences of the quotes with those around each, and then as many
    others from the beginning as fit. Without a quote in it only its beginning."""
    parts = [shortened(own[each.start : each.end], MAX_MESSAGE_CHARS) for each in splitting.sentences(own)]
    bare = [folded(part) for part in parts] if quotes else []
    holding = sorted({index for quote in quotes for index in _holding(folded(quote), bare)})
    if len(own) <= room or not holding:
        return shortened(own, room)
    around = [near for index in holding for near in (index - 1, index + 1) if 0 <= near < len(parts)]
    shown: set[int] = set()
    for index in dict.fromkeys([*holding, 0, *around, *range(len(parts))]):
        if index in holding or len(parts[index]) <= room:
            shown.add(index)
            room -= len(parts[index])
    return "".join(_joined(parts, sorted(shown))).strip()


def _joined(parts: Sequence[str], shown: Sequence[int]) -> Iterator[str]:
    """The sentences, with a sign where some are left out."""
    last = -1
    for index in shown:
        yield " " if index == last + 1 else " … "
        yield parts[index]
        last = index
    if last < len(parts) - 1:
        yield " …"


def _holding(quote: str, parts: Sequence[str]) -> list[int]:
    """The sentences that a quote stands in, all folded; it may begin in one and end in another."""
    begin = "".join(parts).find(quote)
    if begin < 0:
        return []
    end, at = begin + len(quote), 0
    holding = []
    for index, part in enumerate(parts):
        if at < end and at + len(part) > begin:
            holding.append(index)
        at += len(part)
    return holding

"""What the verifier is shown, how its answer is read, and what that does to a fact. What was cut off, names no
statement or says neither yes nor no is no answer.

An answer can let a fact live that rules let pass, and never one that they hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.learning import KnownNote, ProposedFact, Relation, Statement, VerifierAnswer
from orca_core.model.llm import Source
from orca_core.model.sessions import Round
from orca_core.rules.learning.fact_extraction import MAX_QUOTE_CHARS
from orca_core.rules.learning.fact_provenance import Held, Verdict, held_for_words
from orca_core.rules.learning.model_json import CutObject, values_in, without_thinking
from orca_core.rules.learning.transcripts import shortened
from orca_core.rules.learning.typed_sources import Quote
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_message, one_line
from orca_core.rules.text.spelling import folded, folded_with_places

MAX_MESSAGE_CHARS = 1000
"""As much is shown of a message that a statement stands on: its quotes, what stands around them, and the beginning."""
MAX_OTHER_CHARS = 200
"""As much is shown of any other message, by its beginning: a game may be opened before, a joke owned up to after. Both
bound what the question costs; chosen by hand."""
AROUND_CHARS = 200
"""As much of a long message is shown on each side of a quote. Chosen by hand."""
MAX_NOTE_CHARS = 300
"""As much is shown of a known note. Chosen by hand."""
MAX_WHY_CHARS = 200
"""As much is kept of a reason. Chosen by hand."""
FACT = "fact"
"""By this key a statement is numbered in the question and in the answer, whatever its subject."""

_ANSWERS = "answers"
_SAYS_SO = "says_so"
_TRUTHS = {"true": True, "false": False, "yes": True, "no": False, "是": True, "否": False}
_QUOTED = "[…]"
"""Stands for what a typed text quotes of others."""
_MASKED = re.compile(rf"{typed_spans.MASK}+(?:\s+{typed_spans.MASK}+)*")
_NUMBER = re.compile(r"[^\d-]{0,10}(\d{1,9})")
_THOUGHT_THAT_GOES_ON = re.compile(r"<think(?:ing)?>(?!.*</think(?:ing)?>).*\Z", re.DOTALL | re.IGNORECASE)
"""A thought that was cut: what stands in it is a draft."""


class JudgedFact(Struct, frozen=True):
    """A fact with what the rules make of it, and what the verifier answered about it."""

    fact: ProposedFact
    verdict: Verdict
    answer: VerifierAnswer | None = None

    @property
    def has_passed(self) -> bool:
        """Tell whether no rule holds it: the verifier is asked about no other."""
        return self.verdict.held is None


Quoted = Callable[[str], Quote | None]
"""Finds words in what the user typed (`typed_sources.verified_quote`)."""


def statement_of(judged: JudgedFact, known: Sequence[KnownNote] = ()) -> Statement:
    """The fact as the verifier is shown it."""
    return Statement(judged.fact.content, judged.verdict.quote or "", judged.verdict.rounds, tuple(known))


def verified(judged: JudgedFact, answer: VerifierAnswer | None, quoted: Quoted) -> JudgedFact:
    """A fact that passed, by what the verifier answered: it lives on a yes and words that were typed, its quote or
    those that the answer names. Raises AssertionError for a fact that the rules hold."""
    assert judged.has_passed
    if answer is None:
        return _held(judged, Held.UNREAD)
    judged = replace(judged, answer=answer)
    if not answer.says_so:
        return _held(judged, Held.NOT_SAID)
    if judged.verdict.quote is not None:
        return judged
    found = quoted(answer.words)
    if found is None:
        return _held(judged, Held.NOT_TYPED)
    return replace(judged, verdict=Verdict(held_for_words(found), found.text, found.rounds))


def unverified(judged: JudgedFact) -> JudgedFact:
    """A fact where nobody is to verify: it lives where it passed and has words that were typed."""
    return _held(judged, Held.NOT_TYPED) if judged.has_passed and judged.verdict.quote is None else judged


def left_to_a_person(judged: JudgedFact) -> JudgedFact:
    """A fact where a person is to decide about each: none that passed lives by itself."""
    return _held(judged, Held.ASK) if judged.has_passed else judged


def _held(judged: JudgedFact, reason: Held) -> JudgedFact:
    return replace(judged, verdict=replace(judged.verdict, held=reason))


def material(rounds: Sequence[Round], asked: Sequence[Statement]) -> str:
    """Return what the verifier is shown, as JSON, a line each: what the user typed, the statements by number with the
    words that they stand on, and the known notes. No text in it can pretend to be anything else."""
    messages = [_message(each, asked) for each in rounds]
    facts = [_fact(number, each) for number, each in enumerate(asked, start=1)]
    known = [{"id": note.id, "text": shortened(note.text, MAX_NOTE_CHARS)} for note in notes_of(asked)]
    return f'{{"messages": {_lines(messages)},\n"facts": {_lines(facts)},\n"known": {_lines(known)}}}'


def notes_of(asked: Iterable[Statement]) -> list[KnownNote]:
    """The known notes that are shown beside some statements, each once."""
    return list({note.id: note for each in asked for note in each.known}.values())


def read_answers(
    text: str, count: int, known: Iterable[int] = (), *, is_cut: bool = False
) -> Mapping[int, VerifierAnswer] | None:
    """Return what is said of the statements from 1 to `count`, by their numbers; those that are not answered are not in
    it. None where nothing in the text can be read. A relation counts to one of the `known` notes alone.

    Of several lists the last is the answer. Where the text `is_cut` no list that is whole is the last, and of one that
    is cut its whole rows count. Where a statement is answered twice, a no counts,
    and no relation."""
    values = list(values_in(_THOUGHT_THAT_GOES_ON.sub("", without_thinking(text))))
    if values and values[-1].is_cut:
        rows = _rows(values[-1].value)
    else:
        rows = None if is_cut else next(filter(None, (_rows(each.value) for each in reversed(values))), None)
    answers: dict[int, VerifierAnswer] = {}
    for number, answer in _answers(rows or (), count, frozenset(known)):
        before = answers.get(number, answer)
        says_so = answer if before.says_so else before
        answers[number] = answer if before == answer else replace(says_so, known=None, relation=None)
    return answers or None


def _rows(value: Any) -> list[Any] | None:
    """The rows of an answer; None where it has not the shape."""
    if isinstance(value, dict) and _ANSWERS in value:
        value = value[_ANSWERS]
    if isinstance(value, dict):
        return [value] if _SAYS_SO in value else None
    return value if isinstance(value, list) and any(isinstance(each, dict) for each in value) else None


def _answers(rows: Sequence[Any], count: int, known: frozenset[int]) -> Iterator[tuple[int, VerifierAnswer]]:
    """The answers that are whole and name their statement; a single one about a single statement need not."""
    for row in rows:
        if isinstance(row, CutObject) or not isinstance(row, dict):
            continue
        is_alone = count == 1 and len(rows) == 1 and FACT not in row
        number, says_so = 1 if is_alone else _number(row.get(FACT)), _truth(row.get(_SAYS_SO))
        if number is None or says_so is None or not 1 <= number <= count:
            continue
        note, relation = _relation(row.get("known"), known)
        words, why = (
            _text(row.get("words"), MAX_QUOTE_CHARS),
            one_line(_text(row.get("why"), MAX_WHY_CHARS), MAX_WHY_CHARS),
        )
        yield number, VerifierAnswer(says_so, words, note, relation, why)


def _relation(value: Any, known: frozenset[int]) -> tuple[int | None, Relation | None]:
    """The known note that is named, and how; nothing where either is missing or unknown."""
    if not isinstance(value, dict) or not isinstance(value.get("relation"), str):
        return None, None
    note, relation = _number(value.get("id")), value["relation"].strip().lower()
    if note not in known or relation not in [each.value for each in Relation]:
        return None, None
    return note, Relation(relation)


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return _TRUTHS.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip())
        return int(match[1]) if match else None
    return int(value) if isinstance(value, int | float) and value == value // 1 else None


def _text(value: Any, room: int) -> str:
    return value.strip()[:room] if isinstance(value, str) else ""


def _lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "[" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]"


def _fact(number: int, statement: Statement) -> dict[str, object]:
    return {FACT: number, "says": statement.says, "quote": statement.quote, "rounds": list(statement.rounds)}


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
    return _MASKED.sub(_QUOTED, typed_spans.mask_quotations(text))


def _shown(own: str, quotes: Sequence[str], room: int) -> str:
    """A typed text, whole if there is room; else its beginning, and each quote with what stands around it."""
    if len(own) <= room:
        return shortened(own, room)
    letters, places = folded_with_places(own)
    shown: list[tuple[int, int]] = []
    for wanted in filter(None, map(folded, quotes)):
        first = letters.find(wanted)
        if first >= 0:
            shown.append((max(0, places[first] - AROUND_CHARS), places[first + len(wanted) - 1] + 1 + AROUND_CHARS))
    room -= sum(end - start for start, end in shown)
    if not shown:
        return shortened(own, room)
    pieces = []
    last = max(0, room)
    pieces.append(own[:last])
    for start, end in sorted(shown):
        pieces.append(("" if start <= last else " … ") + own[max(start, last) : end])
        last = max(last, end)
    return clean_message("".join(pieces) + (" …" if last < len(own) else "")).strip()

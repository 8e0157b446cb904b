"""What a person plainly says of themselves in a chat of another program. No model is asked: what the rules are not sure
of is left where it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from orca_core import words
from orca_core.domain.foreign import ForeignChat, ForeignMessage
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.clauses.clause import Frame
from orca_core.rules.clauses.reading import frame_left_open
from orca_core.rules.clauses.splitting import GAP
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.trust.evidence import judge
from orca_core.rules.stating.told import statements_in
from orca_core.rules.text.cleaning import clean_message
from orca_core.rules.text.languages import language_of
from orca_core.rules.text.scripts import simplified

CONFIDENCE = 0.8
"""Of what rules find in a chat."""
TYPED_CHARS = 600
"""A longer paragraph was hardly typed into a chat. Chosen by hand."""
MESSAGE_CHARS = 4_000
"""Of a longer message only what stands before its first long paragraph was typed. Chosen by hand."""
_FEWEST_WORDS = 2
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_ENDS_OPEN = re.compile(r"[:：]\s*\Z")
_NO_SENTENCE = re.compile(
    r"[{};<>|=\\]{2}|[{;]\s*$|^\s*(?:[$#>+-]\s|at \S+\(|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d)"
    r"|\t.*\t|https?://",
    re.MULTILINE,
)
"""Lines of code, logs and tables."""


class PlainStatement(Struct, frozen=True):
    """A statement, and the message in which it was made."""

    content: str
    type: MemoryType
    quote: str
    message: ForeignMessage


def plain_statements(chat: ForeignChat, told: Callable[[], None] = lambda: None) -> Iterator[PlainStatement]:
    """What a chat's person states of themselves, now, seriously, in so many words; `told` is called for each message
    that was read."""
    frames = _Frames()
    for message in chat.messages:
        typed, pasted = _typed_and_pasted(clean_message(message.text))
        if any(_may_state(part) for part in typed):
            said = Testimony(typed=tuple((1, each) for each in typed), untrusted=tuple(pasted), assistant=())
            for part in typed:
                yield from _statements_of(part, said, frames.open, message)
        frames.goes_on_with(typed)
        told()


class _Frames:
    """What earlier messages left open, such as a play. They are read only where one behind them may state something."""

    def __init__(self) -> None:
        self._unread: list[str] = []
        self._open = Frame.NONE

    def goes_on_with(self, typed: list[str]) -> None:
        self._unread.append(GAP.join(typed))

    @property
    def open(self) -> Frame:
        for text in self._unread:
            self._open = frame_left_open(text, self._open)
        self._unread.clear()
        return self._open


def _statements_of(part: str, said: Testimony, frame: Frame, message: ForeignMessage) -> Iterator[PlainStatement]:
    for statement in statements_in(part, frame):
        kind = remembered_type(statement.quote)
        if _is_lasting(statement.quote, kind) and _says_something(statement.content):
            fact = ProposedFact(statement.content, kind, (), CONFIDENCE, statement.quote)
            verdict = judge(fact, said)
            # A wish is no statement: nothing makes it plain.
            if verdict.held is None and (verdict.is_plain or kind is MemoryType.INSTRUCTION):
                yield PlainStatement(fact.content, fact.type, statement.quote, message)


def _may_state(text: str) -> bool:
    """Whether it is worth reading: it speaks in the first person, or wishes something for good."""
    said = simplified(text)
    return words.pattern("clauses.first_person").search(said) is not None or _is_for_good(said)


def _is_lasting(quote: str, kind: MemoryType) -> bool:
    said = simplified(quote)
    if kind is MemoryType.INSTRUCTION:
        return _is_for_good(said)
    if words.pattern("stating.of_the_moment").search(said):
        return False
    return words.pattern("stating.lasting").search(said) is not None


def _says_something(content: str) -> bool:
    """ "User has" is what is left where a text goes on in ways that the rules do not read."""
    return language_of(content) != words.ENGLISH or len(content.split()) > _FEWEST_WORDS


def _is_for_good(said: str) -> bool:
    return words.pattern("stating.for_good").search(said) is not None


def _typed_and_pasted(text: str) -> tuple[list[str], list[str]]:
    """The paragraphs of a message that were typed, and those that were more likely pasted: long ones, all that stands
    behind a line that leads on to a text, and what looks like code or a log."""
    typed: list[str] = []
    pasted: list[str] = []
    is_led_on = False
    for paragraph in filter(None, _PARAGRAPH.split(text)):
        is_long = len(paragraph) > TYPED_CHARS
        if is_led_on or is_long or _NO_SENTENCE.search(paragraph):
            pasted.append(paragraph)
            is_led_on = is_led_on or (is_long and len(text) > MESSAGE_CHARS)
            continue
        lines = paragraph.splitlines()
        leads = next((number for number, line in enumerate(lines) if _leads_to_a_text(line)), len(lines))
        typed.append("\n".join(lines[: leads + 1]))
        pasted += lines[leads + 1 :]
        is_led_on = leads < len(lines)
    return typed, pasted


def _leads_to_a_text(line: str) -> bool:
    """Whether what stands below a line is a text at hand, and no further words of its writer."""
    said = simplified(line)
    return _ENDS_OPEN.search(said) is not None or words.pattern("stating.leads_to_a_text").search(said) is not None

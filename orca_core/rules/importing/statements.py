"""What a person says of themselves in a chat of another program, word for word. Nobody has verified it: it waits for a
person, whatever the import trusts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from orca_core import words
from orca_core.model.import_export import ForeignChat, ForeignMessage
from orca_core.rules.requests.prose import MASK, own_words, without_opening
from orca_core.rules.text import sentences
from orca_core.rules.text.cleaning import clean_message

CONFIDENCE = 0.8
"""Of what is found in a chat."""
TYPED_CHARS = 600
"""A longer paragraph was hardly typed into a chat. Chosen by hand."""
MESSAGE_CHARS = 4_000
"""A longer message was hardly typed, either. Chosen by hand."""
STATEMENT_CHARS = 200
"""A longer sentence is a story, and no statement. Chosen by hand."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_NO_SENTENCE = re.compile(
    r"[{};<>|=\\]{2}|[{;]\s*$|^\s*(?:[$#>+-]\s|at \S+\(|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d)"
    r"|\t.*\t|https?://",
    re.MULTILINE,
)
"""Lines of code, logs and tables."""
_ASKS_OR_GOES_ON = ("?", "？", ":", "：", "…", "...")


def statements_of(chat: ForeignChat, told: Callable[[], None] = lambda: None) -> Iterator[tuple[str, ForeignMessage]]:
    """The sentences that begin with their writer ("I live in Rome") or wish something for good, with their messages, up
    to where a play begins. `told` is called for each message of the chat."""
    is_in_play = False
    for message in chat.messages:
        text = clean_message(message.text[: 2 * MESSAGE_CHARS])
        plain = own_words(text)
        is_in_play = is_in_play or words.pattern("importing.play").search(plain) is not None
        if (
            not is_in_play
            and len(text) <= MESSAGE_CHARS
            and not words.pattern("importing.leads_to_a_text").search(plain)
        ):
            yield from ((said, message) for said in _stated(text))
        told()


def _stated(text: str) -> Iterator[str]:
    for paragraph in filter(None, _PARAGRAPH.split(text)):
        if len(paragraph) > TYPED_CHARS or _NO_SENTENCE.search(paragraph):
            continue
        plain = own_words(paragraph)
        for piece in sentences.sentences(plain):
            if _is_statement(plain[piece.start : piece.end].strip()):
                yield paragraph[piece.start : piece.end].strip().rstrip("。.!！")


def _is_statement(sentence: str) -> bool:
    if len(sentence) > STATEMENT_CHARS or MASK in sentence or sentence.endswith(_ASKS_OR_GOES_ON):
        return False
    if any(words.pattern(each).search(sentence) for each in ("importing.of_the_moment", "recall.supposes")):
        return False
    return words.pattern("importing.states").match(without_opening(sentence)) is not None

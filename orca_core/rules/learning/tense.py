"""When a clause speaks of: of what changed and holds now, or of the past and of plans. Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from orca_core.rules.text.same_words import CHANGE_WORDS

_TURN = r"(?:move|switch|relocate|migrate|change|upgrade|learn|buy|try|start|stop|quit)"
NOT_NOW = re.compile(
    r"(?<![点号日月天分\d])(?:以前|之前)|从前|原来|原先|过去(?!的?[几一两三半])|曾|当年|计划|打算|考虑|将来|将要|明年|下个?[月周年]|可能|也许|临时|出差"
    r"|(?:想要?|准备)(?=[去换搬学买试改迁转上把])|(?:将|快?(?<![主重])要|不会|没有?|未)(?=[换搬改迁转])|(?:希望|想着)能?(?=[去搬学买迁转])"
    r"|\b(?:used to|formerly|previously|was|were|had|plan(?:s|ned|ning)?|consider(?:s|ing)?|thinking of|thinks? about"
    r"|wants? to (?=move|switch|learn|buy|try|change|go|migrate)|will|would|might|maybe|going to"
    r"|next (?:week|month|year)|someday|temporarily)\b"
    rf"|\b(?:hop(?:es?|ing)|intend(?:s|ing)?|about|needs?|ha(?:s|ve)|like|love|prefer|refuses?) to (?={_TURN})"
    rf"|(?:\b(?:should|could|must|let['’]?s|never|not|not yet)|['’]d|n['’]t) (?={_TURN})",
    re.IGNORECASE,
)
"""Words of the past, of a plan, a wish or a supposition, and of a turn that was not taken: what stands beside them is
not so now."""
NOW = re.compile(
    r"现在|如今|目前|最近|改[用成]|换[成了用到]|搬[到进去]|不再|已经?|从今"
    r"|\b(?:now|nowadays|these days|currently|no longer|anymore|since)\b",
    re.IGNORECASE,
)
_NO_CHANGE = re.compile(
    r"以前|之前|原来|过去|以后|希望能|准备|临时|出差|想要?|\b(?:after|again|once|said|temporarily|wants? to)\b",
    re.IGNORECASE,
)
"""Words that keep two memories apart, and tell of no change that has happened."""
_CLAUSE = re.compile(r"[，,。.;；!！?？\n]+|\b(?:but|and|then)\b|但是?|而是|后来|所以|然后", re.IGNORECASE)


def says_so_now(text: str) -> bool:
    """Whether a clause tells of a change that has happened."""
    return any(_tells_of_a_change(clause) and not NOT_NOW.search(clause) for clause in _clauses(text))


def is_of_another_time(text: str) -> bool:
    """Whether it speaks of the past or of a plan, and nowhere says how things are now."""
    clauses = list(_clauses(text))
    if not any(NOT_NOW.search(clause) for clause in clauses):
        return False
    return not any(_is_of_now(clause) for clause in clauses)


def _is_of_now(clause: str) -> bool:
    return not NOT_NOW.search(clause) and (NOW.search(clause) is not None or _tells_of_a_change(clause))


def _tells_of_a_change(clause: str) -> bool:
    return CHANGE_WORDS.search(_NO_CHANGE.sub(" ", clause)) is not None


def _clauses(text: str) -> Iterator[str]:
    for clause in _CLAUSE.split(text):
        if clause.strip():
            yield clause

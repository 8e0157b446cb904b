"""What a typed text asserts, and what it only asks, supposes, denies or quotes of others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from orca_core import words
from orca_core.rules.asking.remembering import is_conditional

LONG_QUOTATION_WORDS = 4
LONG_QUOTATION_HAN = 8
"""From here on what stands in quotation marks is another's sentence, not a name.

Chosen by hand: the poisoned and honest sets of `tests/data` come out the same from 2 words to 9, and from 4 characters
to 20."""

_QUOTATION = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"]*\"|(?<!\w)'[^'\n]*'(?!\w)"
    r"|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s|\Z)|\Z)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a typed text, without what it quotes of others."""

    text: str

    @property
    def asks(self) -> bool:
        """Whether it only asks: a question, no polite request, that says nothing of the one who asks. To ask what
        one's own editor is says nothing either."""
        if not _has("asks", self.text) or _has("requests", self.text):
            return False
        if _has("is_question", self.text) and _has("about_oneself", self.text):
            return True
        return not _has("of_oneself", words.pattern("asserting.not_of_oneself").sub(" ", self.text))

    @property
    def supposes(self) -> bool:
        return is_conditional(self.text)


def own_words(text: str) -> str:
    """A typed text without what it quotes of others; a name in quotation marks is the user's own word."""
    return _QUOTATION.sub(lambda match: "\n" if _is_anothers_sentence(match[0]) else match[0], text)


def quotations(text: str) -> list[str]:
    """What a typed text quotes of others."""
    return [match[0] for match in _QUOTATION.finditer(text) if _is_anothers_sentence(match[0])]


def sentences(own: str) -> Iterator[Sentence]:
    for match in _SENTENCE.finditer(own):
        if match[0].strip():
            yield Sentence(match[0].strip())


def asserted(own: str) -> str:
    """The sentences that state something, without questions, conditions, and clauses that ask for a yes or a no."""
    return "\n".join(_without_yes_or_no(each.text) for each in sentences(own) if not each.asks and not each.supposes)


def is_supposed(quote: str, own: str) -> bool:
    """Whether the quote stands under a condition that came before it in its sentence."""
    return any(is_conditional(before + quote) for before in _before(quote, own))


def is_denied(quote: str, own: str) -> bool:
    """Whether the quote stands behind a denial in its clause ("I wouldn't say I trust ACME")."""
    return any(_has("denial", _clauses(before)[-1]) for before in _before(quote, own))


def is_only_asked(quote: str, own: str) -> bool:
    """Whether the quote is only asked: wherever it stands, it is part of a question that says nothing of the user, or
    is itself what the question asks."""
    wanted = folded(quote)
    holding = [each for each in sentences(own) if wanted in folded(each.text)]
    return bool(holding) and all(each.asks or _is_what_is_asked(wanted, each.text) for each in holding)


def _is_what_is_asked(wanted: str, sentence: str) -> bool:
    """ "我对花生过敏吗？" asserts nothing; "我对花生过敏，这个能吃吗？" does, in its first clause."""
    if not _has("is_question", sentence):
        return False
    if _has("interrogative", wanted):
        return True
    clauses = [clause for clause in _clauses(sentence) if wanted in folded(clause)]
    return bool(clauses) and all(_has("yes_or_no", clause) for clause in clauses)


def _without_yes_or_no(sentence: str) -> str:
    if not _has("is_question", sentence):
        return sentence
    return "\n".join(clause for clause in _clauses(sentence) if not _has("yes_or_no", clause))


def _has(wording: str, text: str) -> bool:
    """Whether a text holds a wording of `asserting.txt`."""
    return words.pattern(f"asserting.{wording}").search(text) is not None


def _clauses(text: str) -> list[str]:
    return words.pattern("asserting.clause_end", flags=re.NOFLAG).split(text)


def folded(text: str) -> str:
    """Width, case and blanks folded away."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _before(quote: str, own: str) -> Iterator[str]:
    """What stands before the quote in each sentence that holds it."""
    quoted = [re.escape(word) for word in unicodedata.normalize("NFKC", quote).split()]
    if not quoted:
        return
    wanted = re.compile(r"\s*".join(quoted), re.IGNORECASE)
    for each in sentences(own):
        text = unicodedata.normalize("NFKC", each.text)
        if match := wanted.search(text):
            yield text[: match.start()]


def _is_anothers_sentence(quotation: str) -> bool:
    if quotation.lstrip().startswith((">", "```", "~~~")):
        return True
    han = len(_HAN.findall(quotation))
    return han >= LONG_QUOTATION_HAN or len(_WORD.findall(_HAN.sub(" ", quotation))) >= LONG_QUOTATION_WORDS

"""What a typed text asserts, and what it only asks, supposes, denies or quotes of others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from orca_core.rules.asking.remembering import is_conditional

LONG_QUOTATION_WORDS = 4
LONG_QUOTATION_HAN = 8
"""From here on what stands in quotation marks is another's sentence, not a name."""

_QUOTATION = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"]*\"|(?<!\w)'[^'\n]*'(?!\w)"
    r"|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s|\Z)|\Z)")
_CLAUSE_END = re.compile(r"[，,、：:]|\b(?:but|so|and)\b|但|所以|而是")
_ASKS = re.compile(
    r"[?？]|[吗呢么]\W*$|什么|怎么|哪[个些里儿种]|是不是|有没有|多少"
    r"|^\W*(?:what|which|who|when|where|why|how|is|are|am|do|does|did|can|could|should|would|will|has|have)\b",
    re.IGNORECASE,
)
_REQUESTS = re.compile(
    r"^\W*(?:can|could|would|will) you (?!tell|explain|say|check|look|help|show|summari)"
    r"|\bplease\b|请(?!问)|以后|从现在",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"我|咱|本人|\b(?:i|i'm|i’m|i've|my|we|we're|our|mine|ours)\b", re.IGNORECASE)
_NOT_OF_ONESELF = re.compile(
    r"我想(?:问|知道|了解)|请问|(?:告诉|帮|给|教|跟)我"
    r"|\bi(?:'m| am| was)? (?:wonder(?:ing)?|want to know|ask(?:ing)?)\b"
    r"|\b(?:should|can|could|do|would) (?:i|we)\b",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(r"[?？吗呢么]\W*$")
_INTERROGATIVE = re.compile(
    r"什么|怎么|哪|多少|谁|几[个次岁点只年]|是不是|有没有|\b(?:what|which|who|whose|when|where|why|how)\b",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"[吗么]\W*$|^\W*(?:am|are|do|did|was|were|have|had|is) (?:i|we|my|our)\b", re.IGNORECASE
)  # of a clause: all of it is what is asked
_ABOUT_ONESELF = re.compile(
    r"^\W*你?(?:还|可|知不|记不)*(?:知道|记得)|我[^，,\s]{0,6}(?:什么|哪|谁|多少)"
    r"|\b(?:do|did) you (?:still )?(?:know|remember|recall) (?!that\b)"
    r"|\b(?:what|which|who|where)(?:['’]s|\b[^,]{0,24}\b(?:do|did|am|is|are|was|were)) (?:i|we|my|our)"
    r"(?: \w+){0,3}\W*$",
    re.IGNORECASE,
)
_DENIES = re.compile(r"不(?!过|仅|但|断)|没有?|别(?!人|的)|\b(?:not|never|no longer|hardly)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a typed text, without what it quotes of others."""

    text: str

    @property
    def asks(self) -> bool:
        """Whether it is a question that says nothing of the one who asks, and no polite request; to ask what one's own
        editor is says nothing either."""
        if not _ASKS.search(self.text) or _REQUESTS.search(self.text):
            return False
        if _IS_QUESTION.search(self.text) and _ABOUT_ONESELF.search(self.text):
            return True
        return not _OF_ONESELF.search(_NOT_OF_ONESELF.sub(" ", self.text))

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
    """The sentences that neither only ask nor suppose, without what they ask for a yes or a no."""
    return "\n".join(_without_yes_or_no(each.text) for each in sentences(own) if not each.asks and not each.supposes)


def is_supposed(quote: str, own: str) -> bool:
    """Whether the quote stands under a condition that came before it in its sentence."""
    return any(is_conditional(before + quote) for before in _before(quote, own))


def is_denied(quote: str, own: str) -> bool:
    """Whether the quote stands behind a denial in its clause ("I wouldn't say I trust ACME")."""
    return any(_DENIES.search(_CLAUSE_END.split(before)[-1]) for before in _before(quote, own))


def is_only_asked(quote: str, own: str) -> bool:
    """Whether the quote is part of a question that says nothing of the user, or itself what is asked, wherever it
    stands."""
    wanted = folded(quote)
    holding = [each for each in sentences(own) if wanted in folded(each.text)]
    return bool(holding) and all(each.asks or _is_what_is_asked(wanted, each.text) for each in holding)


def _is_what_is_asked(wanted: str, sentence: str) -> bool:
    """ "我对花生过敏吗？" asserts nothing; "我对花生过敏，这个能吃吗？" does, in its first clause."""
    if not _IS_QUESTION.search(sentence):
        return False
    if _INTERROGATIVE.search(wanted):
        return True
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if wanted in folded(clause)]
    return bool(clauses) and all(_YES_OR_NO.search(clause) for clause in clauses)


def _without_yes_or_no(sentence: str) -> str:
    if not _IS_QUESTION.search(sentence):
        return sentence
    return "\n".join(clause for clause in _CLAUSE_END.split(sentence) if not _YES_OR_NO.search(clause))


def folded(text: str) -> str:
    """Width, case and blanks folded away."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _before(quote: str, own: str) -> Iterator[str]:
    """What stands before the quote in each sentence that holds it."""
    words = [re.escape(word) for word in unicodedata.normalize("NFKC", quote).split()]
    if not words:
        return
    wanted = re.compile(r"\s*".join(words), re.IGNORECASE)
    for each in sentences(own):
        text = unicodedata.normalize("NFKC", each.text)
        if match := wanted.search(text):
            yield text[: match.start()]


def _is_anothers_sentence(quotation: str) -> bool:
    if quotation.lstrip().startswith((">", "```", "~~~")):
        return True
    han = len(_HAN.findall(quotation))
    return han >= LONG_QUOTATION_HAN or len(_WORD.findall(_HAN.sub(" ", quotation))) >= LONG_QUOTATION_WORDS

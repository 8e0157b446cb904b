"""Which of Orca's two languages a text is written in. Code, paths and addresses say nothing about it."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["zh", "en"]

_NO_LANGUAGE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://[!-~]+|(?<!\S)(?:~|\.\.?)/\S+"
    r"|(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]*[/\\][A-Za-z0-9_./\\-]+",
    re.DOTALL,
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_ENGLISH_GRAMMAR = re.compile(
    r"\b(?:a|an|and|are|as|at|be|but|by|can|could|did|do|does|for|from|had|has|have|how|i|if|in|is|it|its|me|my|not|of"
    r"|on|or|our|please|should|so|that|the|their|them|there|they|this|to|was|we|were|what|when|where|which|who|why"
    r"|will|with|would|you|your)\b",
    re.IGNORECASE | re.ASCII,
)
# "My favourite city is 东京" has two words of English grammar to two Chinese characters; a text whose grammar is
# Chinese ("docker 里的 postgres 连不上") has hardly any, however many names it is made of.
_HAN_PER_GRAMMAR_WORD = 2.5
_LETTERS_READ = 20_000


def language_of(text: str) -> Language:
    """The language of a text that may mix both; a text without letters is English."""
    prose = _NO_LANGUAGE.sub(" ", text[:_LETTERS_READ])
    han = len(_HAN.findall(prose))
    if not han:
        return "en"
    return "zh" if han > _HAN_PER_GRAMMAR_WORD * len(_ENGLISH_GRAMMAR.findall(prose)) else "en"

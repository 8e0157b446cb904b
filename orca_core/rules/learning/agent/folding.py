"""When a long conversation is folded into its running summary, and how far."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orca_core import words
from orca_core.model.sessions import Round
from orca_core.rules.learning.agent.transcripts import shortened
from orca_core.rules.text.cleaning import clean_message, cut
from orca_core.rules.text.languages import Language

KEPT_SHARE = 0.5
"""Folding goes on until what stays verbatim is this share of the trigger.

Chosen by hand; `benchmarks/long_conversation.py` shows what it comes to: tokens of the prompt, and how many folds."""
ALWAYS_VERBATIM = 2
"""The latest rounds are never folded: the conversation goes on from them, and they may still be replaced."""
MAX_FOLD_CHARS = 24_000
MAX_USER_CHARS = 1500
MAX_ASSISTANT_CHARS = 1500
"""They bound what one fold asks the memory agent to read. Chosen by hand."""
MAX_SUMMARY_CHARS = 4000
"""It bounds what a summary takes of every prompt behind it, whatever the memory agent answers. Chosen by hand."""

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def max_summary_words(language: Language) -> int:
    """How many words (in Chinese: characters) a running summary may have in a language."""
    return int(words.text("language.limits", "summary_words", language))


def fold_through(rounds: Sequence[Round], costs: Sequence[int], trigger_tokens: int) -> int | None:
    """The number of the last round to fold; None where nothing should be folded.

    `rounds` are those after the summary, `costs` their tokens. Nothing is folded while they weigh no more than the
    trigger. One fold takes no more than it can read."""
    total = sum(costs)
    if total <= trigger_tokens:
        return None
    chars = 0
    last: int | None = None
    for each, cost in zip(rounds[: max(0, len(rounds) - ALWAYS_VERBATIM)], costs, strict=False):
        chars += len(line(each))
        if total <= trigger_tokens * KEPT_SHARE or (last is not None and chars > MAX_FOLD_CHARS):
            break
        total -= cost
        last = each.number
    return last


def material(rounds: Sequence[Round]) -> str:
    """The rounds as the summarizer reads them."""
    return "\n\n".join(line(each) for each in rounds)


def line(each: Round) -> str:
    said = shortened(each.user, MAX_USER_CHARS)
    answered = shortened(each.assistant, MAX_ASSISTANT_CHARS)
    return f"[{each.number}] user: {said}\n[{each.number}] assistant: {answered}"


def read_summary(answer: str) -> str:
    """The summary in an answer; empty where there is none."""
    text = clean_message(_THINKING.sub("", answer)).strip()
    return cut(text, MAX_SUMMARY_CHARS)

"""Estimate how many tokens a text has, by rules without a tokenizer, and cut a text to so many. A provider's count
corrects the estimate."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import lru_cache

from orca_core.model.llm import ChatMessage, ChatRequest
from orca_core.rules.text.cleaning import ELLIPSIS, cut_text

TOKENS_PER_MESSAGE = 4
"""About what a chat template adds around each message. Servers differ; what they count corrects it."""

TRUSTED_RATIOS = (0.25, 4.0)
"""A provider whose count is further from the rules than this counts something else. Chosen by hand."""

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
# (runs of one kind, the cost of a run's first character, the cost of every further one). What tokenizers count bounds
# them, by the cases of tests/rules/text/test_token_count.py.
_RUNS = (
    (r"[A-Za-z]+", 0.84, 0.09),
    (r"[0-9]+", 0.8, 0.34),
    (rf"[{_CJK}]+", 0.7, 0.7),
    (r"\n+", 0.5, 0.1),
    (r"[!-/:-@\[-`{-~]+", 0.6, 0.4),
    (rf"[^\x00-\x7f{_CJK}]+", 0.8, 0.8),
)

KEPT_CHARS = 4_096
"""Of texts up to this length the estimate is kept: a turn asks several times about each message of its prompt, and the
next turn again."""


def estimate(text: str) -> int:
    """About how many tokens a text is."""
    return _kept(text) if len(text) <= KEPT_CHARS else _estimated(text)


def _estimated(text: str) -> int:
    tokens = 0.0
    for pattern, first, further in _RUNS:
        runs = re.findall(pattern, text)
        tokens += first * len(runs) + further * (len("".join(runs)) - len(runs))
    return math.ceil(round(tokens, 6))


_kept = lru_cache(maxsize=1024)(_estimated)


def estimate_messages(messages: Sequence[ChatMessage], ratio: float | None = None) -> int:
    """About how many tokens a prompt is; `ratio` is what the provider counted over what the rules said."""
    return corrected_estimate(sum(TOKENS_PER_MESSAGE + estimate(message.content) for message in messages), ratio)


def estimate_request(request: ChatRequest) -> int:
    """About how many tokens a request is, with the tools that it offers and the calls that it repeats."""
    calls = [call.arguments for message in request.messages for call in message.calls]
    tools = [f"{tool.name} {tool.description} {json.dumps(tool.parameters)}" for tool in request.tools]
    beside = sum(TOKENS_PER_MESSAGE + estimate(text) for text in (*calls, *tools))
    return estimate_messages(request.messages) + beside


def corrected_estimate(estimated: int, ratio: float | None) -> int:
    """An estimate, corrected by the provider's ratio where one is known and can be true."""
    if ratio is None or not math.isfinite(ratio):
        return estimated
    lowest, highest = TRUSTED_RATIOS
    return math.ceil(estimated * min(max(ratio, lowest), highest))


def cut_to_tokens(text: str, most_tokens: int) -> str:
    """The text where it fits, else its beginning with … behind it; nothing where no word fits. A word that is longer
    than all that there is room for is cut."""
    if estimate(text) <= most_tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle] + ELLIPSIS) <= most_tokens:
            low = middle
        else:
            high = middle - 1
    beginning = _to_a_word_end(text, len(cut_text(text, low)))
    return beginning + ELLIPSIS if beginning else ""


def _to_a_word_end(text: str, end: int) -> str:
    """The beginning up to `end`, or to the last end of a word before it."""
    at = end
    while 0 < at < len(text) and _is_in_a_word(text[at - 1], text[at]):
        at -= 1
    return text[: at or end].rstrip(" ,;:，；：、-—")


def _is_in_a_word(before: str, behind: str) -> bool:
    """Tell whether a word of letters or figures goes on from one character to the next; Chinese has no such words."""
    return before.isascii() and behind.isascii() and not before.isspace() and not behind.isspace()

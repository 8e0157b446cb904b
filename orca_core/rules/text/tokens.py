"""How many tokens a text has, estimated by rules without a tokenizer. What a provider counts corrects the estimate."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from orca_core.domain.messages import ChatMessage

TOKENS_PER_MESSAGE = 4
"""About what a chat template adds around each message. Servers differ; what they count corrects it."""

TRUSTED_RATIOS = (0.25, 4.0)
"""A provider whose count is further from the rules than this counts something else. Chosen by hand."""

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(
    r"(?P<word>[A-Za-z]+)"
    r"|(?P<digits>[0-9]+)"
    rf"|(?P<cjk>[{_CJK}]+)"
    r"|(?P<newlines>\n+)"
    r"|(?P<punctuation>[!-/:-@\[-`{-~]+)"
    rf"|(?P<other>[^\x00-\x7f{_CJK}]+)"
)
# (the cost of a run's first character, the cost of every further one). What tokenizers count bounds them, by the cases
# of tests/rules/text/test_tokens.py.
_COST = {
    "word": (0.84, 0.09),
    "digits": (0.8, 0.34),
    "cjk": (0.7, 0.7),
    "newlines": (0.5, 0.1),
    "punctuation": (0.6, 0.4),
    "other": (0.8, 0.8),
}


def estimate(text: str) -> int:
    """About how many tokens a text is."""
    tokens = 0.0
    for run in _RUN.finditer(text):
        first, further = _COST[run.lastgroup or "other"]
        tokens += first + further * (run.end() - run.start() - 1)
    return math.ceil(round(tokens, 6))


def estimate_messages(messages: Sequence[ChatMessage], ratio: float | None = None) -> int:
    """About how many tokens a prompt is; `ratio` is what the provider counted over what the rules said."""
    return corrected(sum(TOKENS_PER_MESSAGE + estimate(message.content) for message in messages), ratio)


def corrected(estimated: int, ratio: float | None) -> int:
    """An estimate, corrected by the provider's ratio where one is known and can be true."""
    if ratio is None or not math.isfinite(ratio):
        return estimated
    lowest, highest = TRUSTED_RATIOS
    return math.ceil(estimated * min(max(ratio, lowest), highest))

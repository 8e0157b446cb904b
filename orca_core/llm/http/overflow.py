"""What a refusal for length says in numbers: what the model takes, what the prompt had, what the answer was to have."""

from __future__ import annotations

import re
from typing import TypedDict

_PLAUSIBLE_LIMITS = range(128, 100_000_000)
_PLAUSIBLE_COUNTS = range(1, 100_000_000)
_N = r"(\d[\d,]{0,11})"

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|available context size"
    r"|context size has been exceeded|max_seq_len|\b1261\b|prompt 超长|exceeds? (?:the )?context (?:limit|window)"
    r"|model'?s context length|ContextWindowExceeded|input is too long|too many tokens|context length of only"
    r"|prompt is too long|exceeds the context length|exceeded max context length|n_keep \(\d+\) >= n_ctx"
    r"|model token limit|max length exceeded|maximum (?:prompt|model|input) length|maximum number of tokens allowed"
    r"|range of input length should be|exceed the configured limit",
    re.IGNORECASE,
)

_LIMITS = (
    rf"context length (?:is|of) (?:only )?{_N}",  # OpenAI, DeepSeek, vLLM, LM Studio
    rf"available context size \({_N}",  # llama.cpp
    rf"n_ctx[\"']?\s*[:=(]\s*\(?{_N}",  # llama.cpp, LM Studio
    rf"max_seq_len\s*[:=(]?\s*\(?{_N}",  # SiliconFlow
    rf"context (?:window|size)(?: of| is|:)? \(?{_N}",  # llama-cpp-python
    rf"model'?s context length \({_N}",  # SGLang
    rf"> {_N} maximum",  # Anthropic
    rf"context limit: \d+ \+ \d+ > {_N}",
    rf"{_N} maximum context length",  # Mistral
    rf"maximum number of tokens allowed \({_N}",  # Gemini
    rf"model token limit:? {_N}",  # Moonshot
    rf"max length: ?{_N}",
    rf"maximum (?:prompt|model|input) length (?:is|of) {_N}",  # xAI, vLLM
    rf"input length should be \[\d+, ?{_N}\]",  # DashScope
    rf"configured limit of {_N}",  # OpenAI
)
_PROMPTS = (
    rf"n_prompt_tokens[\"']?\s*[:=]\s*{_N}",  # llama.cpp
    rf"\({_N} (?:in (?:the messages|your prompt)|of text input)",  # OpenAI, vLLM, OpenRouter
    rf"resulted in {_N} tokens",
    rf"(?:request has|you passed|contains) {_N} (?:input )?tokens",  # vLLM, Mistral, xAI
    rf"{_N} tokens from the input messages",  # SGLang
    rf"(?:request|input|prompt) \((?:length )?{_N}",  # llama.cpp, SGLang, vLLM
    rf"prompt is too long: {_N}",  # Anthropic
    rf"(?:prompt_tokens|requested tokens|token count|n_keep) \({_N}",  # SiliconFlow, Gemini, LM Studio
    rf"keep the first {_N} tokens",  # LM Studio
)
_ANSWERS = (
    rf"{_N} (?:in the completion|for +the completion|in the output|output tokens)",
    rf"{_N} tokens for the completion",
)


class Overflow(TypedDict):
    """What a refusal says; None where it does not."""

    limit: int | None
    prompt_tokens: int | None
    answer_tokens: int | None


def is_overflow(signs: str) -> bool:
    """Whether an error is about a prompt that is too long."""
    return _TOO_LONG.search(signs) is not None


def overflow_in(text: str) -> Overflow:
    """The numbers in such an error, whole as it came: JSON, or a sentence."""
    return Overflow(
        limit=_first(_LIMITS, text, _PLAUSIBLE_LIMITS),
        prompt_tokens=_first(_PROMPTS, text, _PLAUSIBLE_COUNTS),
        answer_tokens=_first(_ANSWERS, text, _PLAUSIBLE_COUNTS),
    )


def _first(patterns: tuple[str, ...], text: str, plausible: range) -> int | None:
    for pattern in patterns:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            number = int(found[1].replace(",", ""))
            if number in plausible:
                return number
    return None

"""What a chunk of a streamed answer says, whatever the server calls it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from orca_core.llm.calls import CallPiece, pieces_in
from orca_core.llm.http.failures import error_text
from orca_core.model.llm import Finish, Usage

_FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "tool_calls": Finish.STOP,
    "function_call": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
    "sensitive": Finish.FILTERED,
}
"""Words for a good end; any other (`network_error`, `error` …) is none."""


REASONING_NAMES = ("reasoning_content", "reasoning", "reasoning_text")
"""What servers call what a model thinks; of several in one piece the first counts, for they say the same."""


class Chunk(Struct, frozen=True):
    """One piece of the first answer: text, reasoning and what the server calls it, calls of tools, how it ended, what
    it cost, and an error that came in its place (`error_json`: all of it)."""

    text: str = ""
    reasoning: str = ""
    reasoning_name: str = ""
    finish: str = ""
    usage: Usage | None = None
    error: str = ""
    refusal: str = ""
    calls: tuple[CallPiece, ...] = ()
    error_json: str = ""


def parsed(data: str) -> dict[str, Any] | None:
    """A chunk's JSON object; None where it is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_chunk(body: Mapping[str, Any]) -> Chunk:
    """What a chunk, or a whole answer in one object, says."""
    choice = _first(body.get("choices"))
    delta = choice.get("delta") or choice.get("message") or {}
    if not isinstance(delta, dict):
        delta = {}
    error = body.get("error") or choice.get("error")
    named = next((name for name in REASONING_NAMES if _text(delta.get(name))), "")
    return Chunk(
        text=_text(delta.get("content")) or _text(choice.get("text")),
        reasoning=_text(delta.get(named)),
        reasoning_name=named,
        finish=_text(choice.get("finish_reason")),
        usage=read_usage(body.get("usage")) or read_usage(choice.get("usage")),
        error=error_text(error) if error else "",
        refusal=_text(delta.get("refusal")),
        calls=pieces_in(delta),
        error_json=json.dumps(error, ensure_ascii=False) if error else "",
    )


def finish_of(word: str) -> Finish | None:
    """How an answer ended; None where the word tells of no good end."""
    return _FINISHES.get(word)


def read_usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt = _count(value.get("prompt_tokens"))
    completion = _count(value.get("completion_tokens"))
    if prompt + completion == 0:
        return None
    details = value.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    spent = value.get("completion_tokens_details")
    reasoning = _count(spent.get("reasoning_tokens")) if isinstance(spent, dict) else 0
    cached = cached or _count(value.get("prompt_cache_hit_tokens"))
    return Usage(prompt, completion, cached, reasoning, _amount(value.get("cost")))


def _first(choices: object) -> dict[str, Any]:
    """The choice with index 0, or the first one without any: where several answers were asked for, one is read."""
    if not isinstance(choices, list):
        return {}
    return next((each for each in choices if isinstance(each, dict) and each.get("index") in (0, None)), {})


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _amount(value: object) -> float | None:
    """What is charged, in the provider's currency: OpenRouter says it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None

"""What a chunk of a streamed answer says, whatever the server calls it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orca_core.domain.messages import Finish, Usage
from orca_core.http.failures import error_text

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


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece: text, reasoning, how it ended, what it cost, and an error that came in its place."""

    text: str = ""
    reasoning: str = ""
    finish: str = ""
    usage: Usage | None = None
    error: str = ""
    refusal: str = ""


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
    return Chunk(
        text=_text(delta.get("content")) or _text(choice.get("text")),
        reasoning=_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")),
        finish=_text(choice.get("finish_reason")),
        usage=read_usage(body.get("usage")),
        error=error_text(error) if error else "",
        refusal=_text(delta.get("refusal")),
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
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    return {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _amount(value: object) -> float | None:
    """What is charged, in the provider's currency: OpenRouter says it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


class ThinkingSplitter:
    """Tells `<think>…</think>` inside an answer's text from the answer, across any cut."""

    OPEN, CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._thinks = False
        self._at_start = True
        self._trims = False

    def feed(self, text: str) -> tuple[str, str]:
        """(answer, reasoning) in what has come so far and not been given yet."""
        self._held += text
        return self._take(is_end=False)

    def finish(self) -> tuple[str, str]:
        return self._take(is_end=True)

    def _take(self, *, is_end: bool) -> tuple[str, str]:
        answer, reasoning = "", ""
        while self._held:
            if self._at_start and not self._thinks:
                stripped = self._held.lstrip()
                if stripped.startswith(self.OPEN):
                    self._held, self._thinks = stripped[len(self.OPEN) :], True
                elif self.OPEN.startswith(stripped) and not is_end:
                    break
                self._at_start = False
                continue
            if not self._thinks:
                if self._trims:
                    self._held = self._held.lstrip("\n")
                    self._trims = not self._held
                answer, self._held = answer + self._held, ""
                break
            before, close, after = self._held.partition(self.CLOSE)
            if close:
                reasoning += before
                self._held, self._thinks, self._trims = after, False, True
                continue
            keep = 0 if is_end else _overlap(self._held, self.CLOSE)
            reasoning += self._held[: len(self._held) - keep]
            self._held = self._held[len(self._held) - keep :]
            break
        return answer, reasoning


def _overlap(text: str, mark: str) -> int:
    """How many characters at the end of the text may begin the mark."""
    return next((size for size in range(min(len(text), len(mark) - 1), 0, -1) if mark.startswith(text[-size:])), 0)

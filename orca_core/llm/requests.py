"""The body of a chat request, and what a server taught us to leave out of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.domain.messages import ChatRequest

OPTIONAL = ("stream_options", "response_format", "temperature", "max_tokens")
RENAMED = {"max_tokens": "max_completion_tokens"}


class RequestShape:
    """The fields that this server takes, learnt from its refusals while the client lives."""

    def __init__(self, extra_body: Mapping[str, object]) -> None:
        self._extra_body = dict(extra_body)
        self._dropped: set[str] = set()
        self._renamed: set[str] = set()

    def body(self, model: str, request: ChatRequest) -> dict[str, Any]:
        """The JSON to send. Lone surrogates are replaced: they are no Unicode that a server could read."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": each.role, "content": _readable(each.content)} for each in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body["max_tokens"] = request.max_tokens
        if request.json_object:
            body["response_format"] = {"type": "json_object"}
        for name in self._dropped:
            body.pop(name, None)
        for name in self._renamed:
            if name in body:
                body[RENAMED[name]] = body.pop(name)
        return {**body, **self._extra_body}

    def learn(self, detail: str, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal names a field that can be left out or renamed; that is done from now on."""
        for name in OPTIONAL:
            if name not in sent or name in self._extra_body or name not in detail:
                continue
            if name in RENAMED and RENAMED[name] in detail:
                self._renamed.add(name)
            else:
                self._dropped.add(name)
            return True
        return False


def _readable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

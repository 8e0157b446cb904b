"""The body of a chat request, and what a server taught us to leave out of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.domain.messages import ChatRequest

OPTIONAL = ("stream_options", "response_format", "temperature", "max_tokens")
RENAMED = {"max_tokens": "max_completion_tokens"}
_SCHEMA, _OBJECT = "json_schema", "json_object"


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
            schema = request.schema
            if schema is not None and _SCHEMA not in self._dropped:
                body["response_format"] = {"type": _SCHEMA, _SCHEMA: {"name": schema.name, "schema": schema.shape}}
            elif _OBJECT not in self._dropped:
                body["response_format"] = {"type": _OBJECT}
        for name in self._dropped:
            body.pop(name, None)
        for name in self._renamed:
            if name in body:
                body[RENAMED[name]] = body.pop(name)
        return {**body, **self._extra_body}

    def learn(self, detail: str, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal may be about what can be left out, renamed or said more simply; that is done from now on.
        The schema of an answer, which few servers take, is refused in many words."""
        own = {name: value for name, value in sent.items() if name not in self._extra_body}
        form = own["response_format"]["type"] if "response_format" in own else ""
        for name in OPTIONAL:
            if name in own and name in detail:
                if name in RENAMED and RENAMED[name] in detail:
                    self._renamed.add(name)
                else:
                    self._dropped.add(form if name == "response_format" else name)
                return True
        if form == _SCHEMA:
            self._dropped.add(_SCHEMA)
        return form == _SCHEMA


def _readable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

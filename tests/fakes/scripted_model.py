"""A chat model that says what a test wrote down for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta, Usage

Step = ModelEvent | Exception | Callable[[], Awaitable[None]]


def says(text: str, *, pieces: int = 3, usage: Usage | None = None, finish: Finish = Finish.STOP) -> list[Step]:
    """An answer in so many pieces, ended well."""
    size = max(1, -(-len(text) // pieces))
    steps: list[Step] = [TextDelta(text[start : start + size]) for start in range(0, len(text), size)]
    return [*steps, Completed(finish, usage)]


class ScriptedModel:
    """Plays one script a call, the last one for ever; keeps every request."""

    provider = "scripted"
    model = "scripted-1"
    endpoint = "http://scripted/v1"

    def __init__(self, *scripts: Sequence[Step], context_tokens: int = 64_000, is_demo: bool = False) -> None:
        self.scripts = [list(script) for script in scripts] or [says("ok")]
        self.requests: list[ChatRequest] = []
        self.context_tokens = context_tokens
        self.is_demo = is_demo
        self.closed_streams = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        script = self.scripts[min(len(self.requests), len(self.scripts) - 1)]
        self.requests.append(request)
        try:
            for step in script:
                if isinstance(step, Exception):
                    raise step
                if callable(step):
                    await step()
                else:
                    await asyncio.sleep(0)
                    yield step
        finally:
            self.closed_streams += 1

    async def aclose(self) -> None:
        return None

    def last_prompt(self) -> list[str]:
        """The texts of the latest request."""
        return [message.content for message in self.requests[-1].messages]


async def hang() -> None:
    """A step at which the model falls silent."""
    await asyncio.sleep(3600)

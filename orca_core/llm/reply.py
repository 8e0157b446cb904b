"""One answer while it is read: what was said so far, and whether its end was a good one."""

from __future__ import annotations

from orca_core.domain.errors import BadModelReply, ModelUnavailable
from orca_core.domain.messages import Completed, Finish, ModelEvent, ReasoningDelta, TextDelta, Usage
from orca_core.http import failures
from orca_core.llm.chunks import Chunk, ThinkingSplitter, finish_of, parsed, read_chunk

DONE = "[DONE]"


class Reply:
    """Takes the data of events and gives back what they mean. Raises ModelError."""

    MAX_BYTES = 4_194_304

    def __init__(self, provider: str, api_key: str | None) -> None:
        self._provider = provider
        self._api_key = api_key
        self._splitter = ThinkingSplitter()
        self._finish_word = ""
        self._usage: Usage | None = None
        self.is_done = False
        self._length = 0
        self._unreadable = 0
        self._is_empty = True
        self._high_surrogate = ""
        self.has_begun = False

    @property
    def is_complete(self) -> bool:
        """Whether the answer said that it was over, however the body ends."""
        return self.is_done or bool(self._finish_word)

    def take(self, data: str) -> list[ModelEvent]:
        """The events in one event's data."""
        self._is_empty = False
        if data.strip() == DONE:
            self.is_done = True
            return []
        body = parsed(data)
        if body is None:
            self._unreadable += bool(data.strip())
            return []
        return self._take_chunk(read_chunk(body))

    def take_whole(self, text: str) -> list[ModelEvent]:
        """The events in an answer that came as one object."""
        events = self.take(text)
        self.is_done = True
        return events

    def end(self) -> list[ModelEvent]:
        """The last events, once the body has ended: always with `Completed`."""
        answer, reasoning = self._splitter.finish()
        events = self._said(
            answer + self._high_surrogate.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), reasoning
        )
        if self._finish_word and finish_of(self._finish_word) is None:
            raise ModelUnavailable(
                template="{provider}: the answer ended abnormally ({detail})", hint="try again",
                provider=self._provider, detail=self._finish_word[:40],
            )  # fmt: skip
        if self._is_empty:
            raise ModelUnavailable(
                template="{provider}: the server sent nothing", hint="try again", provider=self._provider
            )
        if not self.is_complete:
            if not self.has_begun and not events:
                raise BadModelReply(
                    template="{provider}: the server sent no answer that can be read", hint="check {provider}.base_url",
                    provider=self._provider,
                )  # fmt: skip
            raise ModelUnavailable(
                template="{provider}: the answer was cut off", hint="try again", provider=self._provider
            )
        if not self.has_begun and not events:
            raise BadModelReply(
                template="{provider}: the model answered with nothing",
                hint="the prompt may be longer than its context: set {provider}.context_tokens",
                provider=self._provider,
            )
        note = f"{self._unreadable} unreadable pieces were left out" if self._unreadable else ""
        return [*events, Completed(finish_of(self._finish_word) or Finish.STOP, self._usage, note)]

    def too_long(self) -> BadModelReply:
        return BadModelReply(template="{provider}: the answer is longer than 4 MB", provider=self._provider)

    def _take_chunk(self, chunk: Chunk) -> list[ModelEvent]:
        if chunk.error:
            raise failures.error_in_stream(self._provider, chunk.error, self._api_key)
        self._finish_word = chunk.finish or self._finish_word
        self._usage = chunk.usage or self._usage
        self._length += len(chunk.text) + len(chunk.reasoning)
        if self._length > self.MAX_BYTES:
            raise self.too_long()
        answer, thinking = self._splitter.feed(self._whole_characters(chunk.text + chunk.refusal))
        return self._said(answer, chunk.reasoning + thinking)

    def _said(self, answer: str, reasoning: str) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        if reasoning:
            events.append(ReasoningDelta(reasoning))
        if answer:
            events.append(TextDelta(answer))
        self.has_begun = self.has_begun or bool(events)
        return events

    def _whole_characters(self, text: str) -> str:
        """Text without a surrogate pair cut in two: its first half waits for the second."""
        text = self._high_surrogate + text
        self._high_surrogate = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._high_surrogate, text = text[-1], text[:-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

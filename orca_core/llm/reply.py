"""One answer while it is read: from the bytes of a body to what was said, and whether its end was a good one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Any

from orca_core.llm.calls import Calls, readable
from orca_core.llm.chunks import finish_of, parsed, read_chunk
from orca_core.llm.http import failures
from orca_core.llm.leaked_calls import LeakedCalls
from orca_core.llm.speech import Speech
from orca_core.llm.sse import EventStream
from orca_core.model.errors import BadModelReply, ModelError, ModelUnavailable
from orca_core.model.llm import (
    Completed,
    Finish,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolsCalled,
    Usage,
)

DONE = "[DONE]"
TOOL_CALLS = frozenset({"tool_calls", "function_call"})
_BLANKS = b"\xef\xbb\xbf \t\r\n"


class Body(Enum):
    """What a body is, by its first byte, for content types lie; and whether it is over."""

    UNKNOWN = auto()
    STREAM = auto()
    WHOLE = auto()  # one JSON object in the place of a stream
    DONE = auto()  # whatever comes now is not read


class Reply:
    """Feed it the bytes of a body as they come; it gives back what they mean. However they are cut, it is the same."""

    MAX_BYTES = 4_194_304

    def __init__(
        self, provider: str, api_key: str | None, tools: Collection[str] = (), taken_ids: Collection[str] = ()
    ) -> None:
        """`tools`: names of those that the model may call; without any, calls are no answer. `taken_ids`: of calls
        before this answer."""
        self._provider = provider
        self._api_key = api_key
        self._body = Body.UNKNOWN
        self._stream = EventStream(provider)
        self._head = bytearray()
        self._speech = Speech()
        self._text = _Characters()
        self._reasoning = _Characters()
        self._length = 0
        self._finish_word = ""
        self._usage: Usage | None = None
        self._events = 0
        self._unreadable = 0
        self._tools = tools
        self._taken_ids = taken_ids
        self._calls = Calls(taken_ids)
        self._leaked = LeakedCalls(tools)
        self._calls_tools = False
        self._has_text = False
        self.reasoning_name = ""
        self._has_choices = False
        self._has_others = False
        self.has_begun = False

    @property
    def is_done(self) -> bool:
        """Nothing more is read."""
        return self._body is Body.DONE

    @property
    def is_complete(self) -> bool:
        """Whether the answer said that it was over, however the body ends."""
        return self.is_done or bool(self._finish_word)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was said in it."""
        return not self._has_text

    def feed(self, piece: bytes) -> Iterator[ModelEvent]:
        """What this piece says. Raises ModelError."""
        if self._body in (Body.UNKNOWN, Body.WHOLE):
            self._head += piece
            if len(self._head) > self.MAX_BYTES:
                raise self._too_long()
        if self._body is Body.UNKNOWN:
            self._body = self._kind()
            piece = bytes(self._head)
        if self._body is Body.STREAM:
            for data in self._stream.feed(piece):
                yield from self._take(data)
                if self.is_done:
                    return

    def end(self) -> Iterator[ModelEvent]:
        """The last events, once the body has ended: always with `Completed`, before it the calls, if any. Raises
        ModelError where that is no good end."""
        if self._body is Body.STREAM:
            for data in self._stream.finish():
                if not self.is_done:
                    yield from self._take(data)
        elif self._body is Body.WHOLE:
            yield from self._take_whole()
        rest = self._reasoning.finish()
        yield from self._said(self._text.finish(), rest)
        yield from self._heard(self._speech.finish())
        yield from self._shown(self._leaked.finish())
        calls = self._called()
        if (error := self._error(has_answer=bool(calls) or not self.is_blank)) is not None:
            raise error
        note = f"{self._unreadable} unreadable pieces were left out" if self._unreadable else ""
        if calls:
            yield ToolsCalled(calls)
        yield Completed(finish_of(self._finish_word) or Finish.STOP, self._usage, note)

    def _kind(self) -> Body:
        first = self._head.lstrip(_BLANKS)[:1]
        if first == b"<":
            raise BadModelReply(
                template="{provider}: the server answered with a web page",
                hint="check {provider}.base_url", provider=self._provider,
            )  # fmt: skip
        if not first:
            return Body.UNKNOWN
        return Body.WHOLE if first in b"{[" else Body.STREAM

    def _take(self, data: str) -> Iterator[ModelEvent]:
        """The events in one event's data."""
        self._events += 1
        if data.strip() == DONE:
            self._body = Body.DONE
            return
        body = parsed(data)
        if body is None:
            self._unreadable += bool(data.strip())
            return
        yield from self._take_body(body)

    def _take_whole(self) -> Iterator[ModelEvent]:
        body = parsed(self._head.lstrip(_BLANKS).decode("utf-8", "replace"))
        if body is None:
            raise BadModelReply(template="{provider}: the server's answer can not be read", provider=self._provider)
        self._events += 1
        yield from self._take_body(body)
        self._body = Body.DONE

    def _take_body(self, body: Mapping[str, Any]) -> Iterator[ModelEvent]:
        self._has_choices = self._has_choices or "choices" in body
        self._has_others = self._has_others or "choices" not in body
        chunk = read_chunk(body)
        self._finish_word = chunk.finish or self._finish_word
        self._usage = chunk.usage or self._usage
        self.reasoning_name = self.reasoning_name or chunk.reasoning_name
        for piece in chunk.calls:
            self._calls.take(piece)
            self._calls_tools = self.has_begun = True
            self._length += len(piece.name) + len(piece.arguments)
        self._length += len(chunk.text) + len(chunk.refusal) + len(chunk.reasoning)
        if self._length > self.MAX_BYTES:
            raise self._too_long()
        yield from self._said(self._text.whole(chunk.text + chunk.refusal), self._reasoning.whole(chunk.reasoning))
        if chunk.error:
            raise failures.error_in_stream(self._provider, chunk.error, self._api_key, chunk.error_json)

    def _said(self, text: str, reasoning: str) -> Iterator[ModelEvent]:
        if reasoning:
            yield from self._heard(self._speech.think(reasoning))
        if text:
            yield from self._heard(self._speech.speak(text))

    def _heard(self, events: Iterable[ModelEvent]) -> Iterator[ModelEvent]:
        """What was said or thought, without the calls that are written into the text."""
        for event in events:
            self.has_begun = True
            match event:
                case TextDelta(text):
                    yield from self._shown(self._leaked.feed(text))
                case ReasoningDelta(text, takes_back=True):
                    self._has_text = False
                    yield ReasoningDelta(self._leaked.take_back() + text, takes_back=True)
                case _:
                    yield event

    def _shown(self, text: str) -> Iterator[ModelEvent]:
        self._has_text = self._has_text or bool(text.strip())
        if text:
            yield TextDelta(text)

    def _called(self) -> tuple[ToolCall, ...]:
        """The calls; those in the text only where the server found none itself."""
        if not self._tools:
            return ()
        was_cut = finish_of(self._finish_word) is Finish.LENGTH
        calls = self._calls.finish(was_cut=was_cut)
        if not calls:
            leaked = Calls(self._taken_ids)
            for piece in self._leaked.calls:
                leaked.take(piece)
            calls = leaked.finish(was_cut=was_cut)
        return calls

    def _error(self, *, has_answer: bool) -> ModelError | None:
        """What is wrong with how it ended."""
        if self._finish_word and finish_of(self._finish_word) is None:
            return ModelUnavailable(
                template="{provider}: the answer ended abnormally ({detail})", hint="try again",
                provider=self._provider, detail=self._finish_word[:40],
            )  # fmt: skip
        if not self._events:
            return self._bad(template="{provider}: the server sent nothing", hint="try again", kind=ModelUnavailable)
        means_nothing = self._unreadable or (self._has_others and not self._has_choices)
        if not has_answer and not self._speech.has_thoughts and means_nothing:
            return self._bad(
                template="{provider}: the server sent no answer that can be read", hint="check {provider}.base_url"
            )
        if not self.is_complete:
            return self._bad(template="{provider}: the answer was cut off", hint="try again", kind=ModelUnavailable)
        return None if has_answer else self._blank()

    def _blank(self) -> ModelError:
        """Why there is no answer, though it ended well."""
        finish = finish_of(self._finish_word)
        if finish is Finish.FILTERED:
            return self._bad(
                template="{provider}: a filter withheld the answer", hint="say it in other words, or use another model"
            )
        if self._calls_tools or self._finish_word in TOOL_CALLS:
            return self._bad(
                template="{provider}: the model called a tool instead of answering",
                hint="try again, or use another model",
            )
        if self._speech.has_thoughts and finish is Finish.LENGTH:
            return self._bad(
                template="{provider}: the model thought for so long that no room was left for an answer",
                hint="raise max_tokens or switch thinking off, in {provider}.extra_body",
            )
        if self._speech.has_thoughts:
            return self._bad(template="{provider}: the model thought, and then said nothing", hint="try again")
        if self._length:
            return self._bad(template="{provider}: the model answered with blanks alone", hint="try again")
        return self._bad(
            template="{provider}: the model answered with nothing",
            hint="the prompt may be longer than its context: set {provider}.context_tokens",
        )

    def _bad(self, *, template: str, hint: str, kind: type[ModelError] = BadModelReply) -> ModelError:
        return kind(template=template, hint=hint, provider=self._provider)

    def _too_long(self) -> BadModelReply:
        return BadModelReply(template="{provider}: the answer is longer than 4 MB", provider=self._provider)


class _Characters:
    """Text without surrogate pairs cut in two: a first half waits for its second."""

    def __init__(self) -> None:
        self._high = ""

    def whole(self, text: str) -> str:
        """More text; what of it, and of what waited, is whole characters."""
        if not text:
            return ""
        text = self._high + text
        self._high = ""
        if "\ud800" <= text[-1] <= "\udbff":
            self._high, text = text[-1], text[:-1]
        return readable(text)

    def finish(self) -> str:
        """A half that stayed alone."""
        alone, self._high = self._high, ""
        return readable(alone)

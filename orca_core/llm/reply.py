"""One answer while it is read: from the bytes of a body to what was said, and whether its end was a good one."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Any

from msgspec import Struct

from orca_core.llm.calls_in_text import CallsInText
from orca_core.llm.http import error_in_stream, error_text
from orca_core.llm.tool_calls import CallPiece, Calls, pieces_in, readable
from orca_core.model.errors import BadModelReply, ModelError, ModelUnavailable
from orca_core.model.llm import (
    Completed,
    Finish,
    ModelEvent,
    ModelToolCall,
    ReasoningDelta,
    TextDelta,
    ToolsCalled,
    Usage,
)

MAX_LINE_BYTES = 1_048_576
_BOM = b"\xef\xbb\xbf"


class EventStream:
    """Feed it bytes as they come; it gives back the data of every event that is whole, and counts the comments."""

    def __init__(self, provider: str, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._provider = provider
        self._max_line_bytes = max_line_bytes
        self._pending = b""
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._is_first = True
        self._skip_newline = False
        self.comments = 0

    def feed(self, piece: bytes) -> Iterator[str]:
        """The data of each event that this piece completes."""
        self._pending += piece
        if self._is_first:
            if len(self._pending) < len(_BOM) and _BOM.startswith(self._pending):
                return
            self._pending = self._pending.removeprefix(_BOM)
            self._is_first = False
        while (line := self._next_line()) is not None:
            if (event := self._take(line)) is not None:
                yield event
        self._check(len(self._pending))

    def finish(self) -> Iterator[str]:
        """The last event, which may lack its blank line or even its line end."""
        self._is_first = False
        if self._pending and (event := self._take(self._pending)) is not None:
            yield event
        self._pending = b""
        if self._data:
            yield self._flush()

    def _next_line(self) -> bytes | None:
        if self._skip_newline and self._pending:
            self._pending = self._pending.removeprefix(b"\n")
            self._skip_newline = False
        ends = [at for at in (self._pending.find(b"\n"), self._pending.find(b"\r")) if at >= 0]
        if not ends:
            return None
        end = min(ends)
        line, self._skip_newline = self._pending[:end], self._pending[end : end + 1] == b"\r"
        self._pending = self._pending[end + 1 :]
        return line

    def _take(self, line: bytes) -> str | None:
        self._check(len(line))
        if not line:
            return self._flush() if self._data else None
        if line.startswith(b":"):
            self.comments += 1
            return None
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
            self._data_bytes += len(value) + 1
            self._check(self._data_bytes)
        return None

    def _check(self, size: int) -> None:
        """Raise for a line that is too long, however the bytes were cut."""
        if size > self._max_line_bytes:
            raise BadModelReply(provider=self._provider, detail="a piece of its stream is longer than 1 MB")

    def _flush(self) -> str:
        text = b"\n".join(self._data).decode("utf-8", "replace")
        self._data.clear()
        self._data_bytes = 0
        return text


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


OPEN, CLOSE = "<think>", "</think>"
_QUOTES = "`'\"“‘「『"
_FENCE = "```"
MAX_LITERAL_TAGS = 20
"""After so many quoted tags no further one is taken for the end of reasoning."""


class SpeechState(Enum):
    """Where in an answer the text stands."""

    START = auto()  # nothing but blanks so far
    THINKING = auto()  # behind <think>
    SPEAKING = auto()  # an answer, unless a lone </think> shows that it was thinking
    BREAK = auto()  # between </think> and the answer
    ANSWERING = auto()  # an answer, whatever comes


class Speech:
    """A state machine over the text of one answer. Blanks before it are held back until it begins."""

    def __init__(self) -> None:
        self._state = SpeechState.START
        self._held = ""
        self._said: list[str] = []
        self._literal_tags = 0
        self.has_thoughts = False
        self.has_text = False

    def think(self, text: str) -> list[ModelEvent]:
        """Note that the server sends reasoning apart: the text behind it is not searched for tags."""
        if self._state is SpeechState.SPEAKING:
            self._state = SpeechState.ANSWERING
        self.has_thoughts = True
        return [ReasoningDelta(text)]

    def speak(self, text: str) -> list[ModelEvent]:
        """What is known by now of the text so far."""
        self._held += text
        return self._steps(is_end=False)

    def finish(self) -> list[ModelEvent]:
        """What was held back, at the end."""
        return self._steps(is_end=True)

    def _steps(self, *, is_end: bool) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        while self._held:
            before = (self._state, len(self._held))
            if (event := self._step(is_end=is_end)) is not None:
                events.append(event)
            if (self._state, len(self._held)) == before:
                break
        return events

    def _step(self, *, is_end: bool) -> ModelEvent | None:
        match self._state:
            case SpeechState.START:
                return self._begin(is_end=is_end)
            case SpeechState.THINKING:
                thought, found = self._up_to(CLOSE, is_end=is_end)
                self._state = SpeechState.BREAK if found else SpeechState.THINKING
                return self._thought(thought)
            case SpeechState.SPEAKING:
                return self._speak_on(is_end=is_end)
            case SpeechState.BREAK:
                self._held = self._held.lstrip("\r\n")
                self._state = SpeechState.ANSWERING if self._held else SpeechState.BREAK
                return None
            case SpeechState.ANSWERING:
                return self._text(self._take(len(self._held)))

    def _begin(self, *, is_end: bool) -> ModelEvent | None:
        begun = self._held.lstrip()
        for tag, state in ((OPEN, SpeechState.THINKING), (CLOSE, SpeechState.BREAK)):
            if begun.startswith(tag):
                self._held, self._state = begun[len(tag) :], state
                return None
        if is_end and not begun:
            self._held = ""
        elif is_end or not (OPEN.startswith(begun) or CLOSE.startswith(begun)):
            self._state = SpeechState.ANSWERING if self.has_thoughts else SpeechState.SPEAKING
        return None

    def _speak_on(self, *, is_end: bool) -> ModelEvent | None:
        text, found = self._up_to(CLOSE, is_end=is_end)
        if not found:
            return self._text(text)
        if self._is_literal(text):
            self._literal_tags += 1
            if self._literal_tags > MAX_LITERAL_TAGS:
                self._state = SpeechState.ANSWERING
            return self._text(text + CLOSE)
        self._state = SpeechState.BREAK
        takes_back, self.has_text = bool(self._said), False
        return self._thought(text, takes_back=takes_back)

    def _is_literal(self, text: str) -> bool:
        """Whether a tag behind this text is only spoken of: in quotes, in code, or with its opening tag before it."""
        said = "".join(self._said) + text
        return said.endswith(tuple(_QUOTES)) or said.count(_FENCE) % 2 == 1 or OPEN in said

    def _up_to(self, tag: str, *, is_end: bool) -> tuple[str, bool]:
        """The text before a tag, which is taken out, and whether it is there; without what may become one."""
        before, found, after = self._held.partition(tag)
        if found:
            self._held = after
            return before, True
        return self._take(len(before) - (0 if is_end else _overlap(before, tag))), False

    def _take(self, size: int) -> str:
        taken, self._held = self._held[:size], self._held[size:]
        return taken

    def _text(self, text: str) -> ModelEvent | None:
        if not text:
            return None
        if self._state is SpeechState.SPEAKING:
            self._said.append(text)
        self.has_text = self.has_text or bool(text.strip())
        return TextDelta(text)

    def _thought(self, text: str, *, takes_back: bool = False) -> ModelEvent | None:
        if not text and not takes_back:
            return None
        self.has_thoughts = True
        return ReasoningDelta(text, takes_back)


def _overlap(text: str, mark: str) -> int:
    """How many characters at the end of the text may begin the mark."""
    return next((size for size in range(min(len(text), len(mark) - 1), 0, -1) if mark.startswith(text[-size:])), 0)


DONE = "[DONE]"
TOOL_CALLS = frozenset({"tool_calls", "function_call"})
_BLANKS = b"\xef\xbb\xbf \t\r\n"


class Body(Enum):
    """What a body is, by its first byte, for content types lie; and whether it is over."""

    UNKNOWN = auto()
    STREAM = auto()
    WHOLE = auto()  # one JSON object in the place of a stream
    DONE = auto()  # whatever comes now is not read


class ReplyReader:
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
        self._leaked = CallsInText(tools)
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
            raise error_in_stream(self._provider, chunk.error, self._api_key, chunk.error_json)

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

    def _called(self) -> tuple[ModelToolCall, ...]:
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

"""Separates the answer from the reasoning in streamed text, however it is cut into pieces."""

from __future__ import annotations

from enum import Enum, auto

from orca_core.model.llm import ModelEvent, ReasoningDelta, TextDelta

OPEN, CLOSE = "<think>", "</think>"
_QUOTES = "`'\"“‘「『"
_FENCE = "```"
MAX_LITERAL_TAGS = 20
"""After so many quoted tags no further one is taken for the end of reasoning."""


class State(Enum):
    """Where in an answer the text stands."""

    START = auto()  # nothing but blanks so far
    THINKING = auto()  # behind <think>
    SPEAKING = auto()  # an answer, unless a lone </think> shows that it was thinking
    BREAK = auto()  # between </think> and the answer
    ANSWERING = auto()  # an answer, whatever comes


class Speech:
    """A state machine over the text of one answer. Blanks before it are held back until it begins."""

    def __init__(self) -> None:
        self._state = State.START
        self._held = ""
        self._said: list[str] = []
        self._literal_tags = 0
        self.has_thoughts = False
        self.has_text = False

    def think(self, text: str) -> list[ModelEvent]:
        """Note that the server sends reasoning apart: the text behind it is not searched for tags."""
        if self._state is State.SPEAKING:
            self._state = State.ANSWERING
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
            case State.START:
                return self._begin(is_end=is_end)
            case State.THINKING:
                thought, found = self._up_to(CLOSE, is_end=is_end)
                self._state = State.BREAK if found else State.THINKING
                return self._thought(thought)
            case State.SPEAKING:
                return self._speak_on(is_end=is_end)
            case State.BREAK:
                self._held = self._held.lstrip("\r\n")
                self._state = State.ANSWERING if self._held else State.BREAK
                return None
            case State.ANSWERING:
                return self._text(self._take(len(self._held)))

    def _begin(self, *, is_end: bool) -> ModelEvent | None:
        begun = self._held.lstrip()
        for tag, state in ((OPEN, State.THINKING), (CLOSE, State.BREAK)):
            if begun.startswith(tag):
                self._held, self._state = begun[len(tag) :], state
                return None
        if is_end and not begun:
            self._held = ""
        elif is_end or not (OPEN.startswith(begun) or CLOSE.startswith(begun)):
            self._state = State.ANSWERING if self.has_thoughts else State.SPEAKING
        return None

    def _speak_on(self, *, is_end: bool) -> ModelEvent | None:
        text, found = self._up_to(CLOSE, is_end=is_end)
        if not found:
            return self._text(text)
        if self._is_literal(text):
            self._literal_tags += 1
            if self._literal_tags > MAX_LITERAL_TAGS:
                self._state = State.ANSWERING
            return self._text(text + CLOSE)
        self._state = State.BREAK
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
        if self._state is State.SPEAKING:
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

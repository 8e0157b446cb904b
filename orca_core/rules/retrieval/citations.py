"""Citations such as `[m7]`: taken out of an answer while it streams, and kept as marks. Never inside code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache

from msgspec import Struct

from orca_core.model.recall import Citation
from orca_core.model.records import BUILT_IN_KINDS, Ref

# Words with single blanks between them: nothing in them can begin a citation, a fence or code.
_PLAIN = re.compile(r"[^`~\[【\n ]+(?: [^`~\[【\n ]+)*")
# No more of an answer is held back for what may become a mark: twenty references of ten characters. Chosen by hand.
_LONGEST_MARK = 200
_OPENING = "[【"


class _Marks(Struct, frozen=True):
    """What a citation looks like, for the letters of some kinds."""

    reference: re.Pattern[str]
    whole: re.Pattern[str]
    unfinished: re.Pattern[str]
    """What may yet become a mark: an opening bracket and nothing but references, separators and blanks behind it."""


@cache
def _marks(letters: str) -> _Marks:
    letter = f"[{re.escape(letters.lower() + letters.upper())}]"
    ref = rf"{letter}\d{{1,9}}"
    return _Marks(
        re.compile(ref),
        re.compile(rf"[\[【]\s*({ref}(?:\s*[,，、;；]\s*{ref})*)\s*[\]】](?!\()"),
        re.compile(rf"[\[【]\s*(?:{ref}\s*[,，、;；]\s*)*(?:{letter}\d{{0,9}}\s*)?$"),
    )


class CitationFilter:
    """Feed it an answer in pieces of any size; what it gives back is the answer without its citations.

    It holds back no more than what may yet become a citation, a fence or a run of backticks. `shown` is what the model
    was shown, `letters` are those that any reference may begin with: what was not shown is taken out, too.
    """

    def __init__(self, shown: Collection[Ref], letters: str = BUILT_IN_KINDS.letters) -> None:
        self._letters = letters
        self._shown_length = 0
        self._citations: list[Citation] = []
        self.go_on(shown)

    def go_on(self, shown: Iterable[Ref]) -> None:
        """What follows is another answer, to a model that was shown this: no code is open any more."""
        self._shown = {str(ref): ref for ref in shown}
        self._marks = _marks("".join(sorted({*self._letters, *(ref.kind.letter for ref in self._shown.values())})))
        self._begin()

    def take_back(self, length: int) -> None:
        """What came behind so many shown characters was no answer."""
        self._shown_length = length
        self._citations = [each for each in self._citations if each.at <= length]
        self._begin()

    def _begin(self) -> None:
        self._held = self._line = self._fence = self._inline = ""
        self._last = "\n"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The records cited so far, each place once, with offsets into the shown text."""
        return tuple(self._citations)

    def feed(self, piece: str) -> str:
        """More of the answer; what can be shown of it by now."""
        self._held += piece
        return self._take(is_end=False)

    def finish(self) -> str:
        """The rest, at the end of the answer."""
        return self._take(is_end=True)

    def _take(self, *, is_end: bool) -> str:
        shown: list[str] = []
        position = 0
        while position < len(self._held):
            step = self._step(position, is_end=is_end)
            if step is None:
                break
            text, position = step
            if text:
                shown.append(text)
                self._note(text)
        self._held = self._held[position:]
        return "".join(shown)

    def _step(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """What is shown next and where to go on; None where more must come first."""
        character = self._held[position]
        if character in "`~":
            return self._ticks(position, is_end=is_end)
        if character in _OPENING and not self._fence and not self._inline:
            return self._bracket(position, before=self._last, is_end=is_end)
        if character == " " and not self._fence and not self._inline:
            return self._blank(position, is_end=is_end)
        if character == "\n":
            self._inline = "" if self._last == "\n" else self._inline
        if plain := _PLAIN.match(self._held, position):
            return plain[0], plain.end()
        return character, position + 1

    def _ticks(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """A run of backticks or tildes: it opens or closes code, or is just text."""
        character = self._held[position]
        end = position
        while end < len(self._held) and self._held[end] == character:
            end += 1
        if end == len(self._held) and not is_end:
            return None
        run = self._held[position:end]
        at_line_start = not self._line.strip() and len(self._line) <= 3
        if self._fence:
            if at_line_start and run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._fence = ""
        elif at_line_start and len(run) >= 3:
            self._fence, self._inline = run, ""
        elif character == "`":
            if not self._inline:
                self._inline = run
            elif self._inline == run:
                self._inline = ""
        return run, end

    def _blank(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """A blank before a citation goes with it, unless a word follows right behind."""
        if position + 1 == len(self._held):
            return (" ", position + 1) if is_end else None
        if self._held[position + 1] not in _OPENING:
            return " ", position + 1
        step = self._bracket(position + 1, before=" ", is_end=is_end)
        if step is None or step[0]:
            return (" ", position + 1) if step else None
        follows_word = step[1] < len(self._held) and self._held[step[1]].isalnum()
        return (" " if follows_word else ""), step[1]

    def _bracket(self, position: int, *, before: str, is_end: bool) -> tuple[str, int] | None:
        """An opening bracket: a citation, the beginning of one, or just text."""
        mark = self._marks.whole.match(self._held, position)
        rest = self._held[position : position + _LONGEST_MARK]
        if mark is None:
            if not is_end and len(rest) < _LONGEST_MARK and self._marks.unfinished.fullmatch(rest):
                return None
            return self._held[position], position + 1
        if mark.end() == len(self._held) and not is_end:
            return None  # a "(" behind it would make it a link's label
        named = [_canonical(reference) for reference in self._marks.reference.findall(mark[1])]
        if before.isascii() and (before.isalpha() or before in "_])") and not self._shown.keys() >= set(named):
            return self._held[position], position + 1  # `rows[m9]`, without its backticks
        self._cite(named)
        return "", mark.end()

    def _cite(self, named: list[str]) -> None:
        for reference in named:
            if (ref := self._shown.get(reference)) is None:
                continue
            citation = Citation(ref, self._shown_length)
            if citation not in self._citations:
                self._citations.append(citation)

    def _note(self, text: str) -> None:
        self._shown_length += len(text)
        self._last = text[-1]
        self._line = "" if text[-1] == "\n" else (self._line + text)[-8:]


def _canonical(reference: str) -> str:
    """`M07` names what `m7` does."""
    return f"{reference[0].lower()}{int(reference[1:])}"

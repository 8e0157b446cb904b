"""What an empty chat says: what Orca is, and lines to take that show memory at work. Below the rounds the lines stay,
those that were taken ticked, until the user writes something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from gettext import gettext as _

from msgspec import Struct, field
from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from orca_core.model.errors import StorageError
from orca_core.model.events import Done, Event, Remembered, WeightMoved
from orca_core.model.llm import Source, Span
from orca_core.rules.text.typed_spans import join_spans
from orca_tui.app.chat.chat_state import Question
from orca_tui.app.widgets.text import cut, joined, literal, padded
from orca_tui.language import N_, sentence_and_way_out, spoken
from orca_tui.marks import Marks

INDENT = "     "
GAPS = (6, 4, 3, 2, 1)
"""Cells between the columns; the widest that there is room for. Chosen by hand."""
LISTED = 27
"""Cells of the longest listed line. Chosen by hand."""
OTHER_LANGUAGE = {"en": "记住：我用 neovim 写 Go", "zh": "remember: I write Go in neovim"}
"""A fact in the language that the interface does not speak; it is translated with `in Chinese`."""
_HELD = N_("? {count}: f5, then a accepts")


class Expected(StrEnum):
    """What a line shows."""

    MEMORY = "memory"
    USE = "use"
    REVIEW = "review"
    ANSWER = "answer"


class Line(Struct, frozen=True):
    """A message to take: what is sent, how it is listed, what it shows, what is to come of it."""

    spans: tuple[Span, ...]
    listed: str
    shows: str
    outcome: str
    expected: Expected

    @property
    def question(self) -> Question:
        return Question(join_spans(self.spans), self.spans)


def _teaching(text: str, shows: str, marks: Marks) -> Line:
    return Line((Span(text),), text, shows, _("{mark} a fact lives").format(mark=marks.active), Expected.MEMORY)


def _asking(text: str, before: float, marks: Marks) -> Line:
    return Line((Span(text),), cut(text, LISTED), _("I use it"), rise_words(before, before + 0.5, marks), Expected.USE)


def _pasting(marks: Marks) -> Line:
    pasted = Span(_("I prefer emacs to every other editor"), Source.PASTED)
    return Line(
        (Span(_("my wiki says of me:") + "\n"), pasted),
        _("a paste: “I prefer emacs…”"),
        _("I hold it back"),
        _("{mark} it waits for you").format(mark=marks.candidate),
        Expected.REVIEW,
    )


def rise_words(before: float, after: float, marks: Marks) -> str:
    """A weight that rises."""
    return _("{mark} weight {before}→{after}").format(mark=marks.liked, before=f"{before:.1f}", after=f"{after:.1f}")


def first_lines(marks: Marks) -> tuple[Line, ...]:
    """The lines of the first minute: a fact lives, is used, one is held back; the same in the other language."""
    return (
        _teaching(_("remember: I use neovim"), _("you teach"), marks),
        _asking(_("which editor do I use?"), 1.0, marks),
        _pasting(marks),
        _teaching(OTHER_LANGUAGE.get(spoken(), OTHER_LANGUAGE["en"]), _("in Chinese"), marks),
    )


def lines_of_story(questions: Sequence[str], marks: Marks) -> tuple[Line, ...]:
    """What is said in the story, the second of it about something remembered; and how its chat goes on."""
    first, second, *others = questions
    told = [Line((Span(each),), cut(each, LISTED), _("the story"), "", Expected.ANSWER) for each in (first, *others)]
    return (
        told[0],
        _asking(second, 3.0, marks),
        *told[1:],
        _asking(_("which editor do I use?"), 2.5, marks),
        _pasting(marks),
    )


class Tour(Struct):
    """How far the lines were taken, and what `came` of each, empty where nothing did. `is_over` once the user writes
    something else, or where chats are there already; `has_read` once the paste was read, `to_review` candidates wait,
    `was_held` where some did then."""

    lines: tuple[Line, ...]
    taken: set[int] = field(default_factory=set)
    came: dict[int, str] = field(default_factory=dict)
    is_over: bool = False
    has_read: bool = False
    was_held: bool = False
    to_review: int = 0

    def number_of(self, spans: Sequence[Span]) -> int | None:
        """The place of the line that was sent so."""
        return next((at for at, each in enumerate(self.lines) if each.spans == tuple(spans)), None)

    def take(self, number: int, event: Event, marks: Marks) -> None:
        """Note what came of a line: a memory, of several weights that rose the one that was to, an answer. One that did
        not show what it should can be taken again."""
        line = self.lines[number]
        match event, line.expected:
            case Remembered(), Expected.MEMORY:
                self.came[number] = line.outcome
            case WeightMoved(before=before, after=after), Expected.USE if (
                after > before and self.came.get(number) != line.outcome
            ):
                self.came[number] = rise_words(before, after, marks)
            case Done(), Expected.MEMORY | Expected.USE if not self.came.get(number):
                self.came[number] = ""
                self.taken.discard(number)

    def is_shown(self, number: int) -> bool:
        """Whether a line was taken, and showed what it should."""
        return number in self.taken and (self.lines[number].expected is Expected.ANSWER or bool(self.came.get(number)))

    def count(self, to_review: int) -> None:
        """Note how many candidates wait."""
        self.to_review = to_review
        self.was_held = self.was_held or (self.has_read and to_review > 0)
        if self.has_read:
            words = _("decided by you") if self.was_held else _("nothing learnt")
            held = _(_HELD).format(count=to_review) if to_review else ""
            self.came.update(
                {at: held or words for at, each in enumerate(self.lines) if each.expected is Expected.REVIEW}
            )

    def next(self, cursor: int, step: int) -> int | None:
        """The next line from a place that was not taken, in one direction; None where there is none."""
        while 0 <= (cursor := cursor + step) < len(self.lines):
            if cursor not in self.taken:
                return cursor
        return None

    @property
    def is_through(self) -> bool:
        """Whether all of it was seen."""
        return len(self.taken) == len(self.lines) and self.has_read and not self.to_review


@dataclass
class LineTaken(Message):
    """A line is to be sent."""

    number: int


class Welcome(Static):
    """The head above an empty chat, and the lines of a tour that is not over; takes their keys."""

    def __init__(self, tour: Tour, marks: Marks, *, is_demo: bool) -> None:
        super().__init__(classes="welcome")
        self.tour = tour
        self.is_below_rounds = False
        self._marks = marks
        self._is_demo = is_demo
        self._cursor = tour.next(-1, 1)
        self._drawn = Content("")

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    @property
    def stays(self) -> bool:
        """Whether it goes on below the rounds."""
        return not self.tour.is_over

    def go_below(self) -> None:
        """A round stands above it from here on: the head is no longer needed."""
        self.is_below_rounds = True
        self.add_class("-below")
        self.redraw()

    def take_key(self, key: str) -> bool:
        """Move among the lines, or take one; returns whether the key was one of theirs."""
        if self.tour.is_over:
            return False
        if key in ("up", "down") and self._cursor is not None:
            moved = self.tour.next(self._cursor, 1 if key == "down" else -1)
            if moved is None:
                return False
            self._cursor = moved
            self.redraw()
            return True
        if key == "enter" and self._cursor is not None:
            return self._take(self._cursor)
        return key.isdecimal() and len(key) == 1 and self._take(int(key) - 1)

    def on_click(self, event: events.Click) -> None:
        """A click takes the line under it."""
        at = event.get_content_offset(self)
        if at is not None and not self.tour.is_over:
            above = max(0, self.content_size.height - self._drawn.plain.count("\n") - 1) // 2
            self._take(at.y - above - len(self._head_lines()))

    def redraw(self) -> None:
        """Draw what follows from the tour and the width."""
        width = self.content_size.width or self.app.size.width
        lines = [*self._head_lines(), *(() if self.tour.is_over else self._tour_lines(width))]
        content = joined(lines, "\n")
        if not content.is_same(self._drawn):
            self._drawn = content
            self.styles.min_height = len(lines)
            self.update(content)

    def _take(self, number: int) -> bool:
        if not 0 <= number < len(self.tour.lines):
            return False
        self.tour.taken.add(number)
        self._cursor = self.tour.next(number, 1)
        if self._cursor is None:
            self._cursor = self.tour.next(-1, 1)
        self.redraw()
        self.post_message(LineTaken(number))
        return True

    def _head_lines(self) -> list[Content]:
        if self.is_below_rounds:
            return []
        what = _("I remember what you tell me — and show you how.")
        lines = [
            literal(f"  {self._marks.brand}  ", "$text-accent") + literal(what, "bold $foreground"),
            literal(INDENT + _("Only what you type can teach me: no paste, no quote, no page."), "$foreground-muted"),
            Content(""),
        ]
        if not self.tour.is_over:
            how = _("One minute, no key, no network:") if self._is_demo else _("See it in one minute:")
            keys = _("enter takes a line, ↑↓ another; or just write.")
            lines += [literal(f"{INDENT}{how} ", "$foreground-muted") + literal(keys, "$foreground"), Content("")]
        return lines

    def _tour_lines(self, width: int) -> list[Content]:
        lines = self.tour.lines
        outcomes = [self._outcome(number) for number in range(len(lines))]
        listed, shows = max(cell_len(each.listed) for each in lines), max(cell_len(each.shows) for each in lines)
        widest = max(cell_len(each) for each in (_(_HELD).format(count=1), *(each.plain for each in outcomes)))
        whole = len(INDENT) + 3 + listed + shows + widest
        gap = next((each for each in GAPS if whole + 2 * each <= width), 0)
        columns = (listed + gap, shows + gap) if gap else (listed + 1, 0)
        drawn = [self._line(number, *columns) + each for number, each in enumerate(outcomes)]
        foot = [literal(INDENT + cut(each, width - len(INDENT)), "$foreground-muted") for each in self._foot()]
        return [*drawn, Content(""), *foot] if foot else drawn

    def _line(self, number: int, listed: int, shows: int) -> Content:
        line, is_here, is_taken = self.tour.lines[number], number == self._cursor, self.tour.is_shown(number)
        sign = self._marks.cursor if is_here else self._marks.marked if is_taken else " "
        style = "bold $foreground" if is_here else "$foreground-muted" if is_taken else "$foreground"
        return Content("").join(
            (
                literal(f"   {sign} ", "$text-accent" if is_here else "$text-success"),
                literal(f"{number + 1}  ", "bold $text-accent" if is_here else "$foreground-muted"),
                literal(padded(line.listed, listed), style),
                literal(padded(line.shows, shows) if shows else "", "$foreground-muted"),
            )
        )

    def _outcome(self, number: int) -> Content:
        """What is to come of a line, or what came of it."""
        line, came = self.tour.lines[number], self.tour.came.get(number)
        if came:
            is_open = line.expected is Expected.REVIEW and self.tour.to_review
            return literal(came, "bold $text-warning" if is_open else "$text-success")
        if line.expected is Expected.REVIEW and number in self.tour.taken:
            return literal(_("reading it …"), "$foreground-muted")
        return literal(line.outcome if came is None else _("not used this time"), "$foreground-muted")

    def _foot(self) -> list[str]:
        if self.is_below_rounds:
            is_through = self.tour.is_through and self._is_demo
            return [_("That was it. Now write, or connect a model: ctrl+l")] if is_through else []
        more = [_("memories from ChatGPT, Claude, mem0: orca memory import FILE")]
        return [*more, _("a built-in demo answers; ctrl+l connects a model")] if self._is_demo else more


def failure_words(failure: StorageError) -> str:
    """Why nothing can be kept, and what still can be done."""
    can_still = _("You can chat all the same; nothing is remembered, and nothing of it is saved.")
    return "\n\n".join(words for words in (*sentence_and_way_out(failure), can_still) if words)


def plain_welcome(words: str) -> Static:
    """What stands in an empty chat where there is nothing to take."""
    return Static(literal(words), classes="welcome")

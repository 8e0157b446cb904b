"""What the commands write. The only print of the project: nothing reaches a terminal that was not cleaned here."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from gettext import gettext as _
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Literal, TextIO

from msgspec import Struct

from orca_core.model.errors import OrcaError
from orca_core.model.invisible_characters import IGNORABLE
from orca_core.rules.text.cleaning import cut_text, for_terminal, one_line
from orca_tui.language import explained, said
from orca_tui.marks import ASCII_MARKS, UNICODE_MARKS, Marks

if TYPE_CHECKING:
    from rich.console import Console

    from orca_core.model.events import Failed

# What the next piece may turn into one emoji with its own beginning; bounded, so that nothing is held for long.
_MAY_BE_JOINED = re.compile(
    "[0-9#*\u00a9\u00ae\u203c-\u2bff\U0001f000-\U0001faff\ufe0e\ufe0f\u200d\ud800-\udbff]{1,32}\\Z"
)


LONGEST_LINE = 100_000
GAP = 2
WIDEST_COLUMN, NARROWEST_REST = 24, 16
"""In a table on a terminal. Chosen by hand."""
_LEFT_BARE_BY_JSON = re.compile(f"[\x7f-\x9f\u2028\u2029\ufff9-\ufffb{IGNORABLE}]")
_NOT_ASCII = re.compile("[^\x00-\x7e]")
# Printable ASCII and Chinese: most of what there is, told apart quickly.
_CERTAINLY_CLEAN = re.compile("(?! )[ -~\u3001-\u303d\u4e00-\u9fff\uff01-\uff5e]*(?<! )")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TableColumn(Struct, frozen=True):
    """A column of a table: its heading, a sentence of the catalogue; what it shows of a record, where it is a table of
    records; and whether it holds numbers or the text that takes the room left. One that `wraps` goes on in further
    lines on a terminal where others are cut: it holds what is to be typed."""

    heading: str
    cell: Callable[[Any], str] = str
    is_number: bool = False
    takes_rest: bool = False
    wraps: bool = False

    @property
    def name(self) -> str:
        """The heading, translated."""
        return said(self.heading)


class Output:
    """Results on stdout, everything else on stderr."""

    def __init__(self, stdout: TextIO, stderr: TextIO, environ: Mapping[str, str]) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._environ = environ
        self._has_open_line = False
        self._progress_width = 0
        self.has_document = False
        """Whether a JSON document was printed."""
        self._answer = CleanStream()
        self.glyphs = "auto"

    @property
    def is_terminal(self) -> bool:
        """Whether a person is likely to read stdout: tables and colour."""
        return self._stdout.isatty() and self._environ.get("TERM") != "dumb"

    @property
    def marks(self) -> Marks:
        """The signs that were chosen (`glyphs`), else those that stdout's encoding can carry."""
        unicode = self.glyphs == "unicode" or (self.glyphs == "auto" and _speaks_unicode(self._stdout))
        return UNICODE_MARKS if unicode else ASCII_MARKS

    def line(self, text: str = "") -> None:
        """One or more lines of a result."""
        self.end_line()
        print(for_terminal(text), file=self._stdout, flush=True)

    def record(self, text: str) -> None:
        """A record in a line of its own; on a terminal cut to its width."""
        self.line(self._fitted(text))

    def marked(self, text: str, marks: Sequence[tuple[int, int]], *, indent: int = 0) -> None:
        """A line with places in it that stand out on a terminal; there it is cut to its width."""
        line = self._fitted(text, room=get_terminal_size().columns - indent)
        if not self.is_terminal or _on_one_line(text) != text:  # what was cleaned has its places elsewhere
            self.line(" " * indent + line)
            return
        from rich.text import Text  # only a terminal pays for it

        shown = Text(" " * indent + line)
        for start, end in marks:
            shown.stylize("bold yellow", start + indent, min(end, len(line)) + indent)
        self.end_line()
        self._console().print(shown, soft_wrap=True)

    def noted_record(self, text: str) -> None:
        """The same beside the result."""
        self.note(self._fitted(text))

    def piece(self, text: str) -> None:
        """A piece of an answer, as it comes: cleaned as if the pieces were one text."""
        self._write_piece(self._answer.feed(text))

    @property
    def shows_progress(self) -> bool:
        """Whether a line on stderr can be written over."""
        return self._stderr.isatty() and self._environ.get("TERM") != "dumb"

    def progress(self, text: str) -> None:
        """How far something is, in a line on stderr that the next one takes; the empty text clears it."""
        line = self._fitted_to_screen(text)
        width = width_of(line)
        print(f"\r{line}{' ' * (self._progress_width - width)}\r", end="", file=self._stderr, flush=True)
        self._progress_width = width

    def end_line(self) -> None:
        """Close the line that an answer left open, and clear the one that tells of progress."""
        if self._progress_width:
            self.progress("")
        self._write_piece(self._answer.finish())
        if self._has_open_line:
            print(file=self._stdout, flush=True)
            self._has_open_line = False

    def json(self, document: object) -> None:
        """One document, as the only thing on stdout (or one event on a line)."""
        if self._progress_width:
            self.progress("")
        print(json_text(document, ascii_only=not _speaks_unicode(self._stdout)), file=self._stdout, flush=True)
        self.has_document = True

    def json_piece(self, text: str, *, is_last: bool = False) -> None:
        """A piece of one document that is too long to be held."""
        cleaned = json_cleaned(text, ascii_only=not _speaks_unicode(self._stdout))
        print(cleaned, end="", file=self._stdout, flush=is_last)
        self.has_document = True

    def table(
        self, columns: Sequence[TableColumn], rows: Sequence[Sequence[str]], *, names_columns: bool = False
    ) -> None:
        """Columns in line with each other, Chinese or not; on a terminal in colour and cut to its width. Elsewhere
        headings are a row only where it `names_columns`."""
        cells = [[_on_one_line(cell) for cell in row] for row in rows]
        if self.is_terminal:
            self._rich_table(columns, cells)
            return
        if names_columns:
            cells.insert(0, [column.name for column in columns])
        if cells:
            self.line("\n".join(_aligned(columns, cells)))

    def records(self, columns: Sequence[TableColumn], records: Sequence[Any]) -> None:
        """A table of records, each of which fills its own row."""
        self.table(columns, [[column.cell(record) for column in columns] for record in records])

    def page(self, columns: Sequence[TableColumn], records: Sequence[Any], total: int, nothing: str) -> None:
        """The same of a page of them, and how many there are in all; where there is none, say so."""
        self.records(columns, records)
        self.note_total(len(records), total, nothing)

    def note_total(self, shown: int, total: int, nothing: str = "") -> None:
        """Say how many more there are than are shown, or that there is `nothing`."""
        if not total and nothing:
            self.note(nothing)
        elif shown < total:
            self.note(_("{shown} of {total}").format(shown=shown, total=total))

    def note(self, text: str) -> None:
        """Something beside the result: progress, a receipt, a question's answer. On stderr."""
        self.end_line()
        print(for_terminal(text), file=self._stderr, flush=True)

    def ask(self, question: str) -> str:
        """A line that a person types. Raises EOFError where there is none to come."""
        self.end_line()
        return input(for_terminal(question))

    def warn(self, text: str) -> None:
        """One line on stderr that says what is not as it should be."""
        self.note(f"orca: {_('warning')}: {_on_one_line(text)}")

    def fail(self, failure: OrcaError | Failed | str) -> None:
        """One line on stderr: what failed and the way out."""
        text = failure if isinstance(failure, str) else explained(failure)
        self.note(f"orca: {_on_one_line(text)}")

    def _widths(self, columns: Sequence[TableColumn], rows: Sequence[Sequence[str]]) -> list[int]:
        """How wide each column is: as wide as its cells, and the text that takes the rest has what is left."""
        wanted = [
            max(width_of(column.name), *(width_of(row[index]) for row in rows), 1)
            for index, column in enumerate(columns)
        ]
        fixed = [
            min(width, WIDEST_COLUMN) if not column.takes_rest else 0
            for column, width in zip(columns, wanted, strict=True)
        ]
        left = max(get_terminal_size().columns - sum(fixed) - GAP * (len(columns) - 1), NARROWEST_REST)
        return [
            min(width, left) if column.takes_rest else each
            for column, width, each in zip(columns, wanted, fixed, strict=True)
        ]

    def _fitted(self, text: str, room: int | None = None) -> str:
        return self._fitted_to_screen(text, room) if self.is_terminal else _on_one_line(text)

    def _fitted_to_screen(self, text: str, room: int | None = None) -> str:
        line = _on_one_line(text)
        room = get_terminal_size().columns if room is None else room
        if width_of(line) <= room:
            return line
        kept = line[:room]
        while kept and width_of(kept) + len(self.marks.ellipsis) > room:
            kept = cut_text(kept, len(kept) - 1)
        return kept.rstrip() + self.marks.ellipsis

    def _write_piece(self, text: str) -> None:
        if text:
            print(text, end="", file=self._stdout, flush=True)
            self._has_open_line = not text.endswith("\n")

    def _rich_table(self, columns: Sequence[TableColumn], rows: Sequence[Sequence[str]]) -> None:
        from rich.table import Table  # only a terminal pays for it
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, GAP, 0, 0))
        for column, width in zip(columns, self._widths(columns, rows), strict=True):
            table.add_column(
                Text(column.name),
                justify="right" if column.is_number else "left",
                no_wrap=not column.wraps,
                overflow="fold" if column.wraps else "ellipsis",
                width=width,
            )
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self.end_line()
        self._console().print(table)

    def _console(self) -> Console:
        from rich.console import Console  # as above

        colours: Literal["auto"] | None = None if self._environ.get("NO_COLOR") else "auto"
        return Console(file=self._stdout, color_system=colours, markup=False, emoji=False, highlight=False)


def json_text(document: object, *, ascii_only: bool = False) -> str:
    """JSON of one line that is valid UTF-8 and holds no control, bidi or invisible character bare."""
    return json_cleaned(json.dumps(document, ensure_ascii=False, allow_nan=False), ascii_only=ascii_only)


def json_cleaned(text: str, *, ascii_only: bool = False) -> str:
    """JSON, or a piece of it that is cut between two characters, with escapes for what may not stand in it bare."""
    text = _SURROGATE.sub("\ufffd", text)
    bare = _NOT_ASCII if ascii_only else _LEFT_BARE_BY_JSON
    return bare.sub(lambda found: _escaped(found.group()), text)


def accept_any_text(stream: TextIO) -> None:
    """Let a stream write what its encoding lacks as escapes, instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def accept_any_input(stream: TextIO) -> None:
    """Let a stream read bytes that its encoding can not decode, as U+FFFD, instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")


def _escaped(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def _speaks_unicode(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")


def _on_one_line(text: str) -> str:
    return text if _CERTAINLY_CLEAN.fullmatch(text) else one_line(text, LONGEST_LINE)


def _aligned(columns: Sequence[TableColumn], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    last = len(columns) - 1
    widths = [max(width_of(row[index]) for row in rows) for index in range(last)]
    for row in rows:
        padded = [
            _padded(cell, width, column.is_number)
            for cell, width, column in zip(row[:last], widths, columns[:last], strict=True)
        ]
        yield "  ".join([*padded, row[last]]).rstrip()


def _padded(text: str, width: int, to_the_right: bool) -> str:
    if text.isascii():
        return text.rjust(width) if to_the_right else text.ljust(width)
    blanks = " " * (width - width_of(text))
    return blanks + text if to_the_right else text + blanks


def width_of(text: str) -> int:
    """In cells: a Chinese character takes two, an accent none."""
    return len(text) if text.isascii() else sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class CleanStream:
    """Cleans an answer piece by piece, as if it were cleaned whole."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        text = self._held + piece
        held = _MAY_BE_JOINED.search(text)
        self._held = held.group() if held else ""
        return for_terminal(text[: len(text) - len(self._held)])

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        rest, self._held = self._held, ""
        return for_terminal(rest)

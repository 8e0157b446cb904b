"""Lines to choose from: what they mean, which are left when something is typed, how they are drawn. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import cut
from orca_tui.text_rules import for_terminal

DIALOG_CELLS = 106
"""How wide the widest dialog is within, for what is drawn before it is laid out."""


class Choice(Struct, frozen=True):
    """One line of a picker: what is shown, what it means, and whether it can be had at once. `marks` are places in the
    label that stand out, each from its first character to behind its last."""

    label: str
    value: str
    detail: str = ""
    is_ready: bool = False
    marks: tuple[tuple[int, int], ...] = ()


def narrowed(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Those that hold every word that was typed."""
    words = typed.casefold().split()
    return [each for each in choices if all(word in f"{each.label} {each.detail}".casefold() for word in words)]


def with_typed(names: Sequence[str], typed: str, usual: str) -> list[Choice]:
    """Those of the names that hold what was typed; what is no name of theirs can be taken all the same, last."""
    found = [Choice(name, name) for name in names if typed.casefold() in name.casefold()]
    own = typed or usual
    return found if not own or own in names else [*found, Choice(own, own, _("as typed") if typed else "")]


def choice_lines(choices: Sequence[Choice], at: int, width: int, height: int, cursor: str) -> Content:
    """A list to choose from as far as it fits, the line with the cursor in it."""
    width, height = width or DIALOG_CELLS, max(1, height)
    first = max(0, min(at - height // 2, len(choices) - height))
    lines = []
    for number, choice in enumerate(choices[first : first + height], start=first):
        is_here = number == at
        detail = f"  {choice.detail}" if choice.detail else ""
        label = _marked(choice, f"{cursor if is_here else ' '} ", width - cell_len(detail), is_here=is_here)
        lines.append(label + literal(detail, "$foreground-muted"))
    return Content("\n").join(lines)


def _marked(choice: Choice, head: str, cells: int, *, is_here: bool) -> Content:
    """The label behind its head, with the places in it that stand out: also without colour, and under the cursor."""
    line = cut(f"{head}{choice.label}", cells)
    label = literal(line, "bold" if is_here else "")
    if for_terminal(choice.label) != choice.label:  # what was cleaned has its places elsewhere
        return label
    for start, end in choice.marks:
        label = label.stylize("$text-accent bold underline", len(head) + start, min(len(head) + end, len(line)))
    return label

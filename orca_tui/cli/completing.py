"""Answers the shell where tab is pressed: first what can be told at once, else what Click knows. Silent whatever is
wrong: nobody can read an error there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

from orca_tui.cli import COMPLETION_VARIABLE
from orca_tui.cli.id_words import Line, Sought, is_safe, sought, typed_line

MOST = 100
HELP_CHARS = 60
PLAIN = "plain"

Candidate = tuple[str, str, str]
"""What it is (plain, or file and dir, which the shell completes itself), the word, and what is said of it, clean and on
one line."""


def complete_at_once(environ: Mapping[str, str]) -> bool:
    """Print the records that the word may name. False where it names none, and nothing was printed."""
    wanted = sought(typed_line(environ))
    if wanted is None:
        return False
    found: list[Candidate] = []
    with suppress(Exception):
        found = [(PLAIN, name, title) for name, title in _titles(wanted, environ)]
    tell(found)
    return True


def complete_by_click(environ: Mapping[str, str]) -> int:
    """Print what Click knows: commands, options, choices, files."""
    with suppress(Exception):
        tell(_by_click(typed_line(environ)))
    return 0


def tell(found: Iterable[Candidate]) -> None:
    """A candidate a line, its parts with tabs between them."""
    lines = [f"{kind}\t{word}\t{title}\n" for kind, word, title in found]
    sys.stdout.buffer.write("".join(lines).encode("utf-8", "replace"))  # whatever the locale: shells take bytes
    sys.stdout.buffer.flush()


def _titles(wanted: Sought, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    from orca_tui import core

    beginning, prefix = wanted.beginning, ""
    if wanted.what.endswith("memory") and beginning[:1] in ("m", "M"):
        beginning, prefix = beginning[1:], beginning[0]
    found = core.titles(environ, wanted.config, wanted.profile, wanted.what, beginning, MOST)
    return [(prefix + name, title) for name, title in found if is_safe(name)]


def _by_click(line: Line) -> list[Candidate]:
    from click.shell_completion import ShellComplete

    from orca_tui.cli.root import orca
    from orca_tui.language import language_of, said, speak
    from orca_tui.text_rules import one_line

    speak(language_of(os.environ))
    completer = ShellComplete(orca, {}, "orca", COMPLETION_VARIABLE)
    found = completer.get_completions(list(line.words), line.beginning)
    return [(each.type, str(each.value), one_line(said(each.help or ""), HELP_CHARS)) for each in found]

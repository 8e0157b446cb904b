"""Words on a command line that name records: completed without loading the command that takes them. Imports nothing of
Click, for each press of the tab key pays for it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

_LISTED = ("show", "history", "why", "delete", "edit")
_OF_STATE = {
    "pin": "live {}",
    "unpin": "pinned {}",
    "archive": "live {}",
    "restore": "archived {}",
    "accept": "candidate {}",
    "reject": "candidate {}",
}
IDS: Mapping[str, str] = {
    **{
        f"{group} {command}": what.format(kind)
        for group, kind in (("episode", "episode"), ("knowledge", "knowledge"), ("tool", "guide"))
        for command, what in ({**dict.fromkeys(_LISTED, "{}"), **_OF_STATE}).items()
        if not (group == "tool" and command in ("show", "why", "delete"))
    },
    **{f"memory {command}": "memory" for command in (*_LISTED, "never")},
    "memory pin": "live memory",
    "memory unpin": "pinned memory",
    "memory archive": "live memory",
    "memory restore": "archived memory",
    "memory merge": "live memory",
    "memory accept": "candidate",
    "memory reject": "candidate",
    "memory undo": "operation",
    "memory redo": "operation",
    "task show": "task",
    "task delete": "task",
    "task edit": "open task",
    "task drop": "open task",
    "action show": "act",
    **{f"session {command}": "session" for command in ("show", "rename", "delete", "export")},
    "tool show": "tool",
    "tool write": "tool",
    "tool delete": "tool",
}
"""What the arguments of a command name, by `TABLES` of the store's titles."""
OPTIONS: Mapping[str, str] = {
    "--session": "session",
    "--task": "open task",
    "--operation": "operation",
    "--tag": "tag",
}
"""What the value of an option names, whichever command has it."""
OPTIONS_OF: Mapping[str, str] = {"extract --show": "run"}

ONE_NAME = frozenset(
    {
        *(path for path in IDS if path.partition(" ")[2] in ("edit", "history", "why", "undo", "redo")),
        *("memory show", "session show", "session rename", "tool show", "tool write", "tool delete"),
    }
)
"""Commands that take one name; all others take several."""
PROFILE = "--profile"
_TAKES_A_VALUE = ("--config", PROFILE)
FLAGS = frozenset({"--json", "--yes", "--debug", "--with-messages", "--dry-run"})
_SAFE_NAME = re.compile(r"[\w.@+-][\w.@+:-]*")
"""A name that no shell reads as anything else. Others are not offered."""


class Line(Struct, frozen=True):
    """What was typed before the word that is to be completed, and its beginning."""

    words: Sequence[str]
    beginning: str


class Sought(Struct, frozen=True):
    """What is to be named, where, and how the word begins."""

    what: str
    beginning: str
    config: Path | None
    profile: str | None


def typed_line(environ: Mapping[str, str]) -> Line:
    """The words that the shell hands over, one a line, as they were typed; without the name of the command."""
    words = [_unquoted(word) for word in environ.get("COMP_WORDS", "").split("\n")]
    try:
        place = int(environ.get("COMP_CWORD", ""))
    except ValueError:
        place = len(words)
    return Line(words[1:place], words[place] if 0 < place < len(words) else "")


def sought(line: Line) -> Sought | None:
    """What the word is to name; None where it names no record, or only Click can tell."""
    if line.words[-1:] == [PROFILE]:
        _words, given = _without_global_options(line.words[:-1])
        return Sought("profile", line.beginning, Path(given["--config"]) if "--config" in given else None, None)
    words, given = _without_global_options(line.words)
    if words is None or line.beginning.startswith("-"):
        return None
    what = _what(words)
    if what is None:
        return None
    return Sought(what, line.beginning, Path(given["--config"]) if "--config" in given else None, given.get(PROFILE))


def is_safe(name: str) -> bool:
    """Whether a name can stand on a command line as it is."""
    return _SAFE_NAME.fullmatch(name) is not None


def _what(words: Sequence[str]) -> str | None:
    if words and words[-1].startswith("--") and words[-1] not in FLAGS:
        return OPTIONS_OF.get(f"{words[0]} {words[-1]}") or OPTIONS.get(words[-1])
    path, given = " ".join(words[:2]), [each for each in words[2:] if each not in FLAGS]
    if path not in IDS or any(each.startswith("-") for each in given):
        return None
    return None if given and path in ONE_NAME else IDS[path]


def _without_global_options(words: Sequence[str]) -> tuple[list[str] | None, dict[str, str]]:
    """The words without the options that every command takes, and their values; no words where one lacks its value,
    which is being typed."""
    left, given = [], {}
    waiting = iter(words)
    for word in waiting:
        name, equals, value = word.partition("=")
        if name not in _TAKES_A_VALUE:
            left.append(word)
        elif equals:
            given[name] = value
        else:
            following = next(waiting, None)
            if following is None:
                return None, {}
            given[name] = following
    return left, given


def _unquoted(word: str) -> str:
    """A word as the program would get it; one whose quote is open, as far as it goes."""
    for ending in ("", "'", '"'):
        try:
            return "".join(shlex.split(word + ending))
        except ValueError:
            continue
    return word

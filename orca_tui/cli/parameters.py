"""What may be given on the command line: text of any bytes, numbers of records, moments, JSON, files; and what tab
offers of it. What the offers read is imported when they are asked."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.shell_completion import CompletionItem

from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.memories import MemoryType
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, TASK, Kind, Ref, plain_ref
from orca_core.model.sessions import checked_session_id
from orca_core.model.tasks import TaskStatus
from orca_core.rules.text.cleaning import one_line
from orca_tui.cli.runtime import Runtime

if TYPE_CHECKING:
    from orca_core.config.config_file import LoadedSettings

_UNDECODED_BYTE = re.compile("[\ud800-\udfff]")
_LARGEST = 2**63 - 1
MOST_BYTES = 4_000_000
"""So much of a file is read at most: more than any text that is kept."""


Completions = list["CompletionItem[str]"]
CompletionFunction = Callable[[click.Context, click.Parameter, str], Completions]

TYPES = tuple(each.value for each in MemoryType)
STATES = ("live", "all", "active", "archived", "candidate", "rejected")
TASK_STATES = ("all", "ended", *(each.value for each in TaskStatus))
MOST_RECORDS = 100
TITLE_CHARS = 60
_OF_STATE = {"pin": "live ", "unpin": "pinned ", "archive": "live ", "restore": "archived "}
"""Records of which state a command takes; any, where it is not here."""
_SAFE_NAME = re.compile(r"[\w.@+-][\w.@+:-]*")
"""A name that no shell reads as anything else. Others are not offered."""


def words(*known: str) -> CompletionFunction:
    """Offers the words of a list."""
    return lambda _context, _parameter, beginning: _begin_so(((each, "") for each in known), beginning)


def backup_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Completions:
    """The backups in their folder, newest first; files where none begins so."""
    import asyncio

    from orca_core.database_files import list_backups
    from orca_tui.words.upkeep_words import backup_row

    _folder, found = asyncio.run(list_backups(_loaded(context)))
    rows = (backup_row(each) for each in found)
    return _begin_so(((name, f"{at} {size}") for name, at, size, *_rest in rows), beginning) or [
        CompletionItem(beginning, type="file")
    ]


def prompt_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Completions:
    """The names of prompts."""
    from orca_core.config.own_prompts import prompts_in

    found = prompts_in(_loaded(context).home)
    return _begin_so(dict.fromkeys((each.name, "") for each in found), beginning)


def provider_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Completions:
    """The providers that are configured, and those that Orca knows by name."""
    from orca_core.config.providers import named_providers

    return _begin_so(named_providers(_loaded(context).settings).items(), beginning)


def records(what: str) -> CompletionFunction:
    """Offers what `titles_of` calls so, with titles, clean and short. A memory may be typed as `m3`."""

    def offer(context: click.Context, _parameter: click.Parameter, beginning: str) -> Completions:
        from orca_core.titles import titles_of

        profile = context.ensure_object(Runtime).profile
        prefix = beginning[:1] if what.endswith("memory") and beginning[:1] in ("m", "M") else ""
        found = titles_of(_loaded(context), profile, what, beginning.removeprefix(prefix), MOST_RECORDS)
        return [
            CompletionItem(prefix + name, help=one_line(title, TITLE_CHARS).replace(",", "，"))  # fish cuts at a comma
            for name, title in found
            if _SAFE_NAME.fullmatch(name)
        ]

    return offer


def records_for(context: click.Context, kind: str) -> CompletionFunction:
    """Offers the records of a kind that this command may be given: only archived ones are restored."""
    command = str(context.info_name)
    if kind == "task":
        return records(kind if command in ("show", "delete") else f"open {kind}")
    return records(f"{_OF_STATE.get(command, '')}{kind}")


def _begin_so(found: Iterable[tuple[str, str]], beginning: str) -> Completions:
    return [CompletionItem(name, help=said) for name, said in found if name.startswith(beginning)]


def _loaded(context: click.Context) -> LoadedSettings:
    from orca_core.config.config_file import read_settings

    runtime = context.ensure_object(Runtime)
    return read_settings(runtime.environ, runtime.config)


class AnyText(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """Text of the command line; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002  # Click's
        """The argument, as text that can be stored."""
        return _UNDECODED_BYTE.sub("\ufffd", str(value))


class SessionId(AnyText):
    """The name of a session, which is no path and holds nothing that can't be seen."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raises InvalidInput."""
        return checked_session_id(super().convert(value, param, ctx))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """The sessions, the latest first."""
        from orca_tui.cli.parameters import records

        return records("session")(ctx, param, incomplete)


ANY_TEXT = AnyText()
SESSION_ID = SessionId()


def read_piped(stdin: TextIO) -> str:
    """All of stdin; bytes that are not UTF-8 become U+FFFD."""
    binary = getattr(stdin, "buffer", None)
    return stdin.read() if binary is None else binary.read().decode("utf-8-sig", "replace")


class RecordId(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """The number of a record of one kind."""

    name = "id"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Completions:
        """Those of the kind that the command may be given."""
        what = {ACTION: "act"}.get(self.kind, self.kind.name)
        return records_for(ctx, what)(ctx, param, incomplete)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002  # Click's
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        found = re.fullmatch(rf"{self.kind.letter}?([0-9]{{1,19}})", said, re.ASCII)
        if found is None or int(found[1]) > _LARGEST:
            raise InvalidInput(
                template="{found} names no {what}",
                hint="such as {example}",
                what=self.kind.name,
                found=quoted(value),
                example=str(plain_ref(Ref(self.kind, 3))),
            )
        return int(found[1])


class CandidateId(click.ParamType):  # type: ignore[type-arg]  # as above
    """What may wait in the inbox: `7` is a memory, `e3` an episode, `k2` knowledge, `g4` a guide."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Completions:
        """What waits, of every kind."""
        return records("candidate")(ctx, param, incomplete)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Ref:
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        kind = next((each for each in (EPISODE, KNOWLEDGE, GUIDE) if said.startswith(each.letter)), MEMORY)
        return Ref(kind, RecordId(kind).convert(said, param, ctx))


class ShownId(CandidateId):
    """What a turn may be given, by the same names."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Completions:
        """Memories; what else a turn may be given is not offered."""
        return records("memory")(ctx, param, incomplete)


MEMORY_ID = RecordId(MEMORY)
ROUND = click.INT
TASK_ID = RecordId(TASK)
CANDIDATE_ID = CandidateId()
SHOWN_ID = ShownId()


def json_object(text: str, option: str, example: str) -> Mapping[str, Any]:
    """Raises InvalidInput where it is no JSON object, or holds what JSON can't say again."""
    found = json_value(text)
    if not isinstance(found, dict):
        raise InvalidInput(
            template="{option} is no JSON object", hint="such as {example}", option=option, example=example
        )
    return found


def json_value(text: str) -> Any:
    """None where it is no JSON, or holds what JSON can't say again."""
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_number)
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return found


def text_of_file(path: Path) -> str:
    """The text of a file; bytes that are not UTF-8 become U+FFFD. Raises InvalidInput where it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as failure:  # a path with a NUL is a ValueError
        detail = getattr(failure, "strerror", None) or str(failure)
        raise InvalidInput(template="{path} can't be read: {detail}", path=str(path), detail=detail) from failure


class TimeParam(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """A point in time; one without a zone is meant where the user is."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:  # noqa: ARG002  # Click's
        """Raises InvalidInput."""
        try:
            return datetime.fromisoformat(str(value).strip()).astimezone()
        except (ValueError, OverflowError):
            raise InvalidInput(
                template="{found} is no point in time",
                hint="such as {example}",
                found=quoted(value),
                example="2026-03-01T09:30",
            ) from None


MOMENT = TimeParam()


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _no_number(text: str) -> float:
    raise ValueError(text)

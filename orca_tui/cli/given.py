"""What is given on the command line in a form of its own: JSON objects, points in time, texts of files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from orca_core.model.errors import InvalidInput, quoted

MOST_BYTES = 4_000_000
"""So much of a file is read at most: more than any text that is kept."""


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


class Moment(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
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


MOMENT = Moment()


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _no_number(text: str) -> float:
    raise ValueError(text)

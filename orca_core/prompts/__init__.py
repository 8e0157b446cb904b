"""What Orca says to a model: one text a file, with `{fields}` that must all be given and no others."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from string import Formatter


class PromptFieldsError(ValueError):
    """A prompt was given other fields than it names: a mistake in the code, never in a user's input."""


@cache
def _text(name: str) -> str:
    path = files(__name__).joinpath(f"{name}.md")
    if not path.is_file():  # a language without a text of its own is spoken to in English
        path = files(__name__).joinpath(f"{name.rpartition('.')[0]}.en.md")
    return path.read_text(encoding="utf-8").strip()


def render(name: str, **fields: object) -> str:
    """The text of `name`.md with its fields filled in."""
    text = _text(name)
    wanted = {field for _, field, _, _ in Formatter().parse(text) if field}
    if wanted != fields.keys():
        raise PromptFieldsError(f"{name}.md wants {sorted(wanted)}, was given {sorted(fields)}")
    return text.format(**fields)


def fill(text: str, **fields: object) -> str:
    """A user's own prompt, or one that shows JSON: `{name}` becomes the field's value where the text has it, every
    other brace stays as it is."""
    known = "|".join(map(re.escape, fields))
    return re.sub(rf"\{{({known})\}}", lambda match: str(fields[match[1]]), text)


def builtin(name: str) -> str:
    """The text of `name`.md as it is."""
    return _text(name)

"""What Orca says to a model: one text a file, with `{fields}` that must all be given and no others."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from string import Formatter

REPLACEABLE = (
    *("memory_extractor", "verifier", "verifier_facts", "summarizer"),
    *("episode_reader", "verifier_episodes"),
    *("knowledge_writer", "guide_writer", "verifier_guides", "feedback_reader", "verifier_feedback"),
)
"""The instructions of each job: a user may write others. All else is form, which rules read again."""


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


@cache
def names() -> frozenset[str]:
    """Every text that there is, without its language."""
    return frozenset(each.rpartition(".")[0] for each in _stems())


def languages(name: str) -> tuple[str, ...]:
    """The languages in which a text stands, English first."""
    own = [each.rpartition(".")[2] for each in _stems() if each.rpartition(".")[0] == name]
    return tuple(sorted(own, key=lambda language: (language != "en", language)))


def placeholders(text: str) -> tuple[str, ...]:
    """The fields that a text names, in their order."""
    return tuple(dict.fromkeys(re.findall(r"\{([a-z_]+)\}", text)))


def _stems() -> list[str]:
    return [each.name.removesuffix(".md") for each in files(__name__).iterdir() if each.name.endswith(".md")]

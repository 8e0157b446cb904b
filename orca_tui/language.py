"""The language of the interface. Every sentence goes through `gettext`, Click's own ones too, from one catalogue."""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from orca_core.model.errors import OrcaError

if TYPE_CHECKING:
    from orca_core.model.events import Failed

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

DOMAIN = "orca"
NAMING_FIELDS = frozenset({"what", "state", "expected", "detail"})
"""Fields whose value may be in the catalogue itself: a kind of thing, a state, a cause."""
CAUSE_FIELD, CAUSE_TEMPLATE = "reason", "reason_template"
"""A sentence inside a sentence: in English, and its template, to be filled in from the same fields."""
PLACE = "{path}: "
"""Errors of a file are a sentence of the catalogue behind the file's name."""
UNTRANSLATED = "C"
"""Of this language `gettext` knows that it has no catalogue; of English it would look for one at every sentence."""
LOCALE_FOLDER = Path(__file__).parent / "locale"


def language_of(environ: Mapping[str, str], chosen: str = "auto") -> Language:
    """The language that was chosen, else that of the locale; English where there is none for it."""
    asked = re.split(r"[_.@-]", _locale(environ).lower())[0] if chosen == "auto" else chosen
    return _known(asked)


def _known(name: str) -> Language:
    return next((language for language in LANGUAGES if language == name), "en")


def _locale(environ: Mapping[str, str]) -> str:
    return next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")


def N_(message: str) -> str:  # noqa: N802  # gettext's own name for "translate later"
    """Mark a sentence for the catalogue; it is translated where it is shown."""
    return message


def speak(language: Language) -> None:
    """Make `gettext` say everything in this language from now on, in this process."""
    os.environ["LANGUAGE"] = UNTRANSLATED if language == "en" else language
    gettext.bindtextdomain(DOMAIN, LOCALE_FOLDER)
    gettext.textdomain(DOMAIN)


def spoken() -> Language:
    """The language that was chosen last."""
    return _known(os.environ.get("LANGUAGE", ""))


def said(text: str) -> str:
    """A text of the catalogue in the language of the interface; others, and no text, stay as they are."""
    return gettext.gettext(text) if text else ""


def counted(one: str, several: str, count: int, **fields: object) -> str:
    """A sentence about `{count}` things: of one, or of several."""
    return gettext.ngettext(one, several, count).format(count=count, **fields)


def translated(template: str, fields: Mapping[str, object]) -> str:
    """A sentence of the catalogue with its fields; the empty sentence stays empty."""
    named = {name: said(str(value)) if name in NAMING_FIELDS else value for name, value in fields.items()}
    if inner := str(named.pop(CAUSE_TEMPLATE, "")):
        named[CAUSE_FIELD] = translated(inner, {name: fields[name] for name in named})
    sentence = said(template)
    if sentence == template and template.startswith(PLACE):
        sentence = PLACE + said(template.removeprefix(PLACE))
    return sentence.format(**named)


def sentence_and_way_out(failure: OrcaError | Failed) -> tuple[str, str]:
    """What failed, and what can be done about it (or nothing), in the language of the interface."""
    if isinstance(failure, OrcaError):
        return (
            translated(failure.sentence_template, failure.fields),
            translated(failure.way_out_template, failure.fields),
        )
    return translated(failure.template, failure.fields), translated(failure.hint_template, failure.fields)


def explained(failure: OrcaError | Failed) -> str:
    """The failure as one sentence, with its way out."""
    sentence, way_out = sentence_and_way_out(failure)
    return f"{sentence} — {way_out}" if way_out else sentence


def with_detail(words: str, detail: str) -> str:
    """Words and what they are about, with the colon of the language."""
    return f"{words}：{detail}" if spoken() == "zh" else f"{words}: {detail}"


def listed(parts: Iterable[str]) -> str:
    """Some phrases as the language lists them."""
    return ("，" if spoken() == "zh" else ", ").join(parts)

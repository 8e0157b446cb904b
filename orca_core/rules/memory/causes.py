"""Keep why something failed or ended early, without keys and long texts."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from orca_core.model import record_types
from orca_core.model.errors import OrcaError
from orca_core.model.llm import Finish
from orca_core.model.record_types import Cause
from orca_core.rules.text.cleaning import clean_message, cut_text, one_line
from orca_core.rules.text.memory_wording import sensitive_shapes

MAX_FIELD_CHARS = 300
MAX_TEMPLATE_CHARS = 300
"""They bound what a server's error leaves in the database."""
NEVER_KEPT = ("key", "token", "secret", "password", "authorization")
"""A field by such a name is left out, whatever it holds."""
HIDDEN = "…"
_PLACE = re.compile(r"\{(\w+)(?::[,g])?\}")

STOPPED = Cause(kind=record_types.STOPPED, template="stopped")
LEFT_OPEN = Cause(kind="left_open", template="Orca ended while this was being answered")
_UNREADABLE = Cause(kind="unreadable", template="why it ended so can not be read any more")
_FINISHES = {
    Finish.LENGTH: Cause(kind="length", template="the model stopped at its longest answer"),
    Finish.FILTERED: Cause(kind="filtered", template="the provider's filter ended the answer"),
}


def cause_of_end(error: OrcaError | None) -> Cause:
    """Tell why a round was cut: of an error, else because it was stopped."""
    return STOPPED if error is None else cause_of_error(error)


def cause_of_error(error: OrcaError) -> Cause:
    """The error as it is kept: its kind and its sentences, with fields that hold no key."""
    fields = {
        name: _kept(value)
        for name, value in error.fields.items()
        if not any(word in name.casefold() for word in NEVER_KEPT)
    }
    return _checked(Cause(error.kind, error.sentence_template, error.way_out_template, fields))


def cause_of_finish(finish: Finish, note: str = "") -> Cause | None:
    """Return what is to be said of an answer that ended by itself; None where it simply ended."""
    cause = _FINISHES.get(finish)
    if not note:
        return cause
    return replace(cause or Cause("note", "{note}"), fields={"note": _kept(note)})


def read_cause(kept: str | None, finish: str | None) -> Cause | None:
    """A cause as it was stored. Answers from before causes were stored have only `finish`."""
    if kept is None:
        return _FINISHES.get(Finish(finish)) if finish in _FINISHES else None
    try:
        return _checked(msgspec.json.decode(kept, type=Cause))
    except (msgspec.DecodeError, ValueError):
        return _UNREADABLE


def _kept(value: object) -> str | int | float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = one_line(clean_message(str(value)), MAX_FIELD_CHARS)
    for reason, shape in sensitive_shapes():
        if reason == "secret":
            text = shape.sub(HIDDEN, text)
    return text


def _checked(cause: Cause) -> Cause:
    """The cause, if its templates use its own fields and nothing else. Any other is shown as plain text."""
    if all(_can_be_filled(template, cause.fields) for template in (cause.template, cause.hint_template)):
        return cause
    return Cause(cause.kind, "{detail}", fields={"detail": _kept(cut_text(cause.template, MAX_TEMPLATE_CHARS))})


def _can_be_filled(template: str, fields: Mapping[str, object]) -> bool:
    """Tell whether it names fields, and nothing of them: no attribute, no width, which could be of any length."""
    if len(template) > MAX_TEMPLATE_CHARS or not {"{", "}"}.isdisjoint(_PLACE.sub("", template)):
        return False
    try:
        template.format(**fields)
    except (KeyError, IndexError, ValueError):
        return False
    return True

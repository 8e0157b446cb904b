"""Values of the configuration: what each key takes, and the sentence where it got something else."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

from msgspec import ValidationError, convert, inspect

from orca_core.model.errors import ConfigError
from orca_core.settings import Seconds, SecondsOrNone

_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_SECRET_KEYS = frozenset({"api_key", "api_key_cmd"})


def checked(value: object, wanted: Any, where: str) -> Any:
    """A value of the type that a setting has. Raises ConfigError."""
    if get_origin(wanted) is dict and isinstance(value, dict):
        return {key: checked(each, get_args(wanted)[1], f"{where}.{key}") for key, each in value.items()}
    try:
        return convert(_seconds(value) if wanted in (Seconds, SecondsOrNone) else value, wanted)
    except ValidationError:
        raise wrong(where, value, _expected(wanted, value)) from None


def _seconds(value: object) -> object:
    """A duration with its unit as seconds; anything else as it is."""
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    return value if match is None else float(match[1]) * _SECONDS[match[2]]


def _expected(wanted: Any, value: object) -> str:
    """What a setting takes, where this value was refused."""
    if get_origin(wanted) is Literal:
        return " or ".join(f'"{each}"' for each in get_args(wanted))
    kind = inspect.type_info(wanted)
    if isinstance(kind, inspect.UnionType):
        kind = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
    expected = "a table"
    match kind:
        case inspect.Metadata(extra_json_schema={"description": described}):
            expected = str(described)
        case inspect.IntType() | inspect.FloatType():
            numbers = int if isinstance(kind, inspect.IntType) else int | float
            expected = "a whole number" if numbers is int else "a number"
            if isinstance(value, numbers) and not isinstance(value, bool):
                expected = f"a number from {kind.ge:g} to {kind.le:g}"
        case inspect.StrType():
            expected = "a text without control characters" if isinstance(value, str) else "a text"
        case inspect.VarTupleType():
            are_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
            expected = "a list of texts without control characters" if are_texts else "a list of texts"
        case inspect.BoolType():
            expected = "true or false"
    return expected


def wrong(where: str, value: object, expected: str) -> ConfigError:
    """The error for a value that is not what its key takes. A secret is never repeated."""
    name = where.rpartition(".")[2]
    found = "(not shown)" if name in _SECRET_KEYS else _shown(value)
    return ConfigError(
        template="{key} is {found}", hint="expected {expected}", key=where, found=found, expected=expected
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def is_web_address(text: str) -> bool:
    """Whether a server may be there: http or https, with a host."""
    if not text.isprintable() or " " in text:
        return False
    try:
        address = urlsplit(text)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # of brackets, or of a port that is none
        return False


def is_near(base_url: str) -> bool:
    """Whether a server is this machine or stands in a private network."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".lan", ".internal"))


def unknown_key(key: str, known: Iterable[str]) -> ConfigError:
    """The error for a key that no section has, with the nearest one that it has."""
    nearest = _nearest(key, known)
    if not nearest:
        return ConfigError(template="unknown key {key}", hint="docs/configuration.md has every key", key=key)
    return ConfigError(template="unknown key {key} (did you mean {nearest}?)", key=key, nearest=nearest)


def unknown_section(name: str, known: Iterable[str]) -> ConfigError:
    """The error for a section that is neither Orca's nor a provider."""
    nearest = _nearest(name, known)
    return ConfigError(
        template="[{key}] is no section of Orca, and no provider without a base_url",
        hint="did you mean [{nearest}]?" if nearest else "",
        key=name,
        nearest=nearest,
    )


def _nearest(key: str, known: Iterable[str]) -> str:
    """The known key that looks most like it; empty where none does."""
    from rapidfuzz import process  # only a mistake pays for it

    best = process.extractOne(key, list(known), score_cutoff=60)
    return best[0] if best else ""

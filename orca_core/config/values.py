"""Values of the configuration: what each key takes, and the sentence where it got something else."""

from __future__ import annotations

import ipaddress
import math
import re
import types
from collections.abc import Iterable
from typing import Any, Literal, Union, get_args, get_origin
from unicodedata import category
from urllib.parse import urlsplit

from orca_core.domain.errors import ConfigError

_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_RANGES: dict[str, tuple[float, float]] = {
    "budget_ratio": (0.0, 0.9),
    "min_confidence": (0.0, 1.0),
    "dimensions": (1, 16_384),
    "context_tokens": (512, 10_000_000),
    "referenced": (0.0, 10.0),
    "unreferenced": (-10.0, 0.0),
    "archive_threshold": (0.0, 100.0),
    "core_threshold": (0.0, 100.0),
    "max_weight": (0.1, 100.0),
    "batch_size": (1, 1000),
    "max_facts": (1, 1000),
    "inbox_expire": (0, 36_500),
    "min_episodes": (1, 1000),
    "threshold": (0.0, 1.0),
    "max_episodes": (0, 1_000_000),
    "temperature": (0.0, 1.0),
    "min_support": (1, 100),
    "summary_count": (1, 1000),
    "keep": (0, 10_000),
}
_MAY_BE_NOTHING = frozenset({"min_age", "grace"})
"""Durations that may be zero."""
_OF_SEVERAL_LINES = frozenset({"system_prompt", "api_key_cmd"})
_SECRET_KEYS = frozenset({"api_key", "api_key_cmd"})


def duration_s(value: object, where: str) -> float:
    """Seconds, from text with a unit or a positive number."""
    seconds = math.nan
    if isinstance(value, str) and (match := _DURATION.fullmatch(value.strip())):
        seconds = float(match[1]) * _SECONDS[match[2]]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value)
    least = 0.0 if where.rpartition(".")[2] in _MAY_BE_NOTHING else math.ulp(0.0)
    if not math.isfinite(seconds) or not least <= seconds <= 365 * 86_400:
        raise wrong(where, value, 'a duration such as "90s", "2m" or "1.5h"')
    return seconds


def checked(value: object, wanted: Any, where: str) -> Any:
    """A value of the type that a setting has. Raises ConfigError."""
    name = where.rpartition(".")[2]
    origin = get_origin(wanted)
    if origin in (Union, types.UnionType):
        [wanted] = [each for each in get_args(wanted) if each is not type(None)]
        return checked(value, wanted, where)
    if origin is Literal:
        if value not in get_args(wanted):
            raise wrong(where, value, " or ".join(f'"{each}"' for each in get_args(wanted)))
        return value
    if origin is tuple:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise wrong(where, value, "a list of texts")
        return tuple(_clean(each, where, name) for each in value)
    if origin is dict:
        if not isinstance(value, dict):
            raise wrong(where, value, "a table")
        if get_args(wanted)[1] is str:
            return {key: checked(each, str, f"{where}.{key}") for key, each in value.items()}
        return value
    return _scalar(value, wanted, where, name)


def _scalar(value: object, wanted: Any, where: str, name: str) -> Any:
    if wanted is bool:
        if not isinstance(value, bool):
            raise wrong(where, value, "true or false")
        return value
    if wanted is str:
        if not isinstance(value, str):
            raise wrong(where, value, "a text")
        return _clean(value, where, name)
    if isinstance(value, bool) or not isinstance(value, int | float) or (wanted is int and not isinstance(value, int)):
        raise wrong(where, value, "a whole number" if wanted is int else "a number")
    least, most = _RANGES.get(name, (0, 1_000_000_000))
    if not (math.isfinite(value) and least <= value <= most):
        raise wrong(where, value, f"a number from {least:g} to {most:g}")
    return wanted(value)


def _clean(text: str, where: str, name: str) -> str:
    """A text without control characters; where it may have lines, those are none. A key is judged when it is used."""
    allowed = "\n\t" if name in _OF_SEVERAL_LINES else ""
    if name != "api_key" and any(category(each) in ("Cc", "Cs") and each not in allowed for each in text):
        raise wrong(where, text, "a text without control characters")
    return text


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

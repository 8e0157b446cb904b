"""What a setting takes: types that msgspec checks, each with the numbers or characters that are allowed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A whole number."""
Amount = Annotated[float, Meta(ge=0, le=1_000_000_000)]
"""A number."""
Share = Annotated[float, Meta(ge=0, le=1)]
"""A part of a whole."""
Weight = Annotated[float, Meta(ge=0, le=100)]
"""A weight of a memory."""

_YEAR_S = 365 * 86_400
Seconds = Annotated[float, Meta(gt=0, le=_YEAR_S, description='a duration such as "90s", "2m" or "1.5h"')]
"""In the file a number of seconds, or a text with its unit (`"90s"`, `"30m"`)."""
SecondsOrNone = Annotated[float, Meta(ge=0, le=_YEAR_S, description='a duration such as "90s", "2m" or "1.5h"')]
"""Seconds, or no time at all (`"0d"`)."""

Line = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\ud800-\udfff]*\Z")]
"""A text without control characters."""
Lines = Annotated[str, Meta(pattern=r"\A[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*\Z")]
"""A text that may have lines and tabs, and no other control characters."""

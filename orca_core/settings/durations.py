"""How a duration is declared."""

from __future__ import annotations

from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(description="a duration")]
"""In the file a number of seconds, or a text with its unit (`"90s"`, `"30m"`)."""

"""What the latest acts say of a candidate."""

from __future__ import annotations

from orca_core.domain.growth.supports import Contrast
from orca_core.wire.values import Json


def contrast_json(contrast: Contrast | None) -> Json | None:
    """Of how many acts each."""
    if contrast is None:
        return None
    return {
        "memory": contrast.memory,
        "for": contrast.speak_for,
        "against": contrast.against,
        "neither": contrast.neither,
        "days": contrast.days,
        "lives": contrast.lives,
    }

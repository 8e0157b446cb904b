"""What may name a profile: whatever a person calls themselves, as long as it can be written down."""

from __future__ import annotations

import unicodedata

from orca_core.model.errors import InvalidInput, quoted

_UNWRITABLE = frozenset({"Cc", "Cs"})


def checked(profile: str) -> str:
    """The name as it is. Raises InvalidInput where it can be none: what begins with a control character, the store
    keeps for itself."""
    if not profile.strip() or any(unicodedata.category(character) in _UNWRITABLE for character in profile):
        raise InvalidInput(
            template="{name} can't name a profile", hint="a name without control characters", name=quoted(profile)
        )
    return profile

"""What an Orca offers of feedback, in one hand."""

from __future__ import annotations

from msgspec import Struct

from orca_core.services.feedback.actions import Actions
from orca_core.services.feedback.pools import Pools


class Feedback(Struct, frozen=True):
    """Acts, and the pools that they fill."""

    actions: Actions
    pools: Pools

"""What an Orca offers of feedback, in one hand."""

from __future__ import annotations

from msgspec import Struct

from orca_core.pipelines.feedback import FeedbackPipeline
from orca_core.services.feedback.actions import Actions
from orca_core.services.feedback.pools import Pools


class Feedback(Struct, frozen=True):
    """Acts, the pools that they fill, and the reading of them."""

    actions: Actions
    pools: Pools
    reading: FeedbackPipeline

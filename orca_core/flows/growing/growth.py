"""What an engine offers of growth, in one hand."""

from __future__ import annotations

from msgspec import Struct

from orca_core.flows.growing.actions import Actions
from orca_core.flows.growing.guides import GuideActions
from orca_core.flows.growing.pools import Pools
from orca_core.flows.growing.tools import Tools
from orca_core.flows.pipelines.feedback import FeedbackPipeline


class Growth(Struct, frozen=True):
    actions: Actions
    pools: Pools
    reading: FeedbackPipeline
    tools: Tools
    guides: GuideActions

"""All pipelines of learning, in one hand."""

from __future__ import annotations

from typing import NamedTuple

from orca_core.pipelines.episodes import EpisodePipeline
from orca_core.pipelines.facts import FactPipeline
from orca_core.pipelines.feedback import FeedbackPipeline
from orca_core.pipelines.guides import GuidePipeline
from orca_core.pipelines.knowledge import KnowledgePipeline
from orca_core.pipelines.summaries import SummaryPipeline


class Pipelines(NamedTuple):
    """What asks the memory agent, in the order in which the worker does it."""

    facts: FactPipeline
    summaries: SummaryPipeline
    episodes: EpisodePipeline
    feedback: FeedbackPipeline
    knowledge: KnowledgePipeline
    guides: GuidePipeline

"""All that is known for one question: what was said, what is being done, what was done, what is known."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.model.recall import Level
from orca_core.model.views import SearchHit
from orca_core.model.work.tasks import TaskView
from orca_core.model.work.tools import GuideView
from orca_core.model.work.views import EpisodeView, KnowledgeView


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Message(Struct, frozen=True):
    """A message of a session; `round` is the number of the round that it is part of."""

    role: Role
    content: str
    at: datetime
    round: int


class Context(Struct, frozen=True):
    """What was found for a question, nearest first, and all of it as one text; `guides` are those of the tools that the
    question or the task names. `level` is how much of the memory could
    be asked, `rules` say by what less was found than there may be."""

    session_id: str | None
    messages: tuple[Message, ...]
    task: TaskView | None
    memories: tuple[SearchHit, ...]
    episodes: tuple[EpisodeView, ...]
    knowledge: tuple[KnowledgeView, ...]
    guides: tuple[GuideView, ...]
    level: Level
    text: str
    rules: tuple[str, ...] = ()

"""What an access changes."""

from __future__ import annotations

from datetime import UTC, datetime

from fakes.past_work import an_episode, some_knowledge
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.rules.work.work_curation import accessed

AT = datetime(2026, 12, 1, tzinfo=UTC)


def test_an_access_is_counted_with_its_time() -> None:
    once = EPISODES.changed(an_episode(), accessed(an_episode(), AT))
    assert once == replace(an_episode(), access_count=1, last_accessed=AT)
    lesson = some_knowledge(access_count=4)
    assert KNOWLEDGES.changed(lesson, accessed(lesson, AT)) == replace(lesson, access_count=5, last_accessed=AT)

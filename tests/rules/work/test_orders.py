"""In which order episodes and knowledge are listed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode, EpisodeSort, KnowledgeSort
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.model.tasks import Outcome
from orca_core.rules.work.work_curation import by_importance, order

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PLAIN = Episode(1, "u1", "t", "what", NOW, NOW, aged_from=NOW)


def test_every_word_sorts_by_columns_that_there_are() -> None:
    for kind, record_type, words in ((EPISODE, EPISODES, EpisodeSort), (KNOWLEDGE, KNOWLEDGES, KnowledgeSort)):
        for word in words:
            columns = order(kind, word.value)
            assert {each.removeprefix("-") for each in columns} <= set(record_type.names), word
            assert columns[-1].removeprefix("-") == "id", word


def test_a_word_of_the_other_kind_is_refused() -> None:
    for kind, word in ((EPISODE, "confidence"), (KNOWLEDGE, "importance"), (EPISODE, "id; DROP TABLE x")):
        with pytest.raises(InvalidInput, match="no such order"):
            order(kind, word)


def test_what_is_forgotten_first_stands_last() -> None:
    old = replace(PLAIN, id=2, aged_from=NOW - timedelta(days=60))
    failed = replace(PLAIN, id=3, outcome=Outcome.FAILED)
    used = replace(PLAIN, id=4, access_count=3)
    newer = replace(PLAIN, id=5, aged_from=NOW + timedelta(hours=1))

    ordered = by_importance([old, failed, PLAIN, used, newer], NOW)

    assert [each.id for each in ordered] == [4, 5, 1, 3, 2]

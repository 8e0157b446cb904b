"""Which episodes knowledge was made of, and the marks on these: both say the same, also after an undo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orca_core.domain.memories import State
from orca_core.domain.refs import EPISODE, KNOWLEDGE, Ref
from orca_core.domain.stores.rows import Rows, any_of, is_, is_not
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES, Knowledge
from orca_core.journal.operations import OpenOperation
from orca_core.journal.records import records_there

MARK = "consolidated_into"
STANDING = (State.LIVE, State.CANDIDATE)
"""What knowledge is that is shown: sources of any other stay as they were."""


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """After some records were put back: knowledge among them, and what episodes among them are marked with, names the
    episodes that are marked with it."""
    numbers = {ref.id for ref in touched if ref.kind == KNOWLEDGE}
    episodes = [ref.id for ref in touched if ref.kind == EPISODE]
    if episodes:
        marked = rows.select(EPISODES.table, (MARK,), any_of("id", episodes), is_not(MARK, None))
        numbers.update(mark for (mark,) in marked)
    for known in records_there(rows, KNOWLEDGES, sorted(numbers)):
        if known.state in STANDING:
            operation.change(KNOWLEDGES.ref(known), {"source_episodes": _sources(rows, known)}, known)


def _sources(rows: Rows, known: Knowledge) -> list[int]:
    """A candidate may be made of episodes that are marked with what it would replace."""
    marked = marked_with(rows, known.id)
    kept = marked if known.state is State.LIVE else there(rows, known.source_episodes)
    return [*(each for each in known.source_episodes if each in kept), *sorted(marked - set(known.source_episodes))]


def marked_with(rows: Rows, knowledge_id: int) -> set[int]:
    return {number for (number,) in rows.select(EPISODES.table, ("id",), is_(MARK, knowledge_id))}


def there(rows: Rows, ids: Iterable[int]) -> set[int]:
    return {number for (number,) in rows.select(EPISODES.table, ("id",), any_of("id", ids))}


def mark(rows: Rows, operation: OpenOperation, knowledge_id: int, episodes: Sequence[int]) -> None:
    """Mark these episodes, and no others, as what the knowledge was made of."""
    for episode in records_there(rows, EPISODES, sorted(marked_with(rows, knowledge_id) - set(episodes))):
        operation.change(EPISODES.ref(episode), {MARK: None}, episode)
    for episode in records_there(rows, EPISODES, episodes):
        operation.change(EPISODES.ref(episode), {MARK: knowledge_id}, episode)

"""What several episodes taught, as a port: which targets there are, and the runs that make knowledge of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from orca_core.model.episodes import ChangeOne
from orca_core.model.knowledge import (
    DueTargets,
    Judged,
    Knowledge,
    KnowledgeBatch,
    Settled,
    TargetCount,
    TargetRenamed,
)
from orca_core.model.learning import RunEnd
from orca_core.model.memories import Fields
from orca_core.model.operations import OperationHeader, RecordsChanged

Retell = Callable[[Any, str], Fields]
"""The fields of an episode, knowledge or task whose target gets another name."""


class KnowledgeStore(Protocol):
    """Runs fail, wait and are given back as those of the learning queue. What is written is one operation, which can be
    undone; then the same episodes do not make it again without a further one."""

    async def targets(self) -> list[TargetCount]:
        """Every target that episodes, tasks or knowledge have, those with most episodes first."""
        ...

    async def of_target(self, target: str) -> list[Knowledge]:
        """Live and candidate knowledge on a target, however it is spelled; the live one first."""
        ...

    async def claim(self, due: DueTargets) -> KnowledgeBatch | None:
        """Episodes on one target that are due: of a run that was cut short or failed, else of a new one. The try counts
        from here on, and a batch that was begun as often as it may be is parked."""
        ...

    async def finish(self, batch: KnowledgeBatch, judged: Judged | None, ended: RunEnd) -> Settled | None:
        """The knowledge, the marks of its episodes and the end of the run, in one transaction; where nothing is taught,
        only the end. None where the batch is void, because what it read was changed, archived or deleted meanwhile."""
        ...

    async def accept(
        self, ids: Sequence[int], header: OperationHeader, change: ChangeOne[Knowledge]
    ) -> RecordsChanged[Knowledge]:
        """What `change` makes of candidates, in one operation; other unpinned knowledge on the target of each gives
        way to it. Raises NotFound, and what `change` raises."""
        ...

    async def rename_target(self, old: str, new: str, header: OperationHeader, retell: Retell) -> TargetRenamed:
        """One operation on all episodes, knowledge and tasks with this target, however it is spelled. Where others have
        the new one, the two are one from then on."""
        ...

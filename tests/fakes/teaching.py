"""Episodes and what they taught, with everything said that a test does not care about."""

from __future__ import annotations

from fakes.records import AT, header, later

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import (
    DueTargets,
    JudgedKnowledge,
    Knowledge,
    KnowledgeBatch,
    KnowledgeWritten,
    ProposedKnowledge,
)
from orca_core.model.learning import AgentMessage, RunEnd
from orca_core.model.record_types import EPISODE, KNOWLEDGE
from orca_core.operations.stores import Stores
from orca_core.rules.work import work_curation


def an_episode(trigger: str = "the pool ran dry", target: str = "orders", **fields: object) -> Episode:
    values = {"uid": f"uid {trigger} {target}", "text": f"{target} {trigger}", "trigger_summary": trigger}
    times = dict.fromkeys(("created_at", "updated_at", "aged_from"), AT)
    return Episode(**{"id": 0, "target": target, **values, **times, **fields})  # type: ignore[arg-type]


async def worked(stores: Stores, *triggers: str, target: str = "orders", **fields: object) -> list[int]:
    """Episodes; their numbers."""
    new = [an_episode(trigger, target, **fields) for trigger in triggers]
    return [(await stores.records[EPISODE].add(each, header("add"))).id for each in new]


def due(minutes: float = 0, min_episodes: int = 3, **fields: object) -> DueTargets:
    return DueTargets(later(minutes), min_episodes, **fields)  # type: ignore[arg-type]


def judged(content: str = "raise the pool", held: str | None = None, **fields: object) -> JudgedKnowledge:
    return JudgedKnowledge(
        ProposedKnowledge("pools", content, ("look first",), 0.8), f"pools {content}", "m", held, **fields
    )  # type: ignore[arg-type]


async def consolidated(
    stores: Stores, content: str = "raise the pool", held: str | None = None, minutes: float = 1, **wanted: object
) -> KnowledgeWritten | None:
    """A whole run on what is due; None where nothing is."""
    batch = await stores.knowledge.claim(due(minutes, **wanted))  # type: ignore[arg-type]
    if batch is None:
        return None
    return await stores.knowledge.finish(batch, judged(content, held), RunEnd(later(minutes)))


SAID = (AgentMessage("user", "three episodes", AT), AgentMessage("assistant", "{…}", AT, "m"))


async def back(stores: Stores, operation: int | None = None) -> int:
    return (await stores.history.undo(operation, later(50))).operation


async def again(stores: Stores, operation: int) -> int:
    return (await stores.history.redo(operation, later(51))).operation


async def claimed(stores: Stores, minutes: float = 0, **wanted: object) -> KnowledgeBatch:
    batch = await stores.knowledge.claim(due(minutes, **wanted))
    assert batch is not None
    return batch


async def made(stores: Stores, content: str = "raise the pool", **given: object) -> KnowledgeWritten:
    settled = await consolidated(stores, content, **given)  # type: ignore[arg-type]
    assert settled is not None
    assert settled.knowledge is not None
    return settled


async def known(stores: Stores, number: int) -> Knowledge:
    [found] = await stores.records[KNOWLEDGE].get([number])
    return found


async def marks(stores: Stores) -> dict[int, int | None]:
    return {each.id: each.consolidated_into async for each in stores.records[EPISODE].all()}


async def archive(stores: Stores, *ids: int) -> None:
    await stores.records[EPISODE].change_all(
        ids, header("archive"), work_curation.change_each(work_curation.archive(AT))
    )


def retold(record: Episode | Knowledge, target: str) -> dict[str, object]:
    return {"target": target, **({"text": f"{target} anew"} if hasattr(record, "text") else {})}

"""What queries of clients tell of the user: facts, projects and events, read tolerantly, judged as any fact is.

A query that Orca holds as a round is read with its session; of all others the act is the only trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.domain.growth.reading import ActBatch, InfoRead, ProposedInfo
from orca_core.domain.learning import DroppedFact, ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.growing.reading import number_in
from orca_core.rules.growing.sentences import sentences_of, speaks_of_the_user
from orca_core.rules.growing.told import asked_in, told_in, without
from orca_core.rules.growing.trust import CONFIDENCE, JudgedPreference, gives_leave, stated
from orca_core.rules.learning.agent import parsing
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.trust import verdicts
from orca_core.rules.learning.trust.evidence import Held, Verdict
from orca_core.rules.learning.trust.second_reading import JudgedFact
from orca_core.settings import ExtractSettings

TYPES = frozenset((MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT))
"""What the user wishes is read out of the same queries by itself."""


def alone(batch: ActBatch) -> ActBatch:
    """The batch without the acts whose rounds are held: these are read with their session."""
    held = {each.number for each in batch.rounds}
    return replace(batch, actions=tuple(each for each in batch.actions if each.round not in held), rounds=())


def read_infos(answer: str, batch: ActBatch, extract: ExtractSettings) -> InfoRead | None:
    """What an answer says that queries tell; None where nothing in it can be read as that."""
    items = parsing.items_in(answer)
    if items is None:
        return None
    infos: list[ProposedInfo] = []
    dropped: list[DroppedFact] = []
    for item in items:
        read = _info(item, len(batch.actions), extract)
        if isinstance(read, ProposedInfo) and len(infos) == extract.max_facts:
            read = parsing.dropped_for(item, "over_limit")
        if isinstance(read, ProposedInfo) and any(read.fact.content == each.fact.content for each in infos):
            read = parsing.dropped_for(item, "repeated")
        if isinstance(read, ProposedInfo):
            infos.append(read)
        elif len(dropped) < parsing.MAX_DROPPED:
            dropped.append(read)
    return InfoRead(tuple(infos), tuple(dropped))


def judged(info: ProposedInfo, batch: ActBatch, known: Sequence[str] = ()) -> list[JudgedPreference]:
    """What becomes of it, by the words of its query alone: another query, or what anybody else said, bears nothing. A
    sentence that speaks of the user as of somebody else was pasted. Its place is that in the whole batch."""
    act = alone(batch).actions[info.action - 1]
    place = batch.actions.index(act) + 1
    said = testimony([each for each in asked_in(batch) if each.number == place])
    others = told_in(replace(batch, actions=(act,))).foreign
    pasted = tuple(each for _, text in said.typed for each in sentences_of(text) if speaks_of_the_user(each))
    typed = tuple((number, without(text, pasted)) for number, text in said.typed)
    said = replace(said, typed=typed, untrusted=others + pasted)
    found = verdicts.judged(info.fact, said, known)
    return [stated(JudgedFact(fact, _without_leave(fact, verdict)), place) for fact, verdict in found]


def _without_leave(fact: ProposedFact, verdict: Verdict) -> Verdict:
    """No fact of the user lets anybody do anything: what would waits for a person."""
    is_leave = verdict.held is None and gives_leave(fact.content)
    return replace(verdict, held=Held.NOT_TYPED) if is_leave else verdict


def _info(item: Any, count: int, extract: ExtractSettings) -> ProposedInfo | DroppedFact:
    place = number_in(item.get("action")) if isinstance(item, Mapping) else None
    if isinstance(item, Mapping):
        item = {"confidence": CONFIDENCE, **item}
    fact = parsing.fact_of(item, extract)
    if isinstance(fact, DroppedFact):
        return fact
    if place is None or not 1 <= place <= count:
        return parsing.dropped_for(item, "no_such_act")
    return ProposedInfo(place, fact) if _is_info(fact) else parsing.dropped_for(item, "unknown_type")


def _is_info(fact: ProposedFact) -> bool:
    return fact.type in TYPES or fact.is_bare

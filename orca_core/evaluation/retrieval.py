"""Measures retrieval: each conversation of a set in a throw-away store, or a copy of one's own, asked as a person
asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime

from orca_core.evaluation import own_memories, scoring
from orca_core.evaluation.own_memories import OwnMemories
from orca_core.evaluation.sets import dated
from orca_core.evaluation.trials import OpenTrial
from orca_core.evaluation.values import Asked, Corpus, Document, Measured, Question, StoreMeasured
from orca_core.model.llm import Clock
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Level
from orca_core.operations.memories import MemoryStore
from orca_core.rules.retrieval.ranking import is_refusal
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, cut
from orca_core.services.shared.search import MemorySearch

AT_ONCE = 500
"""How many documents are written in one transaction. Chosen by hand."""


class RetrievalEvaluation:
    """Measures one embedder."""

    def __init__(self, embedder: str, open_trial: OpenTrial, clock: Clock) -> None:
        self._embedder = embedder
        self._open_trial = open_trial
        self._clock = clock

    async def of_sets(self, corpora: Sequence[Corpus]) -> AsyncGenerator[StoreMeasured | Measured, None]:
        """Each store as it is done, and at last the figures. Raises EmbeddingError where a text has no vector."""
        stores = [(corpus, *store) for corpus in corpora for store in _stores(corpus)]
        asked: dict[str, list[Asked]] = {corpus.name: [] for corpus in corpora}
        left_out: dict[str, int] = {}
        for corpus in corpora:
            for why, count in corpus.left_out.items():
                left_out[why] = left_out.get(why, 0) + count
        for done, (corpus, conversation, documents, questions) in enumerate(stores, 1):
            asked[corpus.name] += await self._store(documents, questions)
            counts = (len(documents), len(questions), done, len(stores))
            yield StoreMeasured(self._embedder, corpus.name, conversation, *counts)
        if len(corpora) == 1:
            yield scoring.measured(asked[corpora[0].name], left_out)
        else:
            yield scoring.together(asked, left_out)

    async def of_own(self) -> Measured:
        """A person's own memories, each asked for by what was typed in its round. Raises EmbeddingError."""
        async with self._open_trial(self._clock.now()) as trial:
            corpus = await OwnMemories(trial.stores.memories, trial.stores.sessions).corpus()
            await trial.embedding.tend()
            asked = [await self._ask(trial.search, each, {}) for each in corpus.questions]
        whole = [each for each in asked if each.question.category == own_memories.WHOLE]
        return scoring.measured(whole, corpus.left_out, by_category_of=asked)

    async def _store(self, documents: Sequence[Document], questions: Sequence[Question]) -> list[Asked]:
        when = dated(documents, self._clock.now())
        async with self._open_trial(max(when)) as trial:
            ids = await _keep(trial.stores.memories, documents, when)
            await trial.embedding.tend()
            return [await self._ask(trial.search, question, ids) for question in questions]

    async def _ask(self, search: MemorySearch, question: Question, ids: Mapping[int, Sequence[str]]) -> Asked:
        """`ids` are those of the documents that a memory stands for, where it is not itself what is looked for."""
        started = self._clock.monotonic()
        result = await search.find(question.text, scoring.DEPTH)
        ms = (self._clock.monotonic() - started) * 1000
        found = [hit.memory.id for hit in result.hits]
        ranked = [document for each in found for document in ids.get(each, (str(each),))]
        return Asked(
            question,
            scoring.score(ranked, question.relevant),
            ms,
            by_words_alone=result.level is not Level.FULL,
            not_reranked=any(map(is_refusal, result.rules)),
        )


def _stores(corpus: Corpus) -> list[tuple[str, list[Document], list[Question]]]:
    """What belongs to each conversation of which something is asked, in the order of the documents."""
    stores: dict[str, tuple[list[Document], list[Question]]] = {}
    for document in corpus.documents:
        stores.setdefault(document.conversation, ([], []))[0].append(document)
    for question in corpus.questions:
        stores[question.conversation][1].append(question)
    return [(name, documents, questions) for name, (documents, questions) in stores.items() if questions]


async def _keep(imports: MemoryStore, documents: Sequence[Document], when: Sequence[datetime]) -> dict[int, list[str]]:
    """The ids of the documents by the number of the memory that each became: texts that repeat are one memory."""
    ids: dict[int, list[str]] = {}
    batch = [_new_memory(document, at) for document, at in zip(documents, when, strict=True)]
    for start in range(0, len(batch), AT_ONCE):
        added = await imports.store_all(batch[start : start + AT_ONCE])
        for document, addition in zip(documents[start:], added, strict=False):
            ids.setdefault(addition.memory.id, []).append(document.id)
    return ids


def _new_memory(document: Document, at: datetime) -> tuple[NewMemory, OperationHeader]:
    content = cut(clean_memory(document.text), MEMORY_LIMITS[1])
    origin = Origin(OriginKind.EXTRACTION, document.session, (document.round,))
    return NewMemory(content, origin=origin), OperationHeader(Actor.IMPORT, "add", at, document.session)

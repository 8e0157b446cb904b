"""Measures retrieval on sets of documents and questions: each conversation in a throw-away store, asked as a person
asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime

from orca_core.domain.evaluation import Asked, Corpus, Document, Measured, Question, StoreMeasured
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import NewMemory, Origin, OriginKind
from orca_core.domain.ports import Clock
from orca_core.domain.recall import Level
from orca_core.domain.stores import MemoryImport
from orca_core.flows.jobs.embedding import Embedding
from orca_core.flows.shared.search import MemorySearch
from orca_core.rules.evaluating import scoring
from orca_core.rules.evaluating.corpora import dated
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, cut

AT_ONCE = 500
"""How many documents are written in one transaction. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A throw-away store, with the search that chats use."""

    imports: MemoryImport
    search: MemorySearch
    embedding: Embedding


OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Trial]]
"""Opens an empty one whose time of day stands still."""


class RetrievalEvaluation:
    """One run over some sets."""

    def __init__(self, open_trial: OpenTrial, clock: Clock) -> None:
        self._open_trial = open_trial
        self._clock = clock

    async def run(self, corpora: Sequence[Corpus]) -> AsyncGenerator[StoreMeasured | Measured, None]:
        """Each store as it is done, and at last the figures. Raises EmbeddingError where a text has no vector."""
        stores = [(corpus, *store) for corpus in corpora for store in _stores(corpus)]
        asked: dict[str, list[Asked]] = {corpus.name: [] for corpus in corpora}
        for done, (corpus, conversation, documents, questions) in enumerate(stores, 1):
            asked[corpus.name] += await self._store(documents, questions)
            yield StoreMeasured(corpus.name, conversation, len(documents), len(questions), done, len(stores))
        left_out = sum(corpus.left_out for corpus in corpora)
        if len(corpora) == 1:
            yield scoring.measured(asked[corpora[0].name], left_out)
        else:
            yield scoring.together(asked, left_out)

    async def _store(self, documents: Sequence[Document], questions: Sequence[Question]) -> list[Asked]:
        when = dated(documents, self._clock.now())
        async with self._open_trial(max(when)) as trial:
            ids = await _keep(trial.imports, documents, when)
            await trial.embedding.tend()
            return [await self._ask(trial.search, question, ids) for question in questions]

    async def _ask(self, search: MemorySearch, question: Question, ids: dict[int, list[str]]) -> Asked:
        started = self._clock.monotonic()
        result = await search.find(question.text, scoring.DEPTH)
        ms = (self._clock.monotonic() - started) * 1000
        ranked = [document for hit in result.hits for document in ids[hit.memory.id]]
        scores = scoring.score(ranked, question.relevant)
        return Asked(question, scores, ms, by_words_alone=result.level is not Level.FULL)


def _stores(corpus: Corpus) -> list[tuple[str, list[Document], list[Question]]]:
    """What belongs to each conversation of which something is asked, in the order of the documents."""
    stores: dict[str, tuple[list[Document], list[Question]]] = {}
    for document in corpus.documents:
        stores.setdefault(document.conversation, ([], []))[0].append(document)
    for question in corpus.questions:
        stores[question.conversation][1].append(question)
    return [(name, documents, questions) for name, (documents, questions) in stores.items() if questions]


async def _keep(imports: MemoryImport, documents: Sequence[Document], when: Sequence[datetime]) -> dict[int, list[str]]:
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

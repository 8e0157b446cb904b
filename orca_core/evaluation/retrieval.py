"""Measures retrieval with one embedder or several: each conversation of a set in a throw-away store, or a copy of one's
own, asked as a person asks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct

from orca_core.clock import ClockAt, SystemClock
from orca_core.config.config_edit import changed_config
from orca_core.config.config_file import DATABASE_NAME, FILE_NAME, LoadedSettings, database_path, loaded_from
from orca_core.evaluation import question_sets, scoring
from orca_core.evaluation.question_sets import OwnMemories, dated, sets_in
from orca_core.evaluation.scoring import (
    Asked,
    Corpus,
    Document,
    Measured,
    Question,
    RetrievalReport,
    StoreMeasured,
    turned,
)
from orca_core.jobs.indexing import Embedding
from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Clock, Embedder
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Level
from orca_core.open import make_uncached_embedder, open_trial_orca
from orca_core.operations.memories import MemoryStore
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.retrieval.ranking import is_refusal
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, cut
from orca_core.services.shared.search import MemorySearch
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, EmbeddingSettings, Settings


class Trial(Struct, frozen=True):
    """One such store, with the search that chats use."""

    stores: Stores
    search: MemorySearch
    embedding: Embedding


OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Trial]]
"""Opens one whose time of day stands still: empty, or a copy of a person's own."""


@asynccontextmanager
async def open_trial(
    settings: Settings,
    environ: Mapping[str, str],
    folder: Path,
    embedder: Embedder,
    at: datetime,
    *,
    scope: str,
    copy_of: Path | None = None,
) -> AsyncIterator[Trial]:
    """A throw-away store in this folder, empty or with what another database holds, put together as an Orca is, at a
    time of day that stands still. The embedder stays open. Raises StorageError."""
    with TemporaryDirectory(dir=folder) as name:
        path = Path(name) / DATABASE_NAME
        orca = await open_trial_orca(settings, environ, path, embedder, ClockAt(at), scope=scope, copy_of=copy_of)
        try:
            yield Trial(orca.stores, orca.search, Embedding(orca.stores.vectors, lambda: orca.embedder, orca.levels))
        finally:
            await orca.aclose()


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
        whole = [each for each in asked if each.question.category == question_sets.WHOLE]
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


_NAMED = re.compile(r"(?P<provider>[^/@]+)(?:/(?P<model>[^@]+))?(?:@(?P<dimensions>\d+))?")


Changes = dict[str | tuple[str, ...], Any]


def changes_for(word: str) -> Changes:
    """The changes of the configuration that choose an embedder; what is not named stays as it is configured."""
    found = _NAMED.fullmatch(word)
    if found is None:
        return {"embedding.provider": word}
    changes: Changes = {"embedding.provider": found["provider"]}
    if found["model"]:
        changes["embedding.model"] = found["model"]
    if found["dimensions"]:
        changes["embedding.dimensions"] = int(found["dimensions"])
    return changes


def name_of(embedding: EmbeddingSettings) -> str:
    """The embedder's name in a report, which `changes_for` reads."""
    if embedding.provider in EMBEDDERS_WITHOUT_A_SERVER:
        return embedding.provider
    return f"{embedding.provider}/{embedding.model}@{embedding.dimensions}"


PROBE = "Orca"
"""Each embedder embeds it before the first store is filled, so that one that can't be asked is told of at once."""


async def evaluate_retrieval(
    loaded: LoadedSettings,
    environ: Mapping[str, str],
    folder: Path | None,
    compared: Sequence[str] = (),
    profile: str | None = None,
) -> AsyncGenerator[StoreMeasured | RetrievalReport, None]:
    """Each store as it is done, and at last the figures: of the set in a folder, of the sets in its folders, or without
    one of the own memories, with the configured embedder and those to be `compared`. Raises OrcaError."""
    sets = None if folder is None else await asyncio.to_thread(sets_in, folder)
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    own = _own_database(loaded) if sets is None else None
    measured: dict[str, Measured] = {}
    async with AsyncExitStack() as ends:
        room = Path(ends.enter_context(TemporaryDirectory(prefix="orca-eval-")))
        evaluations = []
        for settings in _each_once((loaded.settings, *(_with_embedder(loaded, each) for each in compared))):
            embedder = make_uncached_embedder(settings, environ)
            ends.push_async_callback(embedder.aclose)
            await embedder.embed([PROBE])
            opening = partial(open_trial, settings, environ, room, embedder, scope=scope, copy_of=own)
            evaluations.append((name_of(settings.embedding), opening))
        for name, opening in evaluations:
            evaluation = RetrievalEvaluation(name, opening, SystemClock())
            if sets is None:
                measured[name] = await evaluation.of_own()
                continue
            async with aclosing(evaluation.of_sets(sets)) as steps:
                async for step in steps:
                    if isinstance(step, StoreMeasured):
                        yield step
                    else:
                        measured[name] = step
    yield _report(measured)


def _report(measured: Mapping[str, Measured]) -> RetrievalReport:
    first, *others = measured
    against = measured[first].asked
    return RetrievalReport(measured, {name: turned(against, measured[name].asked) for name in others})


def _each_once(chosen: Sequence[Settings]) -> Sequence[Settings]:
    """The settings, if no two name the same embedder: its figures would be its own. Raises InvalidInput."""
    names = [name_of(each.embedding) for each in chosen]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InvalidInput(template="{embedder} is measured anyway: compare it with another one", embedder=name)
    return chosen


def _with_embedder(loaded: LoadedSettings, word: str) -> Settings:
    """The settings as the file would give them with another embedder. Raises ConfigError."""
    path = loaded.path or loaded.home / FILE_NAME
    return loaded_from(changed_config(path, changes_for(word)), path, loaded.home).settings


def _own_database(loaded: LoadedSettings) -> Path | None:
    """The database of one's own memories; None where there is none yet."""
    path, was_named = database_path(loaded)
    return path if was_named or path.exists() else None

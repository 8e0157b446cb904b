"""Measures retrieval with one embedder or several: each conversation of a set in a throw-away store, or a copy of one's
own, asked as a person asks."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from orca_core.clock import ClockAt, SystemClock
from orca_core.config.config_edit import changed_config
from orca_core.config.config_file import DATABASE_NAME, FILE_NAME, LoadedSettings, database_path, loaded_from
from orca_core.evaluation import question_sets, scoring
from orca_core.evaluation.scoring import Asked, Corpus, Document, Measured, Question, RetrievalReport, StoreMeasured
from orca_core.jobs.indexing import Embedding
from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Embedder
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Level
from orca_core.open import make_uncached_embedder, open_trial_orca
from orca_core.operations.memories import MemoryStore
from orca_core.orca import Orca
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.retrieval.ranking import is_refusal
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, cut
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, EmbeddingSettings, Settings

PROBE = "Orca"
"""Each embedder embeds it before the first store is filled, so that one that can't be asked is told of at once."""
AT_ONCE = 500
"""How many documents are written in one transaction. Chosen by hand."""
OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Orca]]
"""Opens a throw-away Orca whose time of day stands still."""


async def evaluate_retrieval(
    loaded: LoadedSettings,
    environ: Mapping[str, str],
    folder: Path | None,
    compared: Sequence[str] = (),
    profile: str | None = None,
) -> AsyncGenerator[StoreMeasured | RetrievalReport, None]:
    """Each store as it is done, and at last the figures: of the set in a folder, of the sets in its folders, or without
    one of the own memories, with the configured embedder and those to be `compared`. Raises OrcaError; EmbeddingError
    where a text has no vector."""
    sets = None if folder is None else await asyncio.to_thread(question_sets.sets_in, folder)
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    own = _own_database(loaded) if sets is None else None
    measured: dict[str, Measured] = {}
    async with AsyncExitStack() as ends:
        room = Path(ends.enter_context(TemporaryDirectory(prefix="orca-eval-")))
        trials: dict[str, OpenTrial] = {}
        for settings in _each_once((loaded.settings, *(_with_embedder(loaded, each) for each in compared))):
            embedder = make_uncached_embedder(settings, environ)
            ends.push_async_callback(embedder.aclose)
            await embedder.embed([PROBE])
            name = name_of(settings.embedding)
            trials[name] = partial(_trial, settings, environ, room, embedder, scope=scope, copy_of=own)
        for name, open_trial in trials.items():
            if sets is None:
                measured[name] = await _of_own(open_trial)
                continue
            asked: dict[str, list[Asked]] = {corpus.name: [] for corpus in sets}
            stores = [(corpus, *store) for corpus in sets for store in _stores(corpus)]
            for done, (corpus, conversation, documents, questions) in enumerate(stores, 1):
                asked[corpus.name] += await _of_store(open_trial, documents, questions)
                counts = (len(documents), len(questions), done, len(stores))
                yield StoreMeasured(name, corpus.name, conversation, *counts)
            left_out = sum((Counter(corpus.left_out) for corpus in sets), Counter[str]())
            measured[name] = scoring.of_sets(asked, left_out)
    first, *others = measured
    against = measured[first].asked
    yield RetrievalReport(measured, {name: scoring.turned(against, measured[name].asked) for name in others})


@asynccontextmanager
async def _trial(
    settings: Settings,
    environ: Mapping[str, str],
    folder: Path,
    embedder: Embedder,
    at: datetime,
    *,
    scope: str,
    copy_of: Path | None = None,
) -> AsyncIterator[Orca]:
    """Orca on a throw-away store, empty or with what another database holds, at a time of day that stands
    still. The embedder stays open. Raises StorageError."""
    with TemporaryDirectory(dir=folder) as name:
        path = Path(name) / DATABASE_NAME
        orca = await open_trial_orca(settings, environ, path, embedder, ClockAt(at), scope=scope, copy_of=copy_of)
        try:
            yield orca
        finally:
            await orca.aclose()


async def _of_own(open_trial: OpenTrial) -> Measured:
    """A person's own memories, each asked for by what was typed in its round."""
    async with open_trial(SystemClock().now()) as orca:
        corpus = await question_sets.own_questions(orca.stores.memories, orca.stores.sessions)
        asked = await _asked(orca, corpus.questions, {})
    whole = [each for each in asked if each.question.category == question_sets.WHOLE]
    return scoring.measured(whole, corpus.left_out, by_category_of=asked)


async def _of_store(
    open_trial: OpenTrial, documents: Sequence[Document], questions: Sequence[Question]
) -> Sequence[Asked]:
    when = question_sets.dated(documents, SystemClock().now())
    async with open_trial(max(when)) as orca:
        return await _asked(orca, questions, await _keep(orca.stores.memories, documents, when))


async def _asked(orca: Orca, questions: Sequence[Question], ids: Mapping[int, Sequence[str]]) -> list[Asked]:
    """The questions, once all is embedded. `ids` are those of the documents that a memory stands for, where it is not
    itself what is looked for."""
    await Embedding(orca.stores.vectors, lambda: orca.embedder, orca.levels).tend()
    clock, asked = SystemClock(), []
    for question in questions:
        started = clock.monotonic()
        result = await orca.search.find(question.text, scoring.DEPTH)
        ms = (clock.monotonic() - started) * 1000
        found = [hit.memory.id for hit in result.hits]
        ranked = [document for each in found for document in ids.get(each, (str(each),))]
        scores = scoring.score(ranked, question.relevant)
        by_words_alone, not_reranked = result.level is not Level.FULL, any(map(is_refusal, result.rules))
        asked.append(Asked(question, scores, ms, by_words_alone=by_words_alone, not_reranked=not_reranked))
    return asked


def _stores(corpus: Corpus) -> list[tuple[str, list[Document], list[Question]]]:
    """What belongs to each conversation of which something is asked, in the order of the documents."""
    stores: dict[str, tuple[list[Document], list[Question]]] = {}
    for document in corpus.documents:
        stores.setdefault(document.conversation, ([], []))[0].append(document)
    for question in corpus.questions:
        stores[question.conversation][1].append(question)
    return [(name, documents, questions) for name, (documents, questions) in stores.items() if questions]


async def _keep(memories: MemoryStore, documents: Sequence[Document], when: Sequence[datetime]) -> dict[int, list[str]]:
    """The ids of the documents by the number of the memory that each became: texts that repeat are one memory."""
    ids: dict[int, list[str]] = {}
    batch = [_new_memory(document, at) for document, at in zip(documents, when, strict=True)]
    for start in range(0, len(batch), AT_ONCE):
        added = await memories.store_all(batch[start : start + AT_ONCE])
        for document, addition in zip(documents[start:], added, strict=False):
            ids.setdefault(addition.memory.id, []).append(document.id)
    return ids


def _new_memory(document: Document, at: datetime) -> tuple[NewMemory, OperationHeader]:
    content = cut(clean_memory(document.text), MEMORY_LIMITS[1])
    origin = Origin(OriginKind.EXTRACTION, document.session, (document.round,))
    return NewMemory(content, origin=origin), OperationHeader(Actor.IMPORT, "add", at, document.session)


_NAMED = re.compile(r"(?P<provider>[^/@]+)(?:/(?P<model>[^@]+))?(?:@(?P<dimensions>\d+))?")


def changes_for(word: str) -> dict[str | tuple[str, ...], Any]:
    """The changes of the configuration that choose an embedder; what is not named stays as it is configured."""
    found = _NAMED.fullmatch(word)
    if found is None:
        return {"embedding.provider": word}
    changes = {f"embedding.{key}": value for key, value in found.groupdict().items() if value}
    return {key: int(value) if key == "embedding.dimensions" else value for key, value in changes.items()}


def name_of(embedding: EmbeddingSettings) -> str:
    """The embedder's name in a report, which `changes_for` reads."""
    if embedding.provider in EMBEDDERS_WITHOUT_A_SERVER:
        return embedding.provider
    return f"{embedding.provider}/{embedding.model}@{embedding.dimensions}"


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

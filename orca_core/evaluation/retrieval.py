"""Measure retrieval with the configured embedder: each conversation of a set in a throw-away store, or a copy of one's
own, asked as a person asks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from orca_core.clock import ClockAt, SystemClock
from orca_core.config.config_file import DATABASE_NAME, LoadedSettings, database_path
from orca_core.evaluation import question_sets, ranking_scores
from orca_core.evaluation.question_sets import Document, QuestionSet, SetQuestion
from orca_core.evaluation.ranking_scores import RetrievalReport, ScoredSearch
from orca_core.jobs.indexing import EmbeddingJob
from orca_core.model.llm import Embedder
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Level
from orca_core.open import make_uncached_embedder, open_trial_orca
from orca_core.operations.memories import MemoryStore
from orca_core.orca import Orca
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.retrieval.ranking import is_refusal
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, cut_text
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, EmbeddingSettings

PROBE = "Orca"
"""The embedder embeds it before the first store is filled, so that one that can't be asked is told of at once."""
AT_ONCE = 500
"""How many documents are written in one transaction. Chosen by hand."""
OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Orca]]
"""Opens a throw-away Orca whose time of day stands still."""


class ConversationDone(Struct, frozen=True):
    """A conversation was asked: the `done`-th of `all`."""

    set: str
    conversation: str
    documents: int
    questions: int
    done: int
    all: int


async def evaluate_retrieval(
    loaded: LoadedSettings, environ: Mapping[str, str], folder: Path | None, profile: str | None = None
) -> AsyncGenerator[ConversationDone | RetrievalReport, None]:
    """Each conversation as it is done, and at last the figures: of the set in a folder, of the sets in its folders, or
    without one of the own memories. Raises OrcaError; EmbeddingError where a text has no vector."""
    sets = None if folder is None else await asyncio.to_thread(question_sets.read_sets, folder)
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    database = _own_database(loaded) if sets is None else None
    embedder, name = make_uncached_embedder(loaded.settings, environ), _name_of(loaded.settings.embedding)
    try:
        await embedder.embed([PROBE])
        with TemporaryDirectory(prefix="orca-eval-") as room:
            open_trial = partial(_trial, loaded, environ, embedder, Path(room), scope, database)
            if sets is None:
                yield await _of_own_memories(open_trial, name)
                return
            results: dict[str, list[ScoredSearch]] = {each.name: [] for each in sets}
            stores = [(each.name, *store) for each in sets for store in _conversations(each)]
            for done, (set_name, conversation, documents, questions) in enumerate(stores, 1):
                results[set_name] += await _of_conversation(open_trial, documents, questions)
                yield ConversationDone(set_name, conversation, len(documents), len(questions), done, len(stores))
            left_out = sum((Counter(each.left_out) for each in sets), Counter[str]())
            yield ranking_scores.report_of(name, results, left_out)
    finally:
        await embedder.aclose()


@asynccontextmanager
async def _trial(
    loaded: LoadedSettings,
    environ: Mapping[str, str],
    embedder: Embedder,
    room: Path,
    scope: str,
    copy_of: Path | None,
    at: datetime,
) -> AsyncIterator[Orca]:
    """Orca on a throw-away store, empty or with what another database holds. The embedder stays open. Raises
    StorageError."""
    with TemporaryDirectory(dir=room) as name:
        path, clock = Path(name) / DATABASE_NAME, ClockAt(at)
        orca = await open_trial_orca(loaded.settings, environ, path, embedder, clock, scope=scope, copy_of=copy_of)
        try:
            yield orca
        finally:
            await orca.aclose()


async def _of_own_memories(open_trial: OpenTrial, embedder: str) -> RetrievalReport:
    """A person's own memories, each asked for by what was typed in its round."""
    async with open_trial(SystemClock().now()) as orca:
        own = await question_sets.read_own_memories(orca.stores.memories, orca.stores.sessions)
        results = await _ask(orca, own.questions, {})
    whole = [each for each in results if each.question.category == question_sets.WHOLE]
    report = ranking_scores.report_of(embedder, {own.name: whole}, own.left_out)
    return replace(report, by_category=ranking_scores.by_category(results))


def _conversations(question_set: QuestionSet) -> list[tuple[str, list[Document], list[SetQuestion]]]:
    """What belongs to each conversation of which something is asked, in the order of the documents."""
    stores: dict[str, tuple[list[Document], list[SetQuestion]]] = {}
    for document in question_set.documents:
        stores.setdefault(document.conversation, ([], []))[0].append(document)
    for question in question_set.questions:
        stores[question.conversation][1].append(question)
    return [(name, documents, questions) for name, (documents, questions) in stores.items() if questions]


async def _of_conversation(
    open_trial: OpenTrial, documents: Sequence[Document], questions: Sequence[SetQuestion]
) -> list[ScoredSearch]:
    when = question_sets.days_of(documents, SystemClock().now())
    async with open_trial(max(when)) as orca:
        return await _ask(orca, questions, await _keep(orca.stores.memories, documents, when))


async def _ask(orca: Orca, questions: Sequence[SetQuestion], ids: Mapping[int, Sequence[str]]) -> list[ScoredSearch]:
    """Ask the questions, once all is embedded. `ids` are those of the documents that a memory stands for, where it is
    not itself what is looked for."""
    await EmbeddingJob(orca.stores.vectors, lambda: orca.embedder, orca.levels).tend()
    clock, results = SystemClock(), []
    for question in questions:
        started = clock.monotonic()
        answer = await orca.search.find(question.text, ranking_scores.DEPTH)
        ms = (clock.monotonic() - started) * 1000
        found = [hit.memory.id for hit in answer.hits]
        ranked = [document for each in found for document in ids.get(each, (str(each),))]
        scores = ranking_scores.score(ranked, question.relevant)
        by_words_alone, not_reranked = answer.level is not Level.FULL, any(map(is_refusal, answer.rules))
        results.append(ScoredSearch(question, scores, ms, by_words_alone, not_reranked))
    return results


async def _keep(memories: MemoryStore, documents: Sequence[Document], when: Sequence[datetime]) -> dict[int, list[str]]:
    """Store the documents, and return their ids by the number of the memory that each became: texts that repeat are one
    memory."""
    sessions: Counter[str] = Counter()
    batch = []
    for document, at in zip(documents, when, strict=True):
        sessions[document.session or ""] += 1
        origin = Origin(OriginKind.EXTRACTION, document.session or None, (sessions[document.session or ""],))
        content = cut_text(clean_memory(document.kept_text), MEMORY_LIMITS[1])
        batch.append((NewMemory(content, origin=origin), OperationHeader(Actor.IMPORT, "add", at, origin.session_id)))
    ids: dict[int, list[str]] = {}
    for start in range(0, len(batch), AT_ONCE):
        added = await memories.store_all(batch[start : start + AT_ONCE])
        for document, addition in zip(documents[start:], added, strict=False):
            ids.setdefault(addition.memory.id, []).append(document.id)
    return ids


def _name_of(embedding: EmbeddingSettings) -> str:
    if embedding.provider in EMBEDDERS_WITHOUT_A_SERVER:
        return embedding.provider
    return f"{embedding.provider}/{embedding.model}@{embedding.dimensions}"


def _own_database(loaded: LoadedSettings) -> Path | None:
    """The database of one's own memories; None where there is none yet."""
    path, was_named = database_path(loaded)
    return path if was_named or path.exists() else None

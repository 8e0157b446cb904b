"""Evaluations on data of one's own choice: read from files, measured in stores that are thrown away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from orca_core.adapters import make_uncached_embedder, open_trial
from orca_core.clock import SystemClock
from orca_core.config.file import LoadedSettings
from orca_core.domain.errors import InvalidInput
from orca_core.domain.evaluation import Corpus, Measured, StoreMeasured
from orca_core.flows.evaluating.retrieval import RetrievalEvaluation
from orca_core.rules.evaluating import corpora

DOCUMENTS, QUESTIONS = "corpus.jsonl", "queries.jsonl"


async def evaluate_retrieval(
    loaded: LoadedSettings, environ: Mapping[str, str], folder: Path
) -> AsyncIterator[StoreMeasured | Measured]:
    """Each store as it is done, and at last the figures of the set in a folder, or of the sets in its folders.

    Raises OrcaError."""
    sets = await asyncio.to_thread(read_sets, folder)
    embedder = make_uncached_embedder(loaded.settings, environ)
    try:
        with TemporaryDirectory(prefix="orca-eval-") as name:
            evaluation = RetrievalEvaluation(partial(open_trial, loaded.settings, Path(name), embedder), SystemClock())
            async with aclosing(evaluation.run(sets)) as steps:
                async for step in steps:
                    yield step
    finally:
        await embedder.aclose()


def read_sets(folder: Path) -> list[Corpus]:
    """The set of a folder, else those of its folders. Raises InvalidInput."""
    if (folder / DOCUMENTS).is_file():
        return [_read_set(folder)]
    sets = [_read_set(each.parent) for each in sorted(folder.glob(f"*/{DOCUMENTS}"))]
    if not sets:
        raise InvalidInput(
            template="{path}: there is no {documents} here, nor in a folder of it",
            hint="a set is a folder with {documents} and {questions}; docs/evaluation.md describes them",
            path=str(folder),
            documents=DOCUMENTS,
            questions=QUESTIONS,
        )
    return sets


def _read_set(folder: Path) -> Corpus:
    documents, questions = folder / DOCUMENTS, folder / QUESTIONS
    read = corpora.corpus(folder.resolve().name, (str(documents), _read(documents)), (str(questions), _read(questions)))
    if not read.questions:
        raise InvalidInput(template="{path}: no question is asked here", path=str(questions))
    return read


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        detail = error.strerror or str(error)
        raise InvalidInput(template="{path}: can't be read ({detail})", path=str(path), detail=detail) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(template="{path}: this is no UTF-8 text", path=str(path)) from error

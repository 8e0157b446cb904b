"""Evaluations of retrieval, on sets of one's own choice or one's own memories, with one embedder or with several; all
in stores that are thrown away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from orca_core.adapters import make_uncached_embedder, open_trial
from orca_core.clock import SystemClock
from orca_core.config.edit import changed_config
from orca_core.config.file import FILE_NAME, LoadedSettings, loaded_from
from orca_core.config.places import database_path
from orca_core.domain.errors import InvalidInput
from orca_core.domain.evaluation import Corpus, Measured, RetrievalReport, StoreMeasured
from orca_core.flows.evaluating.retrieval import RetrievalEvaluation
from orca_core.rules.evaluating import corpora
from orca_core.rules.evaluating.embedders import changes_for, name_of
from orca_core.rules.evaluating.scoring import turned
from orca_core.rules.keeping import profiles
from orca_core.settings import Settings

DOCUMENTS, QUESTIONS = "corpus.jsonl", "queries.jsonl"
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
    sets = None if folder is None else await asyncio.to_thread(read_sets, folder)
    scope = profiles.checked(profile or loaded.settings.profile)
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

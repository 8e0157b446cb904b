"""Evaluations of retrieval, on sets of one's own choice or one's own memories, with one embedder or with several; all
in stores that are thrown away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from orca_core.clock import SystemClock
from orca_core.config.config_edit import changed_config
from orca_core.config.config_file import FILE_NAME, LoadedSettings, database_path, loaded_from
from orca_core.evaluation.retrieval import RetrievalEvaluation
from orca_core.evaluation.scoring import turned
from orca_core.evaluation.sets import sets_in
from orca_core.evaluation.trials import open_trial
from orca_core.evaluation.values import Measured, RetrievalReport, StoreMeasured
from orca_core.model.errors import InvalidInput
from orca_core.open import make_uncached_embedder
from orca_core.rules.memory import memory_upkeep
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, EmbeddingSettings, Settings

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

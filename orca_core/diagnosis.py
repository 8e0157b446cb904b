"""The doctor before an Orca is open, or where none can be: the configuration, the files of the home, their disk and,
where wanted, the endpoints. What is looked at may be mended."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from orca_core.clock import SystemClock
from orca_core.config.config_file import FILE_NAME, LoadedSettings, database_path
from orca_core.config.own_prompts import prompts_in
from orca_core.config.providers import PRESETS, agent_provider, key_variable
from orca_core.endpoints import in_use, offered_by
from orca_core.model.diagnosis import NAMED, Diagnosis, Finding, FindingEvidence, Repair, RepairState, Says, failed
from orca_core.model.errors import ConfigError, OrcaError
from orca_core.model.llm import PromptText
from orca_core.model.operations import Tell, tell_nobody
from orca_core.model.recall import Level
from orca_core.open import (
    make_memory_agent,
    make_model,
    make_reranker,
    make_uncached_embedder,
    make_verifier,
    open_orca,
)
from orca_core.rules.text.cleaning import one_line
from orca_core.services import endpoint_checks
from orca_core.services.verifier_trial import verifier_check
from orca_core.settings import AGENTS_FOLDER, EMBEDDERS_WITHOUT_A_SERVER, ProviderSettings, Settings

ODDITY_CHARS = 160
FILE_MODE, FOLDER_MODE = 0o600, 0o700
OTHERS = 0o077
BESIDE = ("", "-wal", "-shm", ".learning")
"""What lies beside a database under its name."""
MOST = 5000
"""So many entries of a home are looked at. Chosen by hand."""
DEPTH = 3
COPIES = 2
"""A migration, a backup and a wipe each write a copy: room for so many is enough."""
LEAST_BYTES = 50 * 1_048_576
"""Chosen by hand."""
PATH_CHARS = 100


async def diagnose(
    loaded: LoadedSettings,
    environ: Mapping[str, str],
    tell: Tell = tell_nobody,
    *,
    asks_network: bool = False,
    mends: bool = False,
    is_dry: bool = False,
) -> Diagnosis:
    """What `orca doctor` says; also where the database can't be opened. Endpoints are asked where it `asks_network`.
    What it `mends`, it mends before it looks, or says so where it `is_dry`. `tell` hears how far it is."""
    repairs = mended_files(loaded, is_dry=is_dry) if mends else []
    findings = [*_of_the_configuration(loaded), _prompts(loaded), files_check(loaded), disk_check(loaded)]
    findings += _keys(loaded, environ)
    asked = await _ask_endpoints(loaded, environ) if asks_network else ()
    try:
        orca = await open_orca(loaded, environ=environ)
    except OrcaError as error:
        return Diagnosis(Level.NONE, (*findings, failed("database", "fail", error), *asked), tuple(repairs))
    try:
        if mends:
            repairs += await orca.doctor.mend(is_dry=is_dry, may_ask=asks_network)
        return replace(await orca.doctor.examine(findings, asked, tell), repairs=tuple(repairs))
    finally:
        await orca.aclose()


def diagnose_without_settings(home: Path, error: OrcaError, *, mends: bool = False, is_dry: bool = False) -> Diagnosis:
    """What can be said, and mended, where the configuration can't be read: nothing is opened."""
    loaded = LoadedSettings(Settings(), None, home)
    repairs = mended_files(loaded, is_dry=is_dry) if mends else []
    findings = (failed("config", "fail", error), files_check(loaded), disk_check(loaded))
    return Diagnosis(Level.NONE, findings, tuple(repairs))


async def _ask_endpoints(loaded: LoadedSettings, environ: Mapping[str, str]) -> Sequence[Finding]:
    """What each of them answered; they are asked at once. One that needs no server is not among them."""
    settings, clock = loaded.settings, SystemClock()

    def offered(name: str, provider: ProviderSettings | None) -> endpoint_checks.Offered:
        async def ask() -> Sequence[str]:
            return await offered_by(name, provider, environ) if provider is not None else ()

        return ask

    make_chat = partial(make_model, settings, environ, clock)
    listed = offered(settings.provider, settings.providers.get(settings.provider))
    looks = [endpoint_checks.chat_check(endpoint_checks.CHAT, make_chat, listed, clock)]
    if settings.memory_agent.enabled:
        make_agent, listed = partial(make_memory_agent, settings, environ, clock), offered(*agent_provider(settings))
        looks.append(endpoint_checks.chat_check(endpoint_checks.AGENT, make_agent, listed, clock))
        if settings.memory_agent.extract.asks_verifier:
            verifier = partial(make_verifier, settings, environ, clock)
            looks.append(verifier_check(verifier, loaded.home / AGENTS_FOLDER))
    if settings.embedding.provider not in EMBEDDERS_WITHOUT_A_SERVER:
        looks.append(endpoint_checks.embedding_check(partial(make_uncached_embedder, settings, environ), clock))
    if settings.rerank.provider:
        make_rerank = partial(make_reranker, settings, environ)
        looks.append(endpoint_checks.rerank_check(make_rerank, clock, settings.embedding.query_timeout))
    return await asyncio.gather(*looks)


def _of_the_configuration(loaded: LoadedSettings) -> Iterator[Finding]:
    say = Says("config")
    if loaded.path is None:
        yield say.ok("no config file: every setting has its default")
    else:
        yield say.ok("{path}", path=loaded.path)
    for each in loaded.warnings:
        yield Finding("config", "warn", each.template, fields=each.fields)


def _keys(loaded: LoadedSettings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Which endpoints that want a key have none. What a command would give is not asked for."""
    lacking: dict[str, list[str]] = {}
    for what, (name, provider), _model in in_use(loaded.settings):
        is_given = provider.api_key or provider.api_key_cmd or environ.get(key_variable(name), "").strip()
        preset = PRESETS.get(name)
        if preset and preset.needs_key and provider.base_url == preset.base_url and not is_given:
            lacking.setdefault(name, []).append(what)
    for name, uses in lacking.items():
        yield Says("config").warns(
            "{provider} has no key; it is used for: {uses}",
            "write it in {path}, as api_key in [{provider}], or export {variable}",
            provider=name,
            uses=", ".join(uses),
            path=loaded.path or loaded.home / FILE_NAME,
            variable=key_variable(name),
        )


def _prompts(loaded: LoadedSettings) -> Finding:
    """Whether the user's own prompts can be used, and say all that the built-in ones do."""
    say = Says("prompts")
    own = {each.path: each for each in prompts_in(loaded.home) if each.path is not None}
    odd = [each for each in own.values() if each.failure is not None or each.lacking]
    if not odd:
        return say.ok("{count} of your own", count=len(own))
    told = [
        FindingEvidence(text=one_line(_oddity(each), ODDITY_CHARS), command=f"orca config prompts show {each.name}")
        for each in odd[:NAMED]
    ]
    return say.warns(
        "{count} of your own can't be read, or lack what is filled in",
        "orca config prompts says which; orca config prompts show NAME shows the one that is used",
        count=len(odd),
    ).named(told, len(odd))


def _oddity(prompt: PromptText) -> str:
    if prompt.failure is not None:
        return prompt.failure.message
    return " ".join([f"{prompt.path}:", *(f"{{{each}}}" for each in prompt.lacking)])


# The files of a home.


class Readable(Struct, frozen=True):
    """A file or folder that others may read or write, and the mode that keeps them out."""

    path: Path
    mode: int
    wanted: int


def readable_by_others(places: Iterable[Path]) -> list[Readable]:
    """Those of the files and folders that others may open. A link is passed over: what it leads to is not Orca's."""
    found = []
    for path in places:
        try:
            status = path.lstat()
        except OSError:  # it is gone, or in a folder that can't be entered: nobody reads it there
            continue
        if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
            mode = stat.S_IMODE(status.st_mode)
            if mode & OTHERS:
                wanted = FOLDER_MODE if stat.S_ISDIR(status.st_mode) else FILE_MODE
                found.append(Readable(path, mode, wanted))
    return found


def private_places(loaded: LoadedSettings) -> list[Path]:
    """What only its owner is to open: the home and all in it, the database and the configuration, wherever they are.
    Where the home is the user's own folder, what Orca did not make there is left out."""
    places = [] if loaded.path is None else [loaded.path]
    try:
        database, _was_named = database_path(loaded)
        places += [database.with_name(database.name + each) for each in BESIDE]
        places += islice(_inside(database.parent / "backups"), MOST)
    except ConfigError:
        pass  # the check of the database says it
    home = loaded.home
    if home.is_dir() and not _is_shared_with_more(home):
        places += [home.resolve(), *islice(_inside(home), MOST)]
    return list(dict.fromkeys(places))


def mended_files(loaded: LoadedSettings, *, is_dry: bool) -> list[Repair]:
    """Keep others out of the files that they may open, or say of which that would be."""
    found = readable_by_others(private_places(loaded))
    if is_dry:
        return [_repair("would", each) for each in found]
    repairs = []
    for each in found:
        try:
            _change_mode(each)
        except OSError:
            repairs.append(_repair("failed", each))
        else:
            repairs.append(_repair("done", each))
    return sorted(repairs, key=lambda each: each.state)


def _repair(state: RepairState, each: Readable) -> Repair:
    detail = "{path}: {mode} to {wanted}"
    if state == "failed":
        detail = "{path} could not be changed from {mode} to {wanted}"
    path = one_line(str(each.path), PATH_CHARS)
    return Says("files").repaired(state, detail, path=path, mode=f"{each.mode:o}", wanted=f"{each.wanted:o}")


def files_check(loaded: LoadedSettings) -> Finding:
    """Whether others may read what Orca keeps."""
    say, found = Says("files"), readable_by_others(private_places(loaded))
    if not found:
        return say.ok("nobody else can read them")
    finding = say.warns("{count} can be read by others", "orca doctor --fix keeps them out", count=len(found))
    return finding.named([evidence_of(each) for each in found[:NAMED]], len(found))


def evidence_of(found: Readable) -> FindingEvidence:
    """A file with its mode, and what keeps others out of it, where its name can be typed."""
    path = str(found.path)
    command = f"chmod {found.wanted:o} {quote(path)}" if path.isprintable() else ""
    return FindingEvidence(text=f"{one_line(path, PATH_CHARS)} ({found.mode:o})", command=command)


def disk_check(loaded: LoadedSettings) -> Finding:
    """Whether the disk of the database has room for copies of it."""
    say = Says("disk")
    try:
        database, _was_named = database_path(loaded)
        folder = next(each for each in (database.parent, *database.parent.parents) if each.is_dir())
        free = shutil.disk_usage(folder).free
        size = sum(path.stat().st_size for path in _there(database))
    except (ConfigError, OSError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else error.message
        return say.warns("its room could not be looked at: {detail}", detail=why)
    detail = "{free} MB free; the database has {size} MB"
    fields = {"free": _megabytes(free), "size": _megabytes(size)}
    if free < LEAST_BYTES:
        return say.fails(detail, "free some space", **fields).named(_largest(database))
    if free < COPIES * size:
        fix = "free some space: a backup and a migration each write a copy of it"
        return say.warns(detail, fix, **fields).named(_largest(database))
    return say.ok(detail, **fields)


def _largest(database: Path) -> tuple[FindingEvidence, ...]:
    """The files that take most room: of the database, and its backups."""
    sizes = []
    for path in (*_there(database), *_inside(database.parent / "backups")):
        with suppress(OSError):  # it is gone meanwhile
            if stat.S_ISREG((status := path.lstat()).st_mode):
                sizes.append((status.st_size, str(path)))
    largest = sorted(sizes, reverse=True)[:NAMED]
    return tuple(
        FindingEvidence(text=f"{one_line(path, PATH_CHARS)} ({_megabytes(size)} MB)") for size, path in largest
    )


def _there(database: Path) -> Iterator[Path]:
    for side in BESIDE:
        path = database.with_name(database.name + side)
        if path.is_file():
            yield path


def _inside(folder: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Everything in a folder, without following a link."""
    if folder.is_symlink() or not folder.is_dir():
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for each in entries:
        yield each
        if depth > 1 and each.is_dir():
            yield from _inside(each, depth - 1)


def _is_shared_with_more(home: Path) -> bool:
    """Whether more than Orca's things lie in it: the user's own folder, or one above it."""
    here, own = home.resolve(), Path.home().resolve()
    return own == here or here in own.parents


def _change_mode(found: Readable) -> None:
    """By the file itself, not its name: what has become a link meanwhile is left alone."""
    opened = os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.fchmod(opened, found.wanted)
    finally:
        os.close(opened)


def _megabytes(size: int) -> str:
    return f"{size / 1_048_576:.0f}" if size >= 10 * 1_048_576 else f"{size / 1_048_576:.1f}"

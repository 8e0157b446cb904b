"""Runs the doctor: configuration, files and, where wanted, endpoints, then an engine, also where none can be opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from orca_core.adapters import (
    make_memory_agent,
    make_model,
    make_reranker,
    make_uncached_embedder,
    make_verifier,
    missing_package,
    open_engine,
)
from orca_core.clock import SystemClock
from orca_core.config.file import FILE_NAME, LoadedSettings
from orca_core.config.own_prompts import prompts_in
from orca_core.config.presets import PRESETS, agent_provider, key_variable
from orca_core.model.doctor import NAMED, Diagnosis, Evidence, Finding, Says, failed
from orca_core.model.errors import OrcaError
from orca_core.model.llm import PromptText
from orca_core.model.operations import Tell, tell_nobody
from orca_core.model.recall import Level
from orca_core.rules.text.cleaning import one_line
from orca_core.services import endpoint_checks
from orca_core.services.verifier_trial import verifier_check
from orca_core.settings import AGENTS_FOLDER, EMBEDDERS_WITHOUT_A_SERVER, ProviderSettings, Settings
from orca_core.setup.files import disk_check, files_check, mended_files
from orca_core.setup.models import offered_by
from orca_core.setup.offers import in_use

ODDITY_CHARS = 160


def unusable(loaded: LoadedSettings) -> OrcaError | None:
    """What of the configuration can not work here, though it is written well; None where all of it may."""
    return missing_package(loaded.settings)


class Wanted(Struct, frozen=True):
    """What is asked of the doctor beside looking: asking endpoints, mending, saying what would be mended."""

    asks_network: bool = False
    mends: bool = False
    is_dry: bool = False


ONLY_LOOKS = Wanted()


async def diagnose(
    loaded: LoadedSettings, environ: Mapping[str, str], wanted: Wanted = ONLY_LOOKS, tell: Tell = tell_nobody
) -> Diagnosis:
    """What `orca doctor` says; also where the database can't be opened. It looks after it has mended."""
    repairs = mended_files(loaded, is_dry=wanted.is_dry) if wanted.mends else []
    findings = [*_of_the_configuration(loaded), _prompts(loaded), files_check(loaded), disk_check(loaded)]
    findings += _keys(loaded, environ)
    asked = await _ask_endpoints(loaded, environ) if wanted.asks_network else ()
    try:
        engine = await open_engine(loaded, environ=environ)
    except OrcaError as error:
        return Diagnosis(Level.NONE, (*findings, failed("database", "fail", error), *asked), tuple(repairs))
    try:
        if wanted.mends:
            repairs += await engine.doctor.mend(is_dry=wanted.is_dry, may_ask=wanted.asks_network)
        return replace(await engine.doctor.examine(findings, asked, tell), repairs=tuple(repairs))
    finally:
        await engine.aclose()


def diagnose_without_settings(home: Path, error: OrcaError, wanted: Wanted = ONLY_LOOKS) -> Diagnosis:
    """What can be said, and mended, where the configuration can't be read: nothing is opened."""
    loaded = LoadedSettings(Settings(), None, home)
    repairs = mended_files(loaded, is_dry=wanted.is_dry) if wanted.mends else []
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
        Evidence(text=one_line(_oddity(each), ODDITY_CHARS), command=f"orca config prompts show {each.name}")
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

"""Runs the doctor: checks the configuration, then an engine, also where none can be opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from orca_core.adapters import missing_package, open_engine
from orca_core.config.file import FILE_NAME, LoadedSettings
from orca_core.config.own_prompts import prompts_in
from orca_core.config.presets import PRESETS, key_variable
from orca_core.domain.dataclass import dataclass
from orca_core.domain.diagnosis import NAMED, Check, Diagnosis, Evidence, failed_check
from orca_core.domain.errors import OrcaError
from orca_core.domain.progress import Tell, tell_nobody
from orca_core.domain.prompts import PromptText
from orca_core.domain.recall import Level
from orca_core.rules.text.cleaning import one_line
from orca_core.settings import Settings
from orca_core.setup.files import disk_check, files_check, mended_files
from orca_core.setup.offers import in_use


def unusable(loaded: LoadedSettings) -> OrcaError | None:
    """What of the configuration can not work here, though it is written well; None where all of it may."""
    return missing_package(loaded.settings)


ODDITY_CHARS = 160


@dataclass(frozen=True, slots=True)
class Wanted:
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
    checks = [*_of_the_configuration(loaded), _prompts(loaded), files_check(loaded), disk_check(loaded)]
    checks += _keys(loaded, environ)
    asked: Sequence[Check] = ()
    if wanted.asks_network:
        from orca_core.setup.endpoints import ask_endpoints

        asked = await ask_endpoints(loaded, environ)
    try:
        engine = await open_engine(loaded, environ=environ)
    except OrcaError as error:
        return Diagnosis(Level.NONE, (*checks, failed_check("database", "fail", error), *asked), tuple(repairs))
    try:
        if wanted.mends:
            repairs += await engine.doctor.mend(is_dry=wanted.is_dry, may_ask=wanted.asks_network)
        return replace(await engine.doctor.examine(checks, asked, tell), repairs=tuple(repairs))
    finally:
        await engine.aclose()


def _of_the_configuration(loaded: LoadedSettings) -> Iterator[Check]:
    if loaded.path is None:
        yield Check("config", "ok", "no config file: every setting has its default")
    else:
        yield Check("config", "ok", "{path}", fields={"path": loaded.path})
    for each in loaded.warnings:
        yield Check("config", "warn", each.template, fields=each.fields)


def _keys(loaded: LoadedSettings, environ: Mapping[str, str]) -> Iterator[Check]:
    """Which endpoints that want a key have none. What a command would give is not asked for."""
    lacking: dict[str, list[str]] = {}
    for what, (name, provider), _model in in_use(loaded.settings):
        is_given = provider.api_key or provider.api_key_cmd or environ.get(key_variable(name), "").strip()
        preset = PRESETS.get(name)
        if preset and preset.needs_key and provider.base_url == preset.base_url and not is_given:
            lacking.setdefault(name, []).append(what)
    for name, uses in lacking.items():
        yield Check(
            "config",
            "warn",
            "{provider} has no key; it is used for: {uses}",
            "write it in {path}, as api_key in [{provider}], or export {variable}",
            {
                "provider": name,
                "uses": ", ".join(uses),
                "path": loaded.path or loaded.home / FILE_NAME,
                "variable": key_variable(name),
            },
        )


def _prompts(loaded: LoadedSettings) -> Check:
    """Whether the user's own prompts can be used, and say all that the built-in ones do."""
    own = {each.path: each for each in prompts_in(loaded.home) if each.path is not None}
    odd = [each for each in own.values() if each.failure is not None or each.lacking]
    if not odd:
        return Check("prompts", "ok", "{count} of your own", fields={"count": len(own)})
    told = tuple(
        Evidence(text=one_line(_oddity(each), ODDITY_CHARS), command=f"orca config prompts show {each.name}")
        for each in odd[:NAMED]
    )
    return Check(
        "prompts",
        "warn",
        "{count} of your own can't be read, or lack what is filled in",
        "orca config prompts says which; orca config prompts show NAME shows the one that is used",
        {"count": len(odd)},
        evidence=told,
        found=len(odd),
    )


def _oddity(prompt: PromptText) -> str:
    if prompt.failure is not None:
        return prompt.failure.message
    return " ".join([f"{prompt.path}:", *(f"{{{each}}}" for each in prompt.lacking)])


def diagnose_without_settings(home: Path, error: OrcaError, wanted: Wanted = ONLY_LOOKS) -> Diagnosis:
    """What can be said, and mended, where the configuration can't be read: nothing is opened."""
    loaded = LoadedSettings(Settings(), None, home)
    repairs = mended_files(loaded, is_dry=wanted.is_dry) if wanted.mends else []
    checks = (failed_check("config", "fail", error), files_check(loaded), disk_check(loaded))
    return Diagnosis(Level.NONE, checks, tuple(repairs))

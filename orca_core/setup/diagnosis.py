"""Runs the doctor: checks the configuration, then an engine, also where none can be opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from orca_core.adapters import missing_package, open_engine
from orca_core.config.file import LoadedSettings
from orca_core.domain.diagnosis import Check, Diagnosis, failed_check
from orca_core.domain.errors import OrcaError
from orca_core.domain.recall import Level
from orca_core.settings import Settings
from orca_core.setup.files import disk_check, files_check


def unusable(loaded: LoadedSettings) -> OrcaError | None:
    """What of the configuration can not work here, though it is written well; None where all of it may."""
    return missing_package(loaded.settings)


async def diagnose(loaded: LoadedSettings, environ: Mapping[str, str], *, asks_network: bool = False) -> Diagnosis:
    """What `orca doctor` says; also where the database can't be opened. Endpoints are asked where it `asks_network`."""
    if loaded.path is None:
        checks = [Check("config", "ok", "no config file: every setting has its default")]
    else:
        checks = [Check("config", "ok", "{path}", fields={"path": loaded.path})]
    checks += [Check("config", "warn", each.template, fields=each.fields) for each in loaded.warnings]
    checks += [files_check(loaded), disk_check(loaded)]
    asked: Sequence[Check] = ()
    if asks_network:
        from orca_core.setup.endpoints import ask_endpoints

        asked = await ask_endpoints(loaded, environ)
    try:
        engine = await open_engine(loaded, environ=environ)
    except OrcaError as error:
        return Diagnosis(Level.NONE, (*checks, failed_check("database", "fail", error), *asked))
    try:
        return await engine.doctor.examine(checks, asked)
    finally:
        await engine.aclose()


def diagnose_without_settings(home: Path, error: OrcaError) -> Diagnosis:
    """What can be said where the configuration can't be read: nothing is opened."""
    loaded = LoadedSettings(Settings(), None, home)
    return Diagnosis(Level.NONE, (failed_check("config", "fail", error), files_check(loaded), disk_check(loaded)))

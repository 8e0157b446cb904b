"""Runs the doctor: checks the configuration, then an engine, also where none can be opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.adapters import missing_package, open_engine
from orca_core.config.file import LoadedSettings
from orca_core.domain.diagnosis import Check, Diagnosis, failed_check
from orca_core.domain.errors import OrcaError
from orca_core.domain.recall import Level


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

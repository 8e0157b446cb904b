"""The composition root: the only module that reaches behind the core's API, for what must be there before one is open.

Everything is imported where it is needed, so that a command pays for nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from orca_core.config.file import LoadedSettings as LoadedSettings  # noqa: PLC0414  # type checkers take it for a name of this module
    from orca_core.evaluation.values import Replay, RetrievalReport, StoreMeasured
    from orca_core.model.backups import BackedUp, Backup, Progress
    from orca_core.model.doctor import Diagnosis
    from orca_core.model.errors import OrcaError
    from orca_core.model.llm import Clock, Offer, PromptText
    from orca_core.model.operations import Proof, Tell, Traces
    from orca_core.model.records import Kind
    from orca_core.orca import Orca
    from orca_core.setup.restoring import Restore
    from orca_tui.language import Language

Environ = Mapping[str, str]
AGENTS_FOLDER = "agents"
"""The folder in the home that holds the user's own prompts."""


def read_settings(environ: Environ, named: Path | None) -> LoadedSettings:
    """The settings of the file that was named, or found. Raises ConfigError."""
    from orca_core.config.file import read_settings as read

    return read(environ, named)


def config_path(environ: Environ, named: Path | None) -> Path:
    """Where the configuration file is, or would be."""
    from orca_core.config.file import config_path as find

    return find(environ, named)[0]


def write_example(path: Path) -> Path:
    """A commented configuration file to begin with. Raises ConfigError where there is one."""
    from orca_core.config.edit import write_example as write

    return write(path)


def begins_new(loaded: LoadedSettings) -> LoadedSettings:
    """The same settings, but that the app begins with a new chat."""
    import msgspec

    ui = msgspec.structs.replace(loaded.settings.ui, start="new")
    return replace(loaded, settings=msgspec.structs.replace(loaded.settings, ui=ui))


async def open_orca(
    loaded: LoadedSettings,
    *,
    environ: Environ,
    profile: str | None = None,
    model: str | None = None,
    will_talk: bool = False,
    keeps_up: bool = False,
) -> Orca:
    """Orca on the configured database. One that `will_talk` can do without it, and loads in the background what turns
    need; one that `keeps up` does upkeep in the background. Raises OrcaError."""
    from orca_core.adapters import open_engine

    return await open_engine(
        loaded,
        environ=environ,
        profile=profile,
        model=model,
        needs_store=not will_talk,
        will_talk=will_talk,
        keeps_up=keeps_up,
    )


async def diagnose(
    loaded: LoadedSettings, environ: Environ, tell: Tell, *, asks_network: bool, mends: bool, is_dry: bool
) -> Diagnosis:
    """What the doctor finds, also where the database can't be opened; endpoints are asked where it `asks_network`. What
    it `mends`, it mends before it looks, or says so where it `is_dry`. `tell` hears how far it is."""
    from orca_core.setup.diagnosis import Wanted
    from orca_core.setup.diagnosis import diagnose as visit

    return await visit(loaded, environ, Wanted(asks_network, mends, is_dry), tell)


def diagnose_without_settings(environ: Environ, error: OrcaError, *, mends: bool, is_dry: bool) -> Diagnosis:
    """What the doctor finds where the configuration can't be read. Raises ConfigError where there is no home either."""
    from orca_core.config.file import home_of
    from orca_core.setup.diagnosis import Wanted
    from orca_core.setup.diagnosis import diagnose_without_settings as visit

    return visit(home_of(environ), error, Wanted(mends=mends, is_dry=is_dry))


def evaluate_retrieval(
    loaded: LoadedSettings,
    environ: Environ,
    folder: Path | None,
    compared: Sequence[str] = (),
    profile: str | None = None,
) -> AsyncIterator[StoreMeasured | RetrievalReport]:
    """How well the sets in a folder, or one's own memories, are found with these settings and with other embedders,
    step by step. Raises OrcaError."""
    from orca_core.evaluation.evaluate import evaluate_retrieval as evaluate

    return evaluate(loaded, environ, folder, compared, profile)


def unusable(loaded: LoadedSettings) -> OrcaError | None:
    """What of the configuration can not work here, though it is written well; None where all of it may."""
    from orca_core.setup.diagnosis import unusable as look

    return look(loaded)


async def replay_rules(loaded: LoadedSettings, changes: Sequence[str], profile: str | None) -> Replay:
    """The stored receipts under other settings, each as KEY=VALUE. Raises OrcaError."""
    from orca_core.evaluation.replaying import replay_rules as replay

    return await replay(loaded, changes, profile)


def back_up(
    loaded: LoadedSettings, into: Path | None, keep: int | None, *, overwrites: bool
) -> AsyncIterator[Progress | BackedUp]:
    """A backup of the database, step by step. Raises OrcaError."""
    from orca_core.setup.backups import back_up as make

    return make(loaded, into, keep, overwrites=overwrites)


async def list_backups(loaded: LoadedSettings) -> tuple[Path, list[Backup]]:
    """The folder of the backups, and what is in it, newest first. Raises OrcaError."""
    from orca_core.setup.backups import list_backups as read

    return await read(loaded)


def open_restore(loaded: LoadedSettings, named: str, profile: str | None) -> Restore:
    """A backup on its way back: what it would change, and doing so. Raises NotFound."""
    from orca_core.setup.restoring import Restore

    return Restore(loaded, named, profile)


async def look_for(loaded: LoadedSettings, kind: Kind, ids: Sequence[int]) -> Traces:
    """What there is of some records, before they are deleted. Raises OrcaError."""
    from orca_core.adapters.files import look_for_traces

    return await look_for_traces(loaded, kind, ids)


async def look_for_sessions(loaded: LoadedSettings, profile: str | None, session_ids: Sequence[str]) -> Traces:
    """What there is of some chats, before they are deleted. Raises OrcaError."""
    from orca_core.adapters.files import look_for_sessions as look

    return await look(loaded, profile, session_ids)


async def prove(loaded: LoadedSettings, before: Traces) -> Proof:
    """What is left of them, once every engine is closed. Raises OrcaError."""
    from orca_core.adapters.files import prove_gone

    return await prove_gone(loaded, before)


async def try_model(loaded: LoadedSettings, environ: Environ) -> None:
    """One word to the configured model. Raises OrcaError where it does not answer."""
    from orca_core.setup.models import try_model as ask

    await ask(loaded, environ)


async def list_models(loaded: LoadedSettings, environ: Environ, name: str, key: str) -> list[str]:
    """The models that a provider offers. Raises OrcaError where it does not say."""
    from orca_core.setup.models import list_models as ask

    return await ask(loaded, environ, name, key)


async def offers(loaded: LoadedSettings, environ: Environ, name: str | None) -> Sequence[Offer]:
    """The models that each endpoint in use offers, or that of the provider that is named. Raises InvalidInput."""
    from orca_core.setup.offers import offers as ask

    return await ask(loaded, environ, name)


def titles(
    environ: Environ, config: Path | None, profile: str | None, what: str, beginning: str, most: int
) -> list[tuple[str, str]]:
    """Names of records that begin so, with their titles, cleaned, short and without secrets: of the configured
    database, which is only read, and without an engine. Raises ConfigError."""
    from orca_core.config.file import read_settings as read
    from orca_core.config.places import database_path
    from orca_core.rules.text.memory_wording import shown_without_secrets
    from orca_core.store.sqlite.upkeep.completions import titles as look

    loaded = read(environ, config)
    found = look(database_path(loaded)[0], profile or loaded.settings.profile, what, beginning, most)
    return [(name, shown_without_secrets(title)) for name, title in found]


def provider_names(loaded: LoadedSettings) -> Sequence[tuple[str, str]]:
    """The providers that are configured, and those that Orca knows by name, each with where it is."""
    from orca_core.config.presets import PRESETS

    own = {name: each.base_url for name, each in loaded.settings.providers.items()}
    return [*own.items(), *((name, each.base_url) for name, each in PRESETS.items() if name not in own)]


def prompts_in(home: Path) -> Sequence[PromptText]:
    """Every prompt in each of its languages, as it is used now."""
    from orca_core.config.own_prompts import prompts_in as read

    return read(home)


def prompt_in(home: Path, name: str, language: str) -> PromptText:
    """One prompt as it is used now. Raises InvalidInput."""
    from orca_core.config.own_prompts import prompt_in as read

    return read(home, name, language)


def prompt_languages(name: str) -> Sequence[str]:
    """The languages in which a prompt stands. Raises InvalidInput for one that there is not."""
    from orca_core.config.own_prompts import languages_of as read

    return read(name)


def own_prompt(home: Path, name: str, language: str) -> tuple[Path, str]:
    """Where the user's own text of a prompt belongs, and the built-in one. Raises InvalidInput."""
    from orca_core.config.own_prompts import beginning as read

    return read(home, name, language)


async def open_story(loaded: LoadedSettings, language: Language, *, hurries: bool = False) -> Orca:
    """Orca in a throw-away home, with a small story in it and a model that plays it on."""
    from orca_core.adapters import open_story as open_it

    return await open_it(loaded, language, hurries=hurries)


def story_settings(loaded: LoadedSettings, home: Path) -> LoadedSettings:
    """The story's own set-up, with the user's colours and keys."""
    from msgspec.structs import replace as replaced

    from orca_core.config.file import LoadedSettings
    from orca_core.settings import ProviderSettings, Settings

    provider = ProviderSettings(base_url="http://127.0.0.1:1", model="orca-story")
    ui = replaced(loaded.settings.ui, start="new")
    settings = Settings(ui=ui, keys=loaded.settings.keys, provider="story", providers={"story": provider})
    return LoadedSettings(settings, None, home)


def story_questions(language: Language) -> list[str]:
    """What the user says in the story."""
    from orca_core.demo.script import questions

    return questions(language)


def system_clock() -> Clock:
    """The real time."""
    from orca_core.clock import SystemClock

    return SystemClock()

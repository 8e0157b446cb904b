"""The configuration: found, read, checked key by key, and told what is wrong in one line; where it keeps things."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomli
from msgspec import Struct

from orca_core.config.config_values import checked, is_near, is_web_address, unknown_key, unknown_section, wrong
from orca_core.config.providers import PRESETS, RETIRED_MODELS
from orca_core.model.errors import ConfigError
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, ProviderSettings, Settings

MAX_BYTES = 1_048_576


def text_of(path: Path) -> str:
    """All of it. Raises ConfigError, without the path in front."""
    try:
        raw = _bytes_of(path)
    except FileNotFoundError as error:
        raise ConfigError(template="there is no such file", hint="orca config init writes one") from error
    except OSError as error:
        raise ConfigError(template="can not be read: {detail}", detail=error.strerror or error) from error
    if len(raw) > MAX_BYTES:
        raise ConfigError(template="is larger than {most} bytes", most=MAX_BYTES)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(template="line {line} is not UTF-8", hint="save the file as UTF-8", line=line) from error


def _bytes_of(path: Path) -> bytes:
    """The beginning of a regular file: a pipe would be waited for, a device has no end. Raises OSError, ConfigError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError(template="is no regular file", hint="name a file that holds the configuration")
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(MAX_BYTES + 1)


def in_file(error: ConfigError, path: Path) -> ConfigError:
    """The same error with the file in front."""
    return ConfigError(
        template=f"{{path}}: {error.sentence_template}", hint=error.way_out_template, **{**error.fields, "path": path}
    )


FILE_NAME = "config.toml"

OLD_SPELLINGS: Mapping[str, str] = {
    "memory.short_term.max": "memory.short_term.max_items",
    "memory.short_term.threshold": "memory.short_term.compression_threshold",
    "memory.long_term.limit": "memory.long_term.max_return",
    "memory.inject.keywords": "memory.inject.technical_keywords",
    "memory_extractor": "memory_agent.extract",
    "memory_summarizer": "memory_agent.summarize",
}
"""Keys and sections of earlier versions, and what they are called now."""


class ConfigWarning(Struct, frozen=True):
    """Something that works, and should be looked at all the same."""

    template: str
    fields: Mapping[str, object]

    def __str__(self) -> str:
        return self.template.format(**self.fields)


class LoadedSettings(Struct, frozen=True):
    """The settings, the file they came from (None: defaults), Orca's home, and what to look at."""

    settings: Settings
    path: Path | None
    home: Path
    warnings: tuple[ConfigWarning, ...] = ()


def home_of(environ: Mapping[str, str]) -> Path:
    """Where Orca keeps its things: `$ORCA_HOME`, else `~/.orca`."""
    named = environ.get("ORCA_HOME", "")
    return expanded(named, "$ORCA_HOME") if named else expanded("~/.orca", "$HOME")


def expanded(text: str, where: str) -> Path:
    """A path that was named, `~` replaced. Raises ConfigError where it can be none, or SQLite could not open it."""
    try:
        path = Path(text).expanduser()
        str(path).encode()
    except (RuntimeError, UnicodeEncodeError) as error:
        raise ConfigError(
            template="{where} names no folder that can be used ({detail})",
            hint="set $ORCA_HOME to another one, in UTF-8",
            where=where,
            detail="its bytes are not UTF-8" if isinstance(error, UnicodeEncodeError) else "there is no such user",
        ) from error
    return path


def config_path(environ: Mapping[str, str], explicit: Path | None = None) -> tuple[Path, bool]:
    """The file that counts, and whether someone named it (then it must be there)."""
    if explicit is not None:
        return explicit, True
    if environ.get("ORCA_CONFIG"):
        return expanded(environ["ORCA_CONFIG"], "$ORCA_CONFIG"), True
    return home_of(environ) / FILE_NAME, False


def read_settings(environ: Mapping[str, str], explicit: Path | None = None) -> LoadedSettings:
    """The settings that count. Raises ConfigError, in one line, without any secret in it."""
    path, was_named = config_path(environ, explicit)
    home = home_of(environ)
    if not was_named and not path.exists():
        return LoadedSettings(Settings(), None, home)
    reader = _SettingsReader(path)
    try:
        settings = reader.settings(_toml(text_of(path)))
    except ConfigError as error:
        raise in_file(error, path) from error
    return LoadedSettings(settings, path, home, (*reader.warnings, *_file_warnings(path, settings)))


def parse_settings(text: str) -> Settings:
    """Settings from the text of a file. Raises ConfigError."""
    return _SettingsReader(Path(FILE_NAME)).settings(_toml(text))


def loaded_from(text: str, path: Path, home: Path) -> LoadedSettings:
    """Settings as they would be, were this the text of the file. Raises ConfigError."""
    reader = _SettingsReader(path)
    settings = reader.settings(_toml(text))
    return LoadedSettings(settings, path, home, tuple(reader.warnings))


class _SettingsReader:
    """One reading: what was read, and what to warn of."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.warnings: list[ConfigWarning] = []

    def settings(self, document: dict[str, Any]) -> Settings:
        document = self._respelt(document)
        own = {field.name for field in msgspec.structs.fields(Settings)} - {"providers"}
        known = own | {name for name, value in document.items() if _is_provider(name, value)}
        for name, value in document.items():
            if name not in known:
                if isinstance(value, dict):
                    raise unknown_section(name, own | set(PRESETS))
                raise unknown_key(name, own)
        values = {name: value for name, value in document.items() if name in own}
        settings: Settings = self._struct(Settings, values, "")
        providers = {
            name: self._provider(name, document.get(name, {}))
            for name in dict.fromkeys([*(name for name in document if name not in own), *_named(settings)])
        }
        settings = msgspec.structs.replace(settings, providers=providers)
        _check_together(settings)
        return settings

    def _respelt(self, document: dict[str, Any]) -> dict[str, Any]:
        """The document with old spellings replaced, each warned of."""
        for old, new in OLD_SPELLINGS.items():
            value = _taken(document, old.split("."))
            if value is None:
                continue
            *sections, name = new.split(".")
            target = document
            for section in sections:
                target = target.setdefault(section, {})
            if not isinstance(target, dict):
                raise wrong(".".join(sections), target, "a table")
            target.setdefault(name, value)
            self._warn("{old} is now called {new}", old=old, new=new)
        return document

    def _struct(self, kind: type[Any], values: object, where: str) -> Any:
        if not isinstance(values, dict):
            raise wrong(where, values, "a table")
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        fields.pop("providers", None)
        read: dict[str, Any] = {}
        for name, value in values.items():
            full = f"{where}.{name}" if where else name
            if name not in fields:
                raise unknown_key(full, [f"{where}.{known}" if where else known for known in fields])
            field = fields[name]
            if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
                read[field.name] = self._struct(field.type, value, full)
            else:
                read[field.name] = checked(value, field.type, full)
        return kind(**read)

    def _provider(self, name: str, values: object) -> ProviderSettings:
        preset = PRESETS.get(name)
        defaults: dict[str, Any] = {}
        if preset is not None:
            defaults = {
                "base_url": preset.base_url,
                "model": preset.model,
                "context_tokens": preset.context_tokens,
            }
        if not isinstance(values, dict):
            raise wrong(name, values, "a table")
        if preset is None and "base_url" not in values:
            raise ConfigError(
                template="there is no provider {name}",
                hint="add a section [{name}] with its base_url, or name one of {known}",
                name=name,
                known=", ".join(PRESETS),
            )
        provider: ProviderSettings = self._struct(ProviderSettings, {**defaults, **values}, name)
        if not is_web_address(provider.base_url):
            raise wrong(f"{name}.base_url", provider.base_url, "an address that begins with https:// or http://")
        if provider.model in RETIRED_MODELS:
            new = RETIRED_MODELS[provider.model]
            self._warn(
                "{name}.model {old} was switched off by its vendor; {new} is used",
                name=name,
                old=provider.model,
                new=new,
            )
            provider = msgspec.structs.replace(provider, model=new)
        if provider.base_url.startswith("http://") and provider.api_key and not is_near(provider.base_url):
            self._warn("{name}.base_url is http: the key travels unencrypted", name=name)
        return provider

    def _warn(self, template: str, **fields: object) -> None:
        self.warnings.append(ConfigWarning(template, fields))


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomli.loads(text)
    except ValueError as error:  # a TOMLDecodeError is one, and Python's refusal of a number of 5,000 digits
        raise ConfigError(template="is not TOML: {detail}", detail=error) from error
    except RecursionError as error:
        raise ConfigError(template="is nested too deeply") from error


def _is_provider(name: str, value: object) -> bool:
    return isinstance(value, dict) and (name in PRESETS or "base_url" in value)


def _named(settings: Settings) -> list[str]:
    """The providers that the settings name."""
    embedding = settings.embedding.provider
    agent = settings.memory_agent
    named = [settings.provider, agent.provider, agent.verifier.provider, settings.rerank.provider]
    return [name for name in (*named, "" if embedding in EMBEDDERS_WITHOUT_A_SERVER else embedding) if name]


def _check_together(settings: Settings) -> None:
    """What must hold between settings."""
    long_term = settings.memory.long_term
    if not long_term.archive_threshold < long_term.core_threshold <= long_term.max_weight:
        raise ConfigError(
            template="memory.long_term: {low:g} (archive), {core:g} (core), {most:g} (max_weight) do not rise",
            hint="archive_threshold < core_threshold <= max_weight",
            low=long_term.archive_threshold,
            core=long_term.core_threshold,
            most=long_term.max_weight,
        )
    if settings.embedding.provider not in EMBEDDERS_WITHOUT_A_SERVER and not settings.embedding.model:
        raise ConfigError(
            template="embedding.model is empty", hint="name the model that {provider} embeds with",
            provider=settings.embedding.provider,
        )  # fmt: skip
    rerank = settings.rerank
    if rerank.provider and not rerank.model and rerank.dialect != "tei":
        raise ConfigError(
            template="rerank.model is empty",
            hint="name the model that {provider} reranks with",
            provider=rerank.provider,
        )
    if not settings.profile.strip():
        raise wrong("profile", settings.profile, "a name")


def _file_warnings(path: Path, settings: Settings) -> Iterable[ConfigWarning]:
    has_key = any(p.api_key and not p.api_key.startswith("env:") for p in settings.providers.values())
    if (has_key or settings.memory_agent.api_key) and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        yield ConfigWarning(
            template="{path} holds a key and others can read it: chmod 600 {path}", fields={"path": path}
        )


def _taken(document: dict[str, Any], path: list[str]) -> Any:
    """The value at a path, taken out; None where there is none."""
    *sections, name = path
    return _table(document, sections).pop(name, None)


def _table(document: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The table at a path; an empty one where there is none."""
    at: Any = document
    for section in path:
        at = at.get(section) if isinstance(at, dict) else None
    return at if isinstance(at, dict) else {}


DATABASE_NAME = "orca.db"


def database_path(loaded: LoadedSettings) -> tuple[Path, bool]:
    """Where the database is, and whether the configuration named it (then it must exist)."""
    if loaded.settings.database:
        return expanded(loaded.settings.database, "database"), True
    return loaded.home / DATABASE_NAME, False

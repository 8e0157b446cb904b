"""Names and titles of records, for who completes what is typed: read without an Orca."""

from __future__ import annotations

from orca_core.config.config_file import LoadedSettings, database_path
from orca_core.rules.text.memory_wording import shown_without_secrets
from orca_core.store.sqlite.upkeep.completions import titles


def titles_of(
    loaded: LoadedSettings, profile: str | None, what: str, beginning: str, most: int
) -> list[tuple[str, str]]:
    """Names of records that begin so, with their titles, cleaned, short and without secrets: of the configured
    database, which is only read. Raises ConfigError."""
    found = titles(database_path(loaded)[0], profile or loaded.settings.profile, what, beginning, most)
    return [(name, shown_without_secrets(title)) for name, title in found]

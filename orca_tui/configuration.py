"""The configuration as a person reads and changes it, by one door: the file, its settings, servers known by name."""

from __future__ import annotations

from orca_core.config.edit import Changes, change_config, changed_config
from orca_core.config.file import FILE_NAME, LoadedSettings, loaded_from
from orca_core.config.presets import PRESETS, key_variable
from orca_core.settings import MEANING, ProviderSettings, Settings

__all__ = [
    "FILE_NAME",
    "MEANING",
    "PRESETS",
    "Changes",
    "LoadedSettings",
    "ProviderSettings",
    "Settings",
    "change_config",
    "changed_config",
    "key_variable",
    "loaded_from",
]

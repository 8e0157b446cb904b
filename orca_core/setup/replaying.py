"""Replays stored receipts under settings that were named one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tomli

from orca_core.adapters import open_own_stores
from orca_core.config.edit import Changes, changed_config
from orca_core.config.file import FILE_NAME, LoadedSettings, loaded_from
from orca_core.domain.errors import InvalidInput
from orca_core.domain.replay import Replay
from orca_core.flows.evaluating.replaying import RulesReplay

REPLAYABLE = (
    "memory.inject.first_round_empty",
    "memory.inject.short_term_count",
    "memory.inject.long_term_trigger",
    "memory.inject.min_query_length",
    "memory.inject.technical_keywords",
    "memory.inject.recall_trigger",
    "memory.inject.pinned_first",
    "memory.inject.repeat_visible",
    "memory.inject.budget_ratio",
    "memory.inject.budget_floor",
    "memory.long_term.max_return",
    "memory.long_term.archive_threshold",
    "memory.long_term.core_threshold",
    "memory.long_term.max_weight",
    "memory.weights.referenced",
    "memory.weights.unreferenced",
)
"""The keys of which a receipt holds enough to say what another value would have changed."""


async def replay_rules(loaded: LoadedSettings, changes: Sequence[str], profile: str | None) -> Replay:
    """What other settings, each as KEY=VALUE, would have made of the stored turns. Raises OrcaError."""
    path = loaded.path or loaded.home / FILE_NAME
    changed = loaded_from(changed_config(path, _read(changes)), path, loaded.home).settings
    stores = await open_own_stores(loaded, profile)
    try:
        replaying = RulesReplay(stores.dialogues, stores.receipts)
        return await replaying.replay(loaded.settings.memory, changed.memory)
    finally:
        await stores.housekeeping.aclose()


def _read(changes: Sequence[str]) -> Changes:
    read: dict[str | tuple[str, ...], Any] = {}
    for each in changes:
        key, sign, value = each.partition("=")
        key = key.strip()
        if not sign or key not in REPLAYABLE:
            raise InvalidInput(
                template="{found}: no receipt tells what this would change",
                hint="write KEY=VALUE, with one of {known}",
                found=each,
                known=", ".join(REPLAYABLE),
            )
        read[key] = _value(value.strip())
    return read


def _value(written: str) -> Any:
    """A value as the configuration file has it; a word needs no quotes."""
    try:
        return tomli.loads(f"value = {written}")["value"]
    except tomli.TOMLDecodeError:
        return written

"""The proof that a record is gone: looked for before it is deleted, and again when no engine has the database open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from orca_core.adapters import files
from orca_core.config.file import LoadedSettings
from orca_core.domain.proofs import Proof, Traces
from orca_core.domain.refs import Kind
from orca_core.rules.keeping import profiles


async def look_for(loaded: LoadedSettings, kind: Kind, ids: Sequence[int]) -> Traces:
    """What there is of the records, before they are deleted. Raises StorageError."""
    return await asyncio.to_thread(files.look_for_traces, loaded, kind, ids)


async def look_for_sessions(loaded: LoadedSettings, profile: str | None, session_ids: Sequence[str]) -> Traces:
    """What there is of the chats, before they are deleted. Raises StorageError."""
    scope = profiles.checked(profile or loaded.settings.profile)
    return await asyncio.to_thread(files.look_for_sessions, loaded, scope, session_ids)


async def prove(loaded: LoadedSettings, before: Traces) -> Proof:
    """What of it is left. Every engine of this process must be closed. Raises StorageError."""
    return await asyncio.to_thread(files.prove_gone, loaded, before)

"""The proof that a record is gone: looked for before it is deleted, and again when no engine has the database open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from orca_core.adapters.files import look_for_traces, prove_gone
from orca_core.config.file import LoadedSettings
from orca_core.domain.proofs import Proof, Traces
from orca_core.domain.refs import Kind


async def look_for(loaded: LoadedSettings, kind: Kind, ids: Sequence[int]) -> Traces:
    """What there is of the records, before they are deleted. Raises StorageError."""
    return await asyncio.to_thread(look_for_traces, loaded, kind, ids)


async def prove(loaded: LoadedSettings, before: Traces) -> Proof:
    """What of it is left. Every engine of this process must be closed. Raises StorageError."""
    return await asyncio.to_thread(prove_gone, loaded, before)

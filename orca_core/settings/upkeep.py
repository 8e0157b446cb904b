"""Settings of what is done for the file as a whole."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class BackupSettings(Struct, frozen=True, kw_only=True):
    """Backups, in the folder `backups` beside the database."""

    keep: Annotated[int, Meta(ge=0, le=10_000)] = 10
    """So many stay when another is made, the newest; 0 keeps all."""

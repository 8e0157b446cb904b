"""Settings of what is done for the file as a whole."""

from __future__ import annotations

import msgspec


class BackupSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Backups, in the folder `backups` beside the database."""

    keep: int = 10
    """So many stay when another is made, the newest; 0 keeps all."""

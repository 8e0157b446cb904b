"""What a cleaning did, or would do, in JSON."""

from __future__ import annotations

from orca_core.domain.cleaning import Cleaned
from orca_core.wire.values import Json


def cleaned_json(cleaned: Cleaned, *, is_dry: bool) -> Json:
    """Memories by number, all else counted. Of a dry run it is what would be done."""
    return {
        "dry_run": is_dry,
        "archived": list(cleaned.archived),
        "merged": [{"kept": each.kept, "others": list(each.others)} for each in cleaned.merged],
        "short_term": cleaned.summaries,
        "vectors": cleaned.vectors,
    }

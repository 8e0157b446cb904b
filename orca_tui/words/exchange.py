"""What leaves a home and what comes into one."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_tui.language import counted


def counts_words(counts: Mapping[str, int]) -> str:
    """How many records of each kind, but for those of which there are none."""
    words = {
        "memories": counted("{count} memory", "{count} memories", counts.get("memories", 0)),
        "tasks": counted("{count} task", "{count} tasks", counts.get("tasks", 0)),
        "episodes": counted("{count} episode", "{count} episodes", counts.get("episodes", 0)),
        "knowledge": counted("{count} piece of knowledge", "{count} pieces of knowledge", counts.get("knowledge", 0)),
        "guides": counted("{count} guide", "{count} guides", counts.get("guides", 0)),
        "actions": counted("{count} act", "{count} acts", counts.get("actions", 0)),
        "tool_calls": counted("{count} call", "{count} calls", counts.get("tool_calls", 0)),
    }
    return ", ".join(text for name, text in words.items() if counts.get(name)) or _("nothing")

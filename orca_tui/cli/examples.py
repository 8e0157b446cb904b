"""How commands are typed: what the help of each ends in. A command that says its own examples where it is defined
(`@command(examples=…)`) is not here; `tests/cli/test_examples.py` carries each of them out."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "activity": ("orca activity", "orca activity --limit 5 --all"),
    "backup list": ("orca backup list", "orca backup list --json"),
    "chat": (
        'orca chat "why does my pod restart?"',
        'git diff | orca chat "review this"',
        'orca chat --session nginx --json "what did we change?"',
    ),
    "config check": ("orca config check", "orca config check --json"),
    "config init": ("orca config init",),
    "config path": ("orca config path",),
    "config prompts edit": (
        "orca config prompts edit memory_extractor",
        "orca config prompts edit summarizer --language zh",
    ),
    "demo": ("orca demo", "orca demo --screenshot orca.svg --size 120 36"),
    "eval retrieval": ("orca eval retrieval", "orca eval retrieval --json"),
    "eval rules": (
        "orca eval rules --set memory.inject.long_term_trigger=always",
        "orca eval rules --set memory.long_term.max_return=4 --json",
    ),
    "extract": ("orca extract", "orca extract --session s", "orca extract --retry"),
    "memory accept": (
        "orca memory accept 1 2",
        'orca memory accept 1 --content "User uses helix"',
        "orca memory accept --chat recipes --dry-run",
    ),
    "memory add": (
        'orca memory add "I use neovim"',
        'orca memory add "Answer in short sentences" --type instruction --pin',
    ),
    "memory archive": ("orca memory archive 1", "orca memory archive 1 2 --json"),
    "memory delete": ("orca memory delete 1", "orca memory delete 1 --with-messages --yes"),
    "memory duplicates": ("orca memory duplicates", "orca memory duplicates --json"),
    "memory edit": (
        "orca memory edit 1",
        'orca memory edit 1 --content "I use helix"',
        "orca memory edit 1 --tag editor --weight 2",
    ),
    "memory history": ("orca memory history 1",),
    "memory inbox": ("orca memory inbox", "orca memory inbox --json"),
    "memory list": (
        "orca memory list",
        "orca memory list --type preference --sort new --limit 5",
        "orca memory list --status archived --json",
    ),
    "memory merge": ("orca memory merge 1 2", 'orca memory merge 1 2 --content "User works in neovim"'),
    "memory never": ("orca memory never 1",),
    "memory pin": ("orca memory pin 1", "orca memory pin 1 2"),
    "memory redo": ("orca memory redo",),
    "memory reindex": ("orca memory reindex",),
    "memory reject": ("orca memory reject 1 e3", "orca memory reject --from chatgpt --type project --yes"),
    "memory restore": ("orca memory restore 1",),
    "memory search": ('orca memory search "which editor do I use"', "orca memory search 编辑器 --limit 3 --json"),
    "memory show": ("orca memory show 1", "orca memory show m1 --json"),
    "memory stats": ("orca memory stats", "orca memory stats --json"),
    "memory undo": ("orca memory undo", "orca memory undo 1"),
    "memory unpin": ("orca memory unpin 1",),
    "session list": ("orca session list", "orca session list --json"),
    "session show": ("orca session show s", "orca session show s --json"),
    "stats": ("orca stats", "orca stats --json"),
    "why": ("orca why", "orca why 1 --session s", "orca why --json"),
}
"""By the command, without `orca`."""

"""The help: every key, those of the focused pane first, and every slash command. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from textual.content import Content

from orca_tui.app.keymap import Key
from orca_tui.app.widgets.key_line import key_name
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import padded


def help_content(
    groups: Mapping[str, tuple[Key, ...]], focused: str, commands: Mapping[str, str], chosen_keys: Mapping[str, str]
) -> Content:
    """All of it: the `groups` of keys, the one that is `focused` first; `chosen_keys` come from the configuration."""
    lines: list[Content] = []
    for group in sorted(groups, key=lambda name: name != focused):
        lines.append(literal(_(group), "bold"))
        for key in groups[group]:
            keys = " ".join(key_name(each) for each in chosen_keys.get(key.id, key.keys).split(","))
            words = padded(_(key.words), 26)
            lines.append(literal(f"  {keys:<12} ") + literal(words) + literal(key.id, "$foreground-muted"))
        lines.append(Content(""))
    lines.append(literal(_("Prompt"), "bold"))
    for keys, words in (
        ("enter", _("send")),
        ("^j", _("newline")),
        ("up down", _("what you sent before")),
    ):
        lines.append(literal(f"  {keys:<12} ") + literal(words))
    lines += [literal(f"  {name:<12} ") + literal(words) for name, words in commands.items()]
    lines += [
        Content(""),
        literal(_("Other keys: [keys] in config.toml, by the names on the right."), "$foreground-muted"),
    ]
    return Content("\n").join(lines)

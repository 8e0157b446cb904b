"""What learning cost, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.spending import Allowance, Spent


def cost_lines(today: Allowance, spent: Sequence[Spent]) -> list[str]:
    """What learning used today, and in the days before."""
    used = _("{used} of {limit} tokens") if today.limit else _("{used} tokens")
    first = f"{_('learning today')}: {used.format(used=today.used, limit=today.limit)}"
    if today.rests_until is not None:
        first += f"; {_('the rest waits until tomorrow')}"
    return [first, *(f"  {each.day}  {each.job}  {each.model}  {_cost_phrase(each)}" for each in spent)]


def _cost_phrase(spent: Spent) -> str:
    words = [
        _("calls: {count}").format(count=spent.calls),
        _("tokens: {prompt} + {completion}").format(prompt=spent.prompt_tokens, completion=spent.completion_tokens),
    ]
    if spent.estimated:
        words.append(_("estimated: {count}").format(count=spent.estimated))
    if spent.cost is not None:
        words.append(f"{spent.cost.currency}{spent.cost.amount:.4f}")
    return ", ".join(words)

"""How near candidates are to going live by what acts show, in words. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.feedback.actions import Action
from orca_core.model.feedback.supports import Carried, Support, Weighed
from orca_core.model.memories import ConfirmedBy, Memory, State
from orca_core.model.refs import ACTION, Ref, plain_ref
from orca_tui.language import counted, listed
from orca_tui.times import local_time
from orca_tui.words.acts import ACT_WORDS
from orca_tui.words.memories import reason_phrase

HUNDREDTH = 0.005
"""What is less is shown as nothing."""
SENT_BACK = "undone"
"""Blocks what a person sent back after it had gone live, or let wait on after it was held."""


def near_words(weighed: Weighed) -> str:
    """How near a candidate is to going live: `2 of 3 days · 0.86 of 0.83`, or with nothing to be compared with."""
    days = counted("{days} of {count} day", "{days} of {count} days", weighed.needed, days=weighed.days)
    words = _("{score:.2f}, none to beat") if _is_alone(weighed) else _("{score:.2f} of {threshold:.2f}")
    return f"{days} · {words.format(score=weighed.score, threshold=weighed.threshold)}"


def _is_alone(weighed: Weighed) -> bool:
    """Whether no other candidate is shown as often: there is no score that it must reach."""
    return weighed.threshold < HUNDREDTH


def promotion_words(weighed: Weighed) -> str:
    """What would make it go live, or what keeps it from that."""
    if weighed.blocked_by == SENT_BACK:
        return _("you took back what became of it: only what you do after that counts")
    if weighed.blocked_by:
        reason = reason_phrase(weighed.blocked_by)
        return _("only you can let it live: {reason}").format(reason=reason)
    lacking = weighed.needed - weighed.days
    if lacking > 0:
        return counted(
            "goes live when it was shown on {count} more day, as the best of those that were",
            "goes live when it was shown on {count} more days, as the best of those that were",
            lacking,
        )
    if not weighed.is_ready:
        return _("shown on enough days, but its score is below what the best must reach: what shows it again raises it")
    return _("goes live as soon as none is better, and the verifier sees it in your latest acts")


def support_words(support: Support, act: Action | None = None) -> str:
    """What speaks for a memory, and when it did; the act by its words, where it is known."""
    if act is not None:
        what = _(ACT_WORDS[act.type])
    elif support.act is not None:
        what = _("act {id}").format(id=plain_ref(Ref(ACTION, support.act)))
    else:
        what = _("what you typed")
    where = _("session {id}").format(id=support.session_id) if support.session_id else ""
    number = _("round {number}").format(number=support.round) if support.round is not None else ""
    return listed(filter(None, (local_time(support.at), what, where, number)))


def living_words(memory: Memory, carried: Carried | None) -> str:
    """What a memory lives on; empty for one that does not live."""
    if memory.state is not State.LIVE:
        return ""
    if memory.confirmed_by is ConfirmedBy.HAND:
        return _("accepted by you")
    if memory.confirmed_by is ConfirmedBy.TYPED:
        return _("you said it")
    days = 0 if carried is None else carried.days
    return counted("shown by what you did on {count} day", "shown by what you did on {count} days", days)


def weighed_text(weighed: Weighed) -> str:
    """All that is to be said of how near a candidate is, each line set in."""
    lines = [
        f"    {_('shown')}: {near_words(weighed)}",
        f"    {_('what it takes')}: {promotion_words(weighed)}",
        f"    {_('visited')}: {counted('{count} time', '{count} times', weighed.visited)}",
    ]
    if weighed.supports:
        lines.append(f"    {_('supported by')}:")
        lines += [f"      {support_words(each)}" for each in weighed.supports]
    return "\n".join(lines)

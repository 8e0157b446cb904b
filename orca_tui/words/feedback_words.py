"""Acts of the user, what they show, and how near that brings a candidate to going live, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _

from orca_core.model.events import ActsRead, Promoted
from orca_core.model.feedback import (
    ACTIONS,
    TAKE_BACK,
    Action,
    ActionState,
    ActionType,
    PromotionScore,
    ReadingState,
    Support,
    SupportDays,
)
from orca_core.model.memories import ConfirmedBy, Memory, State
from orca_core.model.record_types import ACTION, TASK, Ref, plain_ref
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted, listed, said
from orca_tui.times import local_time
from orca_tui.words.memory_words import memory_line, reason_phrase, state_word

ERRORS = (N_("the memory agent is switched off"),)
"""Errors that are Orca's own sentences."""
ACT_WORDS: Mapping[ActionType, str] = {
    ActionType.LIKE: N_("liked an answer"),
    ActionType.DISLIKE: N_("disliked an answer"),
    ActionType.CANCEL_LIKE: N_("took a like back"),
    ActionType.CANCEL_DISLIKE: N_("took a dislike back"),
    ActionType.NOT_HELPFUL: N_("found something not helpful"),
    ActionType.CANCEL_NOT_HELPFUL: N_("took “not helpful” back"),
    ActionType.EDIT_ROADMAP: N_("edited the steps"),
    ActionType.EDIT_FILE: N_("edited an answer"),
    ActionType.START_CHAT: N_("began a chat"),
    ActionType.FOLLOWUP_CHAT: N_("went on with a chat"),
    ActionType.BREAK_CHAT: N_("stopped an answer"),
    ActionType.COLLECT_SESSION: N_("collected a chat"),
    ActionType.UNCOLLECT_SESSION: N_("no longer collects a chat"),
    ActionType.COLLECT_TOOL: N_("collected a tool"),
    ActionType.UNCOLLECT_TOOL: N_("no longer collects a tool"),
    ActionType.TASK_STOP: N_("stopped a task"),
    ActionType.EXECUTE_SHELL_COMMAND: N_("ran a command"),
    ActionType.BROWSER_OPERATION: N_("did something in a browser"),
}
ACT_STATE_WORDS: Mapping[ActionState, str] = {
    ActionState.STANDING: N_("stands"),
    ActionState.WITHDRAWN: N_("cancelled"),
    ActionState.UNDONE: N_("undone"),
}
ACT_READ_WORDS: Mapping[ReadingState, str] = {
    ReadingState.NEVER: N_("teaches nothing by itself"),
    ReadingState.WAITING: N_("waits to be read"),
    ReadingState.DONE: N_("was read"),
}
PRIVATE = N_("nothing is kept in private, what you think of it neither: /private ends it")
OFF = N_("acts are switched off: memory.actions.enabled")
THING = N_("action")
"""What errors name."""


def why_no_act(type_: ActionType, *, is_private: bool, is_on: bool) -> str:
    """Why such an act is not noted now; empty where it is. What only takes back is, also where acts are off."""
    if is_private:
        return _(PRIVATE)
    return "" if is_on or type_ in TAKE_BACK else _(OFF)


def about_words(action: Action) -> str:
    """What an act is about, as far as it says so."""
    said = [
        _("session {id}").format(id=action.session_id) if action.session_id else "",
        _("round {number}").format(number=action.round) if action.round is not None else "",
        _("message {id}").format(id=action.message) if action.message else "",
        _("task {id}").format(id=plain_ref(Ref(TASK, action.task))) if action.task is not None else "",
        _("tool {name}").format(name=action.tool) if action.tool else "",
        _("call {id}").format(id=action.call) if action.call else "",
        f"#{plain_ref(action.record)}" if action.record is not None else "",
    ]
    return listed(filter(None, said))


def act_line(action: Action) -> str:
    """An act as what was done with it names it."""
    return f"{plain_ref(ACTIONS.ref(action))}  {action.type.value}  {about_words(action)}".rstrip()


def standing_words(action: Action) -> str:
    """Whether it stands; of one that does, whether it was read."""
    if not action.stands:
        return _(ACT_STATE_WORDS[action.state])
    return listed([_(ACT_STATE_WORDS[action.state]), _(ACT_READ_WORDS[action.read])])


def recorded_lines(action: Action, withdrawn: Sequence[Action], memories: Sequence[Memory]) -> list[str]:
    """What recording an act came to: the act, what it took back, and the memories that stand otherwise by that."""
    return [
        f"{_('recorded')}  {act_line(action)}",
        *(f"{_('taken back')}  {act_line(each)}" for each in withdrawn),
        *(f"{state_word(each.state)}  {memory_line(each)}" for each in memories),
    ]


def act_text(action: Action, memories: Sequence[tuple[Memory, str]]) -> str:
    """All of one act; `memories` are those that it supports, each with a word of how it stands."""
    fields = [
        (_("act"), _(ACT_WORDS[action.type])),
        (_("at"), timestamp_json(action.at)),
        (_("status"), standing_words(action)),
        *((name, _told(value)) for name, value in action.data.items() if name != "record" or action.record is None),
    ]
    lines = [act_line(action), *(f"    {name}: {value}" for name, value in fields if value)]
    if memories:
        lines.append("    " + counted("supports {count} memory:", "supports {count} memories:", len(memories)))
        lines += [f"      {memory_line(memory)}  ({standing})" for memory, standing in memories]
    elif action.stands and action.read is not ReadingState.NEVER:
        lines.append("    " + _("supports no memory"))
    return "\n".join(lines)


def _told(value: object) -> str:
    """A text as it is, set in where it has several lines."""
    return str(value).strip().replace("\n", "\n        ")


def promoted_line(event: Promoted) -> str:
    """What went live by what acts show."""
    if event.error:
        return _("what your acts show could not be weighed: {error}").format(error=said(event.error))
    return _("#{id} went live by what you did: {content}").format(id=event.id, content=event.content)


def acts_line(event: ActsRead) -> str:
    """What became of reading what acts show; empty while it goes on, where it came to nothing, and where a candidate
    went live, which is said by itself."""
    if event.state not in ("done", "failed", "unreadable"):
        return ""
    if event.candidate is not None:
        return _candidate_line(event)
    if event.error:
        return _("what your acts show could not be read: {error}").format(error=said(event.error))
    supported = len(event.supported)
    parts = [
        counted("your acts support {count} memory", "your acts support {count} memories", supported)
        if supported
        else "",
        counted("{count} new", "{count} new", len(event.made)) if event.made else "",
        counted("{count} dropped", "{count} dropped", event.dropped) if event.dropped else "",
    ]
    return ", ".join(filter(None, parts))


def _candidate_line(event: ActsRead) -> str:
    if event.error:
        return _("#{id} could not be read against your latest acts: {error}").format(
            id=event.candidate, error=said(event.error)
        )
    if event.verification is None or not event.verification.refused:
        return ""
    return _("#{id} waits for you: your latest acts do not show it").format(id=event.candidate)


HUNDREDTH = 0.005
"""What is less is shown as nothing."""
SENT_BACK = "undone"
"""Blocks what a person sent back after it had gone live, or let wait on after it was held."""


def near_words(weighed: PromotionScore) -> str:
    """How near a candidate is to going live: `2 of 3 days · 0.86 of 0.83`, or with nothing to be compared with."""
    days = counted("{days} of {count} day", "{days} of {count} days", weighed.needed, days=weighed.days)
    words = _("{score:.2f}, none to beat") if _is_alone(weighed) else _("{score:.2f} of {threshold:.2f}")
    return f"{days} · {words.format(score=weighed.score, threshold=weighed.threshold)}"


def _is_alone(weighed: PromotionScore) -> bool:
    """Whether no other candidate is shown as often: there is no score that it must reach."""
    return weighed.threshold < HUNDREDTH


def promotion_words(weighed: PromotionScore) -> str:
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


def living_words(memory: Memory, carried: SupportDays | None) -> str:
    """What a memory lives on; empty for one that does not live."""
    if memory.state is not State.LIVE:
        return ""
    if memory.confirmed_by is ConfirmedBy.HAND:
        return _("accepted by you")
    if memory.confirmed_by is ConfirmedBy.TYPED:
        return _("you said it")
    days = 0 if carried is None else carried.days
    return counted("shown by what you did on {count} day", "shown by what you did on {count} days", days)


def weighed_text(weighed: PromotionScore) -> str:
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

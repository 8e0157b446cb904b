"""Memories, their status, the reasons for which they were put in or left out, and the turns that they stood in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.memories import Added, Memory, State, Status
from orca_core.model.operations import Operation, SkippedOperation
from orca_core.model.recall import Appearance
from orca_core.model.record_types import Ref, plain_ref
from orca_tui.language import N_, counted, with_detail
from orca_tui.marks import Marks

ADDED_WORDS = {
    Added.CREATED: N_("remembered"),
    Added.CONFIRMED: N_("known already"),
    Added.RESTORED: N_("restored"),
    Added.PROMOTED: N_("accepted"),
    Added.DROPPED: N_("not stored"),
}

STATUS_WORDS = {
    Status.CANDIDATE: N_("candidate"),
    Status.REJECTED: N_("rejected"),
    Status.ARCHIVED: N_("archived"),
    Status.CORE: N_("core"),
    Status.ACTIVE: N_("active"),
}

REASON_WORDS = {
    "first_round": N_("first round: pinned memories only"),
    "too_short": N_("the text is short"),
    "technical": N_("technical"),
    "technical_meaning": N_("technical by its meaning"),  # of older receipts
    "near": N_("very near"),
    "recall": N_("asked what Orca knows"),
    "always": N_("always"),
    "standing": N_("standing wish"),
    "perhaps": N_("perhaps what is asked for"),
    "looked_up": N_("looked up by the model"),
    "pinned": N_("pinned"),
    "short_term": N_("short-term"),
    "task": N_("the current task"),
    "tool": N_("its tool is named"),
    "visible": N_("stands in the prompt anyway"),
    "budget": N_("no room in the budget"),
    "below_floor": N_("not near enough"),
    "far_behind": N_("far behind the nearest"),
    "not_alone": N_("others are as near"),
    "over_limit": N_("more than fit"),
    "unread_rest": N_("the rest of a long message is not read"),
    "older_of_a_pair": N_("an older value; a newer one counts"),
    "no_trigger": N_("nothing asked for long-term memory"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "disabled": N_("memory is off"),
    "long_term_off": N_("long-term memory is off"),
    "remembered": N_("just remembered"),
    "reranked": N_("order by"),
    "rerank_late": N_("not reranked: too slow"),
    "rerank_resting": N_("not reranked: left alone for a minute, after three failures"),
    "rerank_refused": N_("not reranked: refused"),
    "rerank_unreachable": N_("not reranked: no connection"),
    "rerank_unreadable": N_("not reranked: unreadable answer"),
    "rerank_mistake": N_("not reranked: the reranker broke"),
    "rerank_config": N_("not reranked: the configuration lacks something"),
    "recall_failed": N_("memory could not be read"),
    "no_room": N_("no room in the model's context"),
    "left_out": N_("left out for want of room"),
    # How the look-ups of a turn ended
    "lookups: ended": N_("it went on calling tools: asked again without tools and what they brought"),
    "lookups: failed": N_("the request after its calls failed: asked again without tools and what they brought"),
    "lookups: refused": N_("the model's server refused tools: answered without look-ups"),
    # Why a candidate is held back
    "not_typed": N_("rests on what you did not type"),
    "url": N_("holds an address"),
    "secret": N_("looks like a secret"),
    "account_number": N_("looks like an account or telephone number"),
    "contradicts_pinned": N_("contradicts what you pinned"),
    "kept_by_hand": N_("would replace what you wrote"),
    "hidden": N_("hides something that nobody sees"),
    "risky_instruction": N_("tells to send, pay, delete, run or open something"),
    "unproven": N_("not shown often enough yet"),
    "not_said": N_("you did not say so"),
    "unread": N_("not verified yet"),
    "ask": N_("you decide what is kept"),
    "not_usage": N_("it speaks of more than its tool"),
    "not_in_calls": N_("it leads to what no call was given"),
    "repeats_answer": N_("it repeats what the tool answered"),
    "imported": N_("imported"),
    "undated": N_("counts from a day that its file does not tell"),
    "nothing_done": N_("nothing of it was said to be done"),
    "target_not_typed": N_("a target that you did not name"),
    "expired": N_("expired"),
    "not_in_sources": N_("it names what stands in none of its episodes"),
    "candidate_source": N_("one of its episodes waits for you"),
    "source_deleted": N_("an episode that it was made of was deleted"),
    # Why a fact was dropped
    "rejected": N_("you rejected it"),
    "undone": N_("you took it back"),
    "archived: undone": N_("you took it back"),
    "never": N_("you never want to have it learnt"),
    "deleted": N_("you deleted it"),
    "not_an_object": N_("not in the agreed form"),
    "no_such_act": N_("shown by no act that was asked about"),
    "one_an_act": N_("an act shows one thing at most"),
    "no_content": N_("says nothing"),
    "too_long": N_("too long"),
    "unknown_type": N_("of no known type"),
    "unknown_outcome": N_("ended in no known way"),
    "confidence": N_("its confidence is no number from 0 to 1"),
    "low_confidence": N_("the model was not sure enough"),
    "cut": N_("cut off"),
    "repeated": N_("said twice"),
    "nothing_known": N_("nothing that is known is meant"),
    "unclear_which": N_("several may be meant"),
    "no_end": N_("your words tell of no end"),
    "retracted_before": N_("was no longer so by the same words already"),
    # Why two memories are in doubt
    "undecided": N_("these may say the same"),
    "conflict": N_("these may contradict each other"),
    "other_value": N_("these give one thing two values"),
    "update": N_("one may have taken the place of the other"),
}

PROGRAM_WORDS = {
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "mem0": "mem0",
    "records": N_("a file of JSON"),
    "lines": N_("a list"),
}
"""Whose file an imported memory came in."""
COUNTED_RULES: Mapping[str, str] = {
    "summary": N_("rounds 1-{count} as a summary"),
    "history": N_("{count} older rounds left out"),
    "context": N_("the model takes {count} tokens"),
}
"""Rules that say a number, the last of their detail."""
EXPIRED = "expired"
"""The reason of a candidate that nobody decided about; what it was held for is its detail."""
LEAST_SUM = 0.0001


def reason_phrase(reason: str) -> str:
    """A reason (`technical: docker`) in words; what is not known stays as it is."""
    if reason in REASON_WORDS:
        return _(REASON_WORDS[reason])
    code, _colon, detail = reason.partition(": ")
    if code in COUNTED_RULES and (counts := re.findall(r"\d[\d,]*", detail)):
        return _(COUNTED_RULES[code]).format(count=counts[-1])
    words = _(REASON_WORDS[code]) if code in REASON_WORDS else code
    if code == EXPIRED:
        detail = reason_phrase(detail)
    return with_detail(words, detail) if detail else words


def status_word(status: Status) -> str:
    """The status, as people see it."""
    return _(STATUS_WORDS[status])


def standing_word(memory: Memory, status: Status) -> str:
    """The status, and of what was rejected whether a person did it or it expired."""
    is_expired = status is Status.REJECTED and (memory.held_because or "").partition(": ")[0] == EXPIRED
    return _(REASON_WORDS[EXPIRED]) if is_expired else status_word(status)


def state_word(state: str) -> str:
    """The status that a stored state is, whatever the weight. A state that memories don't have is its own word."""
    if state == State.LIVE:
        return status_word(Status.ACTIVE)
    return status_word(Status(state)) if state in STATUS_WORDS else state


def weight_figure(weight: float) -> str:
    """A weight, to one digit."""
    return f"{weight:.1f}"


def money(amount: float, currency: str) -> str:
    """A sum, to the digit that still says something."""
    if 0 < amount < LEAST_SUM:
        return f"<{currency}{LEAST_SUM}"
    return f"{currency}{amount:.2f}" if amount >= 0.1 else f"{currency}{amount:.4f}"


def forecast_phrase(unused_until_archived: int | None, used_until_core: int | None) -> str:
    """What a memory's weight is heading for; empty where it heads nowhere."""
    sentences = []
    if unused_until_archived is not None:
        sentences.append(
            counted(
                "archives after {count} more unused injection",
                "archives after {count} more unused injections",
                unused_until_archived,
            )
        )
    if used_until_core is not None:
        sentences.append(
            counted("core after {count} more used one", "core after {count} more used ones", used_until_core)
        )
    return " · ".join(sentences)


def elsewhere_words(memory: Memory, marks: Marks) -> str:
    """Where an imported memory was before: the program, the title of the chat, the day where its file told one; empty
    where it came from no other program."""
    program = memory.elsewhere.program
    if not program:
        return ""
    # What came without a day is as old as the import that brought it, until it is changed here.
    is_dated = memory.created_at != memory.updated_at
    day = memory.created_at.astimezone().strftime("%Y-%m-%d") if is_dated else ""
    words = (_(PROGRAM_WORDS.get(program, program)), memory.elsewhere.chat, day)
    return f" {marks.dot} ".join(word for word in words if word)


def memory_line(memory: Memory) -> str:
    """A memory by its number and its text."""
    return f"#{memory.id}  {memory.content}"


def offered_line(operation: Operation, action: str) -> str:
    """What a machine did after the act that an undo took back: it stands, and can be taken back by its number."""
    words = _("since then Orca did this itself: {action}; orca memory undo {operation} takes it back")
    return words.format(action=action, operation=operation.id)


def passed_over_line(passed: SkippedOperation, action: str) -> str:
    """That something came after the act that an undo took back, and can't be taken back itself."""
    operation = passed.operation
    if operation.header.action == "delete":
        return _("the delete [{operation}] since then is for good").format(operation=operation.id)
    if passed.kept:
        words = _("an undo can't take back that you restored a backup [{operation}]: orca restore {name} does")
        return words.format(operation=operation.id, name=passed.kept)
    words = _("passed over, for nothing of it can be taken back: {action} [{operation}]")
    return words.format(action=action, operation=operation.id)


def addition_line(added: Added, memory: Memory, reason: str = "") -> str:
    """What became of a memory that was to be stored."""
    line = f"{_(ADDED_WORDS[added])}  {memory_line(memory)}"
    return f"{line}  ({reason_phrase(reason)})" if reason else line


USE_WORDS = {"used": N_("used"), "unused": N_("unused"), "unknown": N_("unknown")}


def appearances_title(ref: Ref) -> str:
    """What a list of them is called."""
    return _("#{id}: where it was put in, and why").format(id=plain_ref(ref))


def no_appearance() -> str:
    """What stands where there is none."""
    return _("It was not put before the model yet.")


def appearance_parts(each: Appearance, marks: Marks) -> tuple[str, str, str]:
    """When it was, what came of it and why it went in, and in which round."""
    when = each.at.astimezone().strftime("%m-%d %H:%M")
    step = ""
    if each.before is not None and each.after is not None and each.before != each.after:
        step = f"{weight_figure(each.before)}{marks.arrow}{weight_figure(each.after)}"
    words = "  ".join(part for part in (_(USE_WORDS.get(each.use, each.use)), step, reason_phrase(each.reason)) if part)
    return when, words, _("{title}, round {number}").format(title=each.title, number=each.round)

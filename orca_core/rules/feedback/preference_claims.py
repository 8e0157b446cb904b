"""Make the material that the memory agent reads of feedback, read its claims, and judge by who typed what each
may become.

What a user states in a query of a client's is judged as any fact is, by the typed words of that query. All else is at
most a candidate, `unproven`, which supports may lift: not what names anything that the user did not, nor what is
secret. That is not lifted, however often an answer with it is liked."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from difflib import unified_diff
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.feedback import ActBatch, Action, ActionType, PreferencesRead, ProposedPreference, Shown
from orca_core.model.learning import DroppedFact, Due, Proposal, ProposedFact
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.sessions import Round
from orca_core.model.tasks import TaskWithSteps
from orca_core.rules.feedback.promotion import UNPROVEN
from orca_core.rules.feedback.signals import KINDS, MAX_COMPARED, About, Told, asked_in, messages_in, text_of, told_in
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.fact_extraction import MIN_FACT_CHARS, ended, max_fact_chars, shown_item, text_in
from orca_core.rules.learning.fact_provenance import Held, Verdict, is_risky, judge
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.model_json import CutObject, items_under, last_items
from orca_core.rules.learning.quotes import Wording, stands_in, together, units_of, wording_of
from orca_core.rules.learning.transcripts import Testimony, shortened, testimony, user_text
from orca_core.rules.learning.typed_sources import Sources, sources_of
from orca_core.rules.requests.remember_and_forget import sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_statement
from orca_core.rules.text.spelling import Language, language_of, simplified


class Bounds(Struct, frozen=True):
    """So much is shown of each text that an act refers to, in characters."""

    user: int
    assistant: int
    difference: int
    session: int


WHOLE = Bounds(user=600, assistant=1200, difference=3000, session=6000)
BESIDE_OTHERS = Bounds(user=400, assistant=1200, difference=1500, session=2500)
MAX_STEPS = 20
MAX_STEP_CHARS = 200
"""They bound what one call reads: ten likes are some six thousand words at most. Chosen by hand."""


def material(batch: ActBatch, known: Sequence[str]) -> str:
    """The acts by their places, with what they refer to, and what is known already."""
    rows = [{"action": place, **_row(act, batch, WHOLE)} for place, act in enumerate(batch.actions, start=1)]
    return json.dumps({"known": list(known), "acts": rows}, ensure_ascii=False)


def to_verify(batch: ActBatch) -> str:
    """The acts, oldest first, what was typed in the rounds that speak for the candidate, and the candidate, as JSON.
    Which acts it was read out of is not said. No text in it can pretend to be anything else."""
    assert batch.candidate is not None
    by_round = {(each.session_id, each.round) for each in batch.candidate.supports if each.act is None}
    said = [each for each in batch.rounds if (each.session_id, each.number) in by_round]
    shown = {
        "acts": [{"act": place, **_row(act, batch, BESIDE_OTHERS)} for place, act in enumerate(batch.actions, start=1)],
        "said": [{"day": _day(each.at), **_round(each, BESIDE_OTHERS)} for each in said],
        "facts": [{"fact": 1, "says": batch.candidate.memory.content}],
    }
    return json.dumps(shown, ensure_ascii=False)


def shows_anything(batch: ActBatch) -> bool:
    """Tell whether there is something to read: what acts were about may be deleted by now, or is read with its
    session."""
    if all(KINDS[each.type].about is About.QUERY for each in batch.actions):
        return bool(asked_in(batch))
    told = told_in(batch)
    return bool(told.foreign or told.own)


def language_in(batch: ActBatch) -> Language:
    """The language that the user writes in."""
    said = told_in(batch)
    return language_of("\n".join(said.own or said.foreign))


def _row(act: Action, batch: ActBatch, bounds: Bounds) -> dict[str, Any]:
    """An act with what it refers to."""
    found: dict[str, Any] = {"did": act.type.value, "day": _day(act.at)}
    rounds = [each for each in batch.rounds if each.session_id == act.session_id]
    if act.type is ActionType.COLLECT_SESSION:
        found["session"] = _newest([_round(each, bounds) for each in rounds], bounds)
    elif round_ := next((each for each in rounds if each.number == act.round), None):
        found["round"] = _round(round_, bounds)
    task = next((each for each in batch.tasks if each.task.id == act.task), None)
    if task is not None:
        found["task"] = _task(task, bounds)
    if act.tool:
        found["tool"] = act.tool
    return found | dict(_given(act, bounds, is_held="round" in found))


def _day(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d}"


def _given(act: Action, bounds: Bounds, *, is_held: bool) -> Iterator[tuple[str, Any]]:
    """Yield what a client gave with the act; its query where Orca does not hold the round (`is_held`)."""
    data, about = act.data, KINDS[act.type].about
    difference = _difference(text_of(data.get("previous")), text_of(data.get("current")), bounds)
    if about is About.DIFFERENCE and difference:
        yield "difference", difference
    if about is About.QUERY and not is_held and (query := text_of(data.get("query"))):
        yield "query", shortened(query, bounds.user)
    if operation := text_of(data.get("operation")):
        yield "operation", shortened(operation, MAX_STEP_CHARS)
    if messages := messages_in(act):
        yield "messages", _newest([{who: _bounded(who, text, bounds)} for who, text in messages], bounds)


def _bounded(who: str, text: str, bounds: Bounds) -> str:
    return shortened(text, bounds.user if who == "user" else bounds.assistant // 2)


def _round(round_: Round, bounds: Bounds) -> dict[str, Any]:
    return {
        "user": user_text(round_.spans, bounds.user),
        "assistant_said": shortened(round_.assistant, bounds.assistant),
    }


def _newest(rows: Sequence[dict[str, Any]], bounds: Bounds) -> list[dict[str, Any]]:
    """As many of the newest as fit, oldest first."""
    kept: list[dict[str, Any]] = []
    room = bounds.session
    for each in reversed(rows):
        room -= len(json.dumps(each, ensure_ascii=False))
        if room < 0 and kept:
            break
        kept.append(each)
    return kept[::-1]


def _task(task: TaskWithSteps, bounds: Bounds) -> dict[str, Any]:
    steps = [shortened(step.description, MAX_STEP_CHARS) for step in task.steps[:MAX_STEPS]]
    return {"request": shortened(task.task.request, bounds.user), "steps": steps}


def _difference(previous: str, current: str, bounds: Bounds) -> str:
    before, after = (text[:MAX_COMPARED].splitlines() for text in (previous, current))
    lines = list(unified_diff(before, after, "before", "after", n=1, lineterm=""))
    return shortened("\n".join(lines), bounds.difference)


MAX_DROPPED = 20
"""So many dropped ones are kept with their texts. It bounds a run's record."""
WORKFLOW_LENGTHS = 3
"""A workflow may be so many times as long as a fact: it has steps. Chosen by hand."""
OF_A_QUERY = 3
"""So many things one query may tell; any other act shows one. Chosen by hand."""
WORKFLOW_TAGS = {"zh": "工作流"}
"""The tag of a workflow by its language; in any other it is `workflow`."""

_IMPLICIT, _EXPLICIT = "implicit", "explicit"
_STATED = {
    _EXPLICIT: MemoryType.PREFERENCE,
    **{each.value: each for each in (MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT)},
}
"""What a user may be said to state, by the words of an answer."""


class _DroppedError(Exception):
    """A preference breaks a rule; the message is the rule's name."""


def limits(language: Language) -> Mapping[str, int]:
    """Tell how long a preference, and a workflow, may be, by the fields of the instructions."""
    most = max_fact_chars(language)
    return {"max_chars": most, "max_workflow_chars": WORKFLOW_LENGTHS * most}


def preferences(items: Iterable[Any], acts: Sequence[Action]) -> PreferencesRead:
    """Return what the items of an answer say about these acts."""
    found: list[ProposedPreference] = []
    shown: Counter[int] = Counter()
    dropped: list[DroppedFact] = []
    for item in items:
        try:
            each = _preference(item, acts)
            if shown[each.action] == (OF_A_QUERY if _is_query(acts[each.action - 1]) else 1):
                raise _DroppedError("one_an_act")
        except _DroppedError as error:
            dropped.append(DroppedFact(shown_item(item), str(error)))
        else:
            shown[each.action] += 1
            found.append(each)
    return PreferencesRead(tuple(found), tuple(dropped[:MAX_DROPPED]))


def _is_query(act: Action) -> bool:
    return KINDS[act.type].about is About.QUERY


def answer_items(answer: str) -> Sequence[Any] | None:
    """The items of an answer; None where nothing in it has the shape of one."""
    return last_items(answer, lambda value: items_under(value, "preferences", _has_the_shape))


def _has_the_shape(item: Mapping[str, Any]) -> bool:
    return "action" in item


def _preference(item: Any, acts: Sequence[Action]) -> ProposedPreference:
    """Raises _DroppedError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise _DroppedError("cut")
    if not isinstance(item, dict):
        raise _DroppedError("not_an_object")
    place = number_in(item.get("action"))
    if place is None or not 1 <= place <= len(acts):
        raise _DroppedError("no_such_act")
    kind = _kind(item.get("type"))
    retract = text_in(item.get("retract"))
    is_workflow = acts[place - 1].type is ActionType.COLLECT_SESSION
    content = _content(item.get("content"), WORKFLOW_LENGTHS if is_workflow else 1, may_be_empty=bool(retract))
    return ProposedPreference(
        place,
        content,
        _STATED.get(kind, MemoryType.PREFERENCE),
        is_explicit=kind in _STATED,
        quote=text_in(item.get("quote")),
        tags=(WORKFLOW_TAGS.get(language_of(content), "workflow"),) if is_workflow else (),
        replace=text_in(item.get("replace")),
        retract=retract,
    )


def _kind(value: Any) -> str:
    word = _IMPLICIT if value is None else value.strip().lower() if isinstance(value, str) else ""
    if word != _IMPLICIT and word not in _STATED:
        raise _DroppedError("unknown_type")
    return word


def _content(raw: Any, lengths: int, *, may_be_empty: bool) -> str:
    if raw in (None, "") and may_be_empty:
        return ""
    if not isinstance(raw, str):
        raise _DroppedError("no_content")
    most = WORKFLOW_LENGTHS * max(map(max_fact_chars, words.languages()))
    content = clean_statement(raw[: 20 * most])
    if len(content) < MIN_FACT_CHARS:
        raise _DroppedError("too_short")
    if len(content) > lengths * max_fact_chars(language_of(content)):
        raise _DroppedError("too_long")
    return content


def number_in(value: Any) -> int | None:
    """A number as agents write it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if isinstance(value, int | float) and value == value // 1 else None


BATCH = 5
"""So many acts of one session start a run."""
MOST = 10
"""So many are read in one call; more follow in the next. It bounds what a call costs. Both chosen by hand."""


def chosen(waiting: Sequence[Action], due: Due) -> Sequence[Action]:
    """Of one session those that have waited longest, of all that are due; whether an act has something to be read was
    decided when it was recorded."""
    by_session: dict[str, list[Action]] = {}
    for each in waiting:
        if due.session_id in (None, each.session_id):
            by_session.setdefault(each.session_id, []).append(each)
    return next((acts[:MOST] for acts in by_session.values() if _is_due(acts, due)), ())


def _is_due(acts: Sequence[Action], due: Due) -> bool:
    """Enough of them wait, or nothing is to be expected beside them: their session ended, or its last act is long
    ago."""
    has_ended = acts[-1].session_id in due.ended or max(each.at for each in acts) < due.idle_since
    return due.everything or has_ended or len(acts) >= due.batch_size


CONFIDENCE = 0.8
"""What a preference is worth that acts show. Chosen by hand, as for facts without a figure."""

MIN_REPEATED_SHARE = 0.6
"""So much of it makes it what a sentence of somebody else's says. Chosen on `tests/data/feedback/development`."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


class JudgedPreference(Struct, frozen=True):
    """A preference as a fact with its verdict, `held` the reason for which it waits (None: it may live), and the place
    of the act that shows it."""

    judged: JudgedFact
    held: str | None
    action: int


def judged(proposed: ProposedPreference, batch: ActBatch, known: Sequence[str] = ()) -> JudgedPreference:
    """Return what becomes of it; `known` are live memories."""
    is_bare = bool(proposed.retract) and not proposed.content
    fact = _as_fact(proposed, is_bare=is_bare)
    asked = tuple(each for each in asked_in(batch) if each.number == proposed.action)
    if proposed.is_explicit and asked:
        said = replace(testimony(asked), untrusted=told_in(batch).foreign)
        verdict = judge(fact, said, known)
        if verdict.held is None or proposed.type is not MemoryType.PREFERENCE:
            held = None if verdict.held is None else verdict.held.value
            return JudgedPreference(JudgedFact(fact, verdict), held, proposed.action)
    held = Held.NOT_TYPED.value if is_bare else against(fact.content, told_in(batch), known) or UNPROVEN
    return JudgedPreference(JudgedFact(fact, Verdict(Held.NOT_TYPED)), held, proposed.action)


def said_in(batch: ActBatch, action: int) -> Testimony:
    """Return what was typed in the query of an act, by its place."""
    return testimony(tuple(each for each in asked_in(batch) if each.number == action))


def as_it_is(each: JudgedPreference, judged: JudgedFact) -> JudgedPreference:
    """A stated one, as the verifier left it."""
    held = judged.verdict.held
    return replace(each, judged=judged, held=None if held is None else held.value)


def against(content: str, told: Told, known: Sequence[str] = ()) -> str | None:
    """Return what speaks against it, so that no support ever lifts it: it holds a secret or an address, tells to do
    what may do harm, names what others alone do, or stands in a sentence of theirs. None where nothing does."""
    said = Testimony(typed=tuple(enumerate(told.own)), untrusted=told.foreign, assistant=())
    sources = sources_of(said, tuple(known))
    if reason := sensitive_reason(content):
        return reason
    if sources.has_hidden:
        return Held.HIDDEN.value
    if is_risky(content, MemoryType.INSTRUCTION):
        return Held.RISKY_INSTRUCTION.value
    is_foreign = _names_what_others_do(told.without_tools(content), sources, told) or _is_repeated(content, told)
    return Held.NOT_TYPED.value if is_foreign else None


def shown(
    each: JudgedPreference, batch: ActBatch, near: Sequence[int], same: int | None, replaces: int | None, model: str
) -> Shown:
    """It on its way into a store: as a memory that lives or waits, with the act that shows it. `near` are the known
    memories near it, of which the verifier has named the one that says the `same` and the one that it `replaces`."""
    act = batch.actions[each.action - 1]
    fact = each.judged.fact
    rounds = () if act.round is None else (act.round,)
    quote = each.judged.verdict.quote if fact.quote else None
    new = NewMemory(
        fact.content,
        fact.type,
        fact.tags,
        fact.confidence,
        origin=Origin(OriginKind.EXTRACTION, batch.session_id or None, rounds, quote, model),
        state=State.LIVE if each.held is None else State.CANDIDATE,
        held_because=each.held,
    )
    nominated = tuple(dict.fromkeys([*near, *(one for one in (same, replaces) if one is not None)]))
    proposal = Proposal(new, nominated, same, replaces)
    return Shown(proposal, (act.id,))


def shown_together(found: Sequence[Shown]) -> list[Shown]:
    """Those that say the same as one, shown by all of their acts; one that lives stands for those that wait."""
    by_content: dict[str, Shown] = {}
    for each in found:
        key = each.proposal.new.content
        if (before := by_content.get(key)) is None:
            by_content[key] = each
            continue
        acts = (*before.acts, *each.acts)
        lives = each.proposal.new.state is State.LIVE and before.proposal.new.state is not State.LIVE
        by_content[key] = replace(each if lives else before, acts=acts)
    return list(by_content.values())


def _as_fact(proposed: ProposedPreference, *, is_bare: bool) -> ProposedFact:
    content = ended(proposed.retract) if is_bare else proposed.content
    return ProposedFact(
        content,
        proposed.type,
        proposed.tags,
        CONFIDENCE,
        quote=proposed.quote if proposed.is_explicit else "",
        replace=proposed.replace,
        retract=proposed.retract,
    )


def _names_what_others_do(content: str, sources: Sources, told: Told) -> bool:
    """Tell whether a name, a number or a date of it stands in what others said, and not in what the user typed."""
    untyped = {each.casefold() for each in fact_provenance.untyped(content, sources)}
    others = _others(told.others)
    return any(
        unit.text.casefold() in untyped and not fact_provenance.is_small(unit) and stands_in(unit, others)
        for unit in units_of(content)
    )


def _is_repeated(content: str, told: Told) -> bool:
    """Tell whether somebody else says it, word after word, and not the user."""
    said = _pairs_of(content)
    return _most_of(said, told.others) >= MIN_REPEATED_SHARE > _most_of(said, told.own)


def _most_of(said: frozenset[tuple[str, str]], texts: tuple[str, ...]) -> float:
    return max((len(said & pairs) / len(said) for pairs in _sentences(texts)), default=0.0) if said else 0.0


@lru_cache(maxsize=32)
def _sentences(texts: tuple[str, ...]) -> tuple[frozenset[tuple[str, str]], ...]:
    lines = (line for text in texts for line in text.splitlines())
    return tuple(_pairs_of(line[each.start : each.end]) for line in lines for each in typed_spans.sentences(line))


def _pairs_of(sentence: str) -> frozenset[tuple[str, str]]:
    """Its words, each with the next; of Chinese its characters."""
    return frozenset(pairwise(_WORD.findall(simplified(sentence).casefold())))


@lru_cache(maxsize=32)
def _others(texts: tuple[str, ...]) -> Wording:
    return together(map(wording_of, texts))

"""Make the material that the memory agent reads of feedback, read its claims, and judge by who typed what each may
become.

What a user states in a query of a client's is judged as any fact is, by the typed words of that query. All else is at
most a candidate, `unproven`, which supports may lift: not what names anything that the user did not, nor what is
secret. That is not lifted, however often an answer with it is liked."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from difflib import unified_diff
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.feedback import ActBatch, Action, ActionType, PreferencesRead, ProposedPreference, ShownPreference
from orca_core.model.learning import DroppedFact, Due, Proposal, ProposedFact
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.sessions import Round
from orca_core.model.tasks import TaskWithSteps
from orca_core.rules.feedback.promotion import UNPROVEN
from orca_core.rules.feedback.signals import (
    ACT_RULES,
    MAX_COMPARED,
    ActSubject,
    ActTexts,
    messages_in,
    queries_in,
    text_of,
    texts_in,
)
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.fact_extraction import MIN_FACT_CHARS, ended, max_fact_chars, shown_item, text_in
from orca_core.rules.learning.fact_provenance import Held, Verdict, is_risky, judge
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.model_json import CutObject, DroppedItemError, items_under, last_items
from orca_core.rules.learning.quotes import Wording, stands_in, together, units_of, wording_of
from orca_core.rules.learning.transcripts import Testimony, shortened, testimony, user_text
from orca_core.rules.learning.typed_sources import Sources, sources_of
from orca_core.rules.requests.remember_and_forget import sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_statement
from orca_core.rules.text.spelling import Language, language_of, simplified

USER_CHARS = 500
ASSISTANT_CHARS = 1200
DIFFERENCE_CHARS = 2000
SESSION_CHARS = 4000
MAX_STEPS = 20
MAX_STEP_CHARS = 200
"""So much is shown of each text that an act refers to. They bound what one call reads: ten likes are some six thousand
words at most. Chosen by hand."""


def material(batch: ActBatch, known: Sequence[str]) -> str:
    """The acts by their places, with what they refer to, and what is known already."""
    rows = [{"action": place, **_row(act, batch)} for place, act in enumerate(batch.actions, start=1)]
    return json.dumps({"known": list(known), "acts": rows}, ensure_ascii=False)


def verifier_material(batch: ActBatch) -> str:
    """The acts, oldest first, what was typed in the rounds that speak for the candidate, and the candidate, as JSON.
    Which acts it was read out of is not said. No text in it can pretend to be anything else."""
    assert batch.candidate is not None
    by_round = {(each.session_id, each.round) for each in batch.candidate.supports if each.act is None}
    said = [each for each in batch.rounds if (each.session_id, each.number) in by_round]
    shown = {
        "acts": [{"act": place, **_row(act, batch)} for place, act in enumerate(batch.actions, start=1)],
        "said": [{"day": _day(each.at), **_round(each)} for each in said],
        "facts": [{"fact": 1, "says": batch.candidate.memory.content}],
    }
    return json.dumps(shown, ensure_ascii=False)


def shows_anything(batch: ActBatch) -> bool:
    """Tell whether there is something to read: what acts were about may be deleted by now, or is read with its
    session."""
    if all(_is_query(act) for act in batch.actions):
        return bool(queries_in(batch))
    texts = texts_in(batch)
    return bool(texts.foreign or texts.own)


def language_in(batch: ActBatch) -> Language:
    """The language that the user writes in."""
    texts = texts_in(batch)
    return language_of("\n".join(texts.own or texts.foreign))


def _row(act: Action, batch: ActBatch) -> dict[str, Any]:
    """An act with what it refers to, and what a client gave with it; its query where Orca does not hold the round."""
    found: dict[str, Any] = {"did": act.type.value, "day": _day(act.at)}
    rounds = [each for each in batch.rounds if each.session_id == act.session_id]
    data, about = act.data, ACT_RULES[act.type].about
    if act.type is ActionType.COLLECT_SESSION:
        found["session"] = _newest(map(_round, rounds))
    elif round_ := next((each for each in rounds if each.number == act.round), None):
        found["round"] = _round(round_)
    if task := next((each for each in batch.tasks if each.task.id == act.task), None):
        found["task"] = _task(task)
    difference = _difference(text_of(data.get("previous")), text_of(data.get("current")))
    query, operation = text_of(data.get("query")), text_of(data.get("operation"))
    given = {
        "tool": act.tool,
        "difference": difference if about is ActSubject.DIFFERENCE else "",
        "query": shortened(query, USER_CHARS) if about is ActSubject.QUERY and "round" not in found else "",
        "operation": shortened(operation, MAX_STEP_CHARS),
        "messages": _newest({who: shortened(text, USER_CHARS)} for who, text in messages_in(act)),
    }
    return found | {name: value for name, value in given.items() if value}


def _day(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d}"


def _round(round_: Round) -> dict[str, Any]:
    said = shortened(round_.assistant, ASSISTANT_CHARS)
    return {"user": user_text(round_.spans, USER_CHARS), "assistant_said": said}


def _newest(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the newest as fit, oldest first."""
    kept: list[dict[str, Any]] = []
    room = SESSION_CHARS
    for each in reversed(list(rows)):
        room -= len(json.dumps(each, ensure_ascii=False))
        if room < 0 and kept:
            break
        kept.append(each)
    return kept[::-1]


def _task(task: TaskWithSteps) -> dict[str, Any]:
    steps = [shortened(step.description, MAX_STEP_CHARS) for step in task.steps[:MAX_STEPS]]
    return {"request": shortened(task.task.request, USER_CHARS), "steps": steps}


def _difference(previous: str, current: str) -> str:
    before, after = (text[:MAX_COMPARED].splitlines() for text in (previous, current))
    return shortened("\n".join(unified_diff(before, after, "before", "after", n=1, lineterm="")), DIFFERENCE_CHARS)


MAX_DROPPED = 20
"""So many dropped ones are kept with their texts. It bounds a run's record."""
WORKFLOW_LENGTHS = 3
"""A workflow may be so many times as long as a fact: it has steps. Chosen by hand."""
OF_A_QUERY = 3
"""So many things one query may tell; any other act shows one. Chosen by hand."""
WORKFLOW_TAGS = {"zh": "工作流"}
"""The tag of a workflow by its language; in any other it is `workflow`."""
_IMPLICIT = "implicit"
_STATED = {
    "explicit": MemoryType.PREFERENCE,
    **{each.value: each for each in (MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT)},
}
"""What a user may be said to state, by the words of an answer."""


def length_limits(language: Language) -> Mapping[str, int]:
    """Tell how long a preference, and a workflow, may be, by the fields of the instructions."""
    most = max_fact_chars(language)
    return {"max_chars": most, "max_workflow_chars": WORKFLOW_LENGTHS * most}


def answer_items(answer: str) -> Sequence[Any] | None:
    """The items of an answer; None where nothing in it has the shape of one."""
    return last_items(answer, lambda value: items_under(value, "preferences", lambda item: "action" in item))


def preferences(items: Iterable[Any], acts: Sequence[Action]) -> PreferencesRead:
    """Return what the items of an answer say about these acts."""
    found: list[ProposedPreference] = []
    shown: Counter[int] = Counter()
    dropped: list[DroppedFact] = []
    for item in items:
        try:
            each = _preference(item, acts)
            if shown[each.action] == (OF_A_QUERY if _is_query(acts[each.action - 1]) else 1):
                raise DroppedItemError("one_an_act")
        except DroppedItemError as error:
            dropped.append(DroppedFact(shown_item(item), str(error)))
        else:
            shown[each.action] += 1
            found.append(each)
    return PreferencesRead(tuple(found), tuple(dropped[:MAX_DROPPED]))


def _is_query(act: Action) -> bool:
    return ACT_RULES[act.type].about is ActSubject.QUERY


def _preference(item: Any, acts: Sequence[Action]) -> ProposedPreference:
    """Raises DroppedItemError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise DroppedItemError("cut")
    if not isinstance(item, dict):
        raise DroppedItemError("not_an_object")
    place = _place_in(item.get("action"))
    if not 1 <= place <= len(acts):
        raise DroppedItemError("no_such_act")
    word = text_in(item.get("type") or _IMPLICIT).strip().lower()
    if word not in (_IMPLICIT, *_STATED):
        raise DroppedItemError("unknown_type")
    retract = text_in(item.get("retract"))
    is_workflow = acts[place - 1].type is ActionType.COLLECT_SESSION
    content = "" if retract and not item.get("content") else _content(item.get("content"), is_workflow=is_workflow)
    return ProposedPreference(
        place,
        content,
        _STATED.get(word, MemoryType.PREFERENCE),
        is_explicit=word in _STATED,
        quote=text_in(item.get("quote")),
        tags=(WORKFLOW_TAGS.get(language_of(content), "workflow"),) if is_workflow else (),
        replace=text_in(item.get("replace")),
        retract=retract,
    )


def _place_in(value: Any) -> int:
    """A number as agents write it; 0 for anything else."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    is_whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return int(value) if is_whole else 0


def _content(raw: Any, *, is_workflow: bool) -> str:
    if not isinstance(raw, str):
        raise DroppedItemError("no_content")
    content = clean_statement(raw[: 20 * WORKFLOW_LENGTHS * max(map(max_fact_chars, words.languages()))])
    if len(content) < MIN_FACT_CHARS:
        raise DroppedItemError("too_short")
    if len(content) > max_fact_chars(language_of(content)) * (WORKFLOW_LENGTHS if is_workflow else 1):
        raise DroppedItemError("too_long")
    return content


BATCH = 5
"""So many acts of one session start a run."""
MOST_READ = 10
"""So many are read in one call; more follow in the next. It bounds what a call costs. Both chosen by hand."""


def acts_due(waiting: Sequence[Action], due: Due) -> Sequence[Action]:
    """Of one session those that have waited longest, of all that are due; whether an act has something to be read was
    decided when it was recorded."""
    by_session: dict[str, list[Action]] = {}
    for each in waiting:
        if due.session_id in (None, each.session_id):
            by_session.setdefault(each.session_id, []).append(each)
    return next((acts[:MOST_READ] for acts in by_session.values() if _is_due(acts, due)), ())


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


def judge_preference(proposed: ProposedPreference, batch: ActBatch, known: Sequence[str] = ()) -> JudgedPreference:
    """Return what becomes of it; `known` are live memories."""
    is_bare = bool(proposed.retract) and not proposed.content
    fact = ProposedFact(
        ended(proposed.retract) if is_bare else proposed.content,
        proposed.type,
        proposed.tags,
        CONFIDENCE,
        quote=proposed.quote if proposed.is_explicit else "",
        replace=proposed.replace,
        retract=proposed.retract,
    )
    said = said_in(batch, proposed.action)
    if proposed.is_explicit and said.typed:
        verdict = judge(fact, replace(said, untrusted=texts_in(batch).foreign), known)
        if verdict.held is None or proposed.type is not MemoryType.PREFERENCE:
            return as_judged(JudgedFact(fact, verdict), proposed.action)
    held = Held.NOT_TYPED.value if is_bare else reason_against(fact.content, texts_in(batch), known) or UNPROVEN
    return JudgedPreference(JudgedFact(fact, Verdict(Held.NOT_TYPED)), held, proposed.action)


def as_judged(judged: JudgedFact, action: int) -> JudgedPreference:
    """What the user states in the query of an act, as provenance or the verifier left it."""
    held = judged.verdict.held
    return JudgedPreference(judged, None if held is None else held.value, action)


def said_in(batch: ActBatch, action: int) -> Testimony:
    """Return what was typed in the query of an act, by its place."""
    return testimony(tuple(each for each in queries_in(batch) if each.number == action))


def reason_against(content: str, texts: ActTexts, known: Sequence[str] = ()) -> str | None:
    """Return what speaks against it, so that no support ever lifts it: it holds a secret or an address, tells to do
    what may do harm, names what others alone do, or stands in a sentence of theirs. None where nothing does."""
    said = Testimony(typed=tuple(enumerate(texts.own)), untrusted=texts.foreign, assistant=())
    sources = sources_of(said, tuple(known))
    if reason := sensitive_reason(content):
        return reason
    if sources.has_hidden:
        return Held.HIDDEN.value
    if is_risky(content, MemoryType.INSTRUCTION):
        return Held.RISKY_INSTRUCTION.value
    is_foreign = _names_what_others_do(texts.without_tools(content), sources, texts) or _is_repeated(content, texts)
    return Held.NOT_TYPED.value if is_foreign else None


def _names_what_others_do(content: str, sources: Sources, texts: ActTexts) -> bool:
    """Tell whether a name, a number or a date of it stands in what others said, and not in what the user typed."""
    untyped = {each.casefold() for each in fact_provenance.untyped(content, sources)}
    others = _wording_of_all(texts.others)
    return any(
        unit.text.casefold() in untyped and not fact_provenance.is_small(unit) and stands_in(unit, others)
        for unit in units_of(content)
    )


def _is_repeated(content: str, texts: ActTexts) -> bool:
    """Tell whether somebody else says it, word after word, and not the user."""
    said = _pairs_of(content)
    return _most_of(said, texts.others) >= MIN_REPEATED_SHARE > _most_of(said, texts.own)


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
def _wording_of_all(texts: tuple[str, ...]) -> Wording:
    return together(map(wording_of, texts))


def shown_preference(
    each: JudgedPreference, batch: ActBatch, near: Sequence[int], same: int | None, replaces: int | None, model: str
) -> ShownPreference:
    """It on its way into a store: as a memory that lives or waits, with the act that shows it. `near` are the known
    memories near it, of which the verifier has named the one that says the `same` and the one that it `replaces`."""
    act, fact = batch.actions[each.action - 1], each.judged.fact
    quote = each.judged.verdict.quote if fact.quote else None
    rounds = () if act.round is None else (act.round,)
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
    return ShownPreference(Proposal(new, nominated, same, replaces), (act.id,))


def joined_by_content(found: Sequence[ShownPreference]) -> list[ShownPreference]:
    """Those that say the same as one, shown by all of their acts; one that lives stands for those that wait."""
    by_content: dict[str, ShownPreference] = {}
    for each in found:
        before = by_content.setdefault(each.proposal.new.content, each)
        if before is not each:
            lives = each.proposal.new.state is State.LIVE and before.proposal.new.state is not State.LIVE
            acts = (*before.acts, *each.acts)
            by_content[each.proposal.new.content] = replace(each if lives else before, acts=acts)
    return list(by_content.values())

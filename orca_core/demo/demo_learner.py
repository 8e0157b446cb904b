"""The demo learns by rules: statements in the first person, with their quotes; what acts show of an answer's shape; a
trouble and what was done about it; what episodes and calls of a tool teach. No model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from orca_core import prompts, words
from orca_core.model.tasks import Outcome
from orca_core.rules.learning.fact_extraction import MIN_FACT_CHARS, max_fact_chars
from orca_core.rules.learning.typed_sources import MIN_QUOTE
from orca_core.rules.requests.recall_triggers import MASK, own_words, without_opening
from orca_core.rules.requests.remember_and_forget import remembered_type
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_memory, cut_text
from orca_core.rules.text.spelling import Language, in_the_third_person, language_of, simplified
from orca_core.rules.work.episode_extraction import MAX_STEP_CHARS, MAX_TARGET_CHARS, MAX_TRIGGER_CHARS

Json = dict[str, Any]

_EPISODES_ASKED = tuple(prompts.builtin(f"episode_material.{language}").partition("\n")[0] for language in ("en", "zh"))
_ROUNDS = re.compile(r'^\[\{"round".*\]\s*\Z', re.DOTALL | re.MULTILINE)
_UNTYPED = re.compile(r"(?P<lead>[^\n]*[:：]\s*)?\[(?:pasted|piped|file) [\d,]+ characters\]")
"""Where something stands that was not typed, and the line that leads to it: it says nothing of its own."""
_REPEATED = re.compile(r"“(?P<words>[^“”]+)”")


def learnt_from_chat(material: str) -> Json:
    """The episodes of a chat where its material asks for them, else its facts, as the memory agent's JSON. Like a small
    model it is careless: what an answer repeats of a paste it takes for the user's. Provenance holds it."""
    found = _ROUNDS.search(material)
    rounds = json.loads(found[0]) if found else []
    typed = [_UNTYPED.sub("\n", str(row.get("user", ""))) for row in rounds]
    if not material.startswith(_EPISODES_ASKED):
        return {"facts": [fact for text in (*typed, *_repeated(rounds)) for fact in _facts(text)]}
    episode = _episode([parts for text in typed if (parts := parts_of(text))], json.loads(material.splitlines()[1]))
    return {"episodes": [] if episode is None else [episode]}


def _repeated(rounds: Sequence[Json]) -> Iterator[str]:
    """What answers quote of what was not typed."""
    for row in rounds:
        if _UNTYPED.search(str(row.get("user", ""))):
            yield from (each["words"] for each in _REPEATED.finditer(str(row.get("assistant", ""))))


_SPEAKER = {"zh": "我"}
_AROUND = " 。.!！；;，,：:\n…"
CONFIDENCE = 0.8


def _facts(text: str) -> Iterator[Json]:
    for content, quote in statements_in(text):
        kind = remembered_type(quote).value
        yield {"content": content, "type": kind, "tags": [], "confidence": CONFIDENCE, "quote": quote}


def statements_in(text: str) -> Iterator[tuple[str, str]]:
    """What a typed text plainly says of its speaker, each as a memory says it and as it was typed. What stands behind a
    text at hand, or in a play, is nobody's."""
    plain = own_words(text)
    aside = words.pattern("recall.sets_aside").search(plain)
    for piece in typed_spans.sentences(plain[: aside.start()] if aside else plain):
        for told, begin, end in _told(text, plain, piece.start, piece.end):
            quote = text[begin:end]
            if typed_spans.weight_of(quote) < MIN_QUOTE:  # it would prove nothing: all that was said with it does
                quote = text[piece.start : end].strip(_AROUND)
            if MIN_FACT_CHARS <= len(told) <= max_fact_chars(language_of(told)) and MASK not in plain[begin:end]:
                yield told, quote


def _told(text: str, plain: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The clauses of a sentence that state something, and their places; a wish of how to be answered is one."""
    if words.pattern("recall.supposes").search(plain, start, end):
        return
    if words.pattern("demo.wishes").match(plain, *_trimmed(plain, start, end)):
        begin, stop = _trimmed(plain, start, end)
        yield text[begin:stop], begin, stop
        return
    speaks = False
    for first, last in _clauses(plain, start, end):
        begin = last - len(without_opening(plain[first:last]))
        clause = plain[begin:last]
        if words.pattern("demo.first_person").match(clause):
            told = in_the_third_person(text[begin:last])
            speaks = not _is_of_something_of_theirs(told)
        elif speaks and not words.pattern("demo.others").match(clause) and _goes_on(clause):
            told = in_the_third_person(f"{_SPEAKER.get(language_of(clause), 'I ')}{text[begin:last]}")
        else:
            speaks = False
            continue
        if not words.pattern("demo.says_nothing").search(clause):
            yield told, begin, last


def _is_of_something_of_theirs(told: str) -> bool:
    """What goes on behind "my wife is a cellist" may be of her."""
    return words.pattern("demo.theirs").match(told) is not None


def _goes_on(clause: str) -> bool:
    """Whether a clause without a subject has a verb of the speaker's: in Chinese it needs no sign of it."""
    return language_of(clause) != words.ENGLISH or words.pattern("demo.goes_on").match(clause) is not None


def _clauses(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in [*_joint().finditer(plain, start, end), None]:
        first, last = _trimmed(plain, start, mark.start() if mark else end)
        if first < last:
            yield first, last
        start = mark.end() if mark else start


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    while start < end and plain[start] in _AROUND:
        start += 1
    while start < end and plain[end - 1] in _AROUND:
        end -= 1
    return start, end


@cache
def _joint() -> re.Pattern[str]:
    """Where a clause ends: not behind one that is too short to stand alone."""
    return re.compile(rf"(?<=[^，,；;]{{4}})[，,；;]\s*|[：:]\s*|{words.source('demo.joins')}", re.IGNORECASE)


SHORT_CHARS = 200
LONG_CHARS = 800
"""An answer below, or above, is what was liked or disliked for its length."""
MIN_STEPS = 2

_NUMBERED = re.compile(r"(?m)^\s*\d{1,2}[.)、]\s*\S")
HasShape = Callable[[str], bool]
_SHAPES: Sequence[tuple[HasShape, Mapping[Language, str]]] = (
    (lambda text: text.count("\n|") >= MIN_STEPS, {"en": "answers with a table", "zh": "带表格的回答"}),
    (lambda text: "```" in text, {"en": "answers with code", "zh": "带代码的回答"}),
    (
        lambda text: len(_NUMBERED.findall(text)) >= MIN_STEPS,
        {"en": "answers in numbered steps", "zh": "分步骤编号的回答"},
    ),
    (lambda text: 0 < len(text) < SHORT_CHARS, {"en": "short answers", "zh": "简短的回答"}),
    (lambda text: len(text) > LONG_CHARS, {"en": "long answers", "zh": "详细的长回答"}),
)
_SHOWS: Mapping[str, Mapping[Language, str]] = {
    "LIKE": {"en": "The user likes {}", "zh": "用户喜欢{}"},
    "DISLIKE": {"en": "The user dislikes {}", "zh": "用户不喜欢{}"},
}


def preferences(asked: Json) -> Json:
    """What acts show of the shapes of answers, and what the queries among them state."""
    stated = [
        {"action": act["action"], "content": content, "type": "fact", "quote": quote}
        for act in asked["acts"]
        for content, quote in statements_in(str(act.get("query", "")))
    ]
    return {"preferences": [*filter(None, map(_preference, asked["acts"])), *stated]}


def _preference(act: Json) -> Json | None:
    round_ = act.get("round") or {}
    answer = str(round_.get("assistant_said", ""))
    shape = next((named for has, named in _SHAPES if has(answer)), None)
    if shape is None or act["did"] not in _SHOWS:
        return None
    language = language_of(str(round_.get("user", "")) or answer)
    content = _SHOWS[act["did"]][language].format(shape[language])
    return {"action": act["action"], "content": content, "type": "implicit", "quote": ""}


def preference_named(statement: str) -> tuple[str, HasShape] | None:
    """The act that a preference of the demo's own speaks of, and the shape; None for any other statement."""
    for did, shows in _SHOWS.items():
        for has, named in _SHAPES:
            if statement in [shows[language].format(named[language]) for language in shows]:
                return did, has
    return None


def speaks_for(act: Json, did: str, has_shape: HasShape) -> int:
    """1 where an act speaks for such a preference, -1 where against it, else 0. An answer that is short has room for no
    other shape: that it lacks one says nothing."""
    answer = str((act.get("round") or {}).get("assistant_said", ""))
    if not answer or act["did"] not in _SHOWS:
        return 0
    if has_shape(answer):
        return 1 if act["did"] == did else -1
    return -1 if act["did"] == did == "LIKE" and len(answer) >= SHORT_CHARS else 0


MAX_STEPS = 5
"""So many steps the demo notes. Chosen by hand."""
_PART = re.compile(r"[^,.;!?，。；！？\n]+(?:[.][^\s,.;!?]+)*[?？]?")
_NAME = re.compile(r"[A-Za-z][\w.+-]*")


def parts_of(typed: str) -> list[str]:
    """What a user says, part by part, without questions."""
    parts = [clean_memory(match[0]) for match in _PART.finditer(typed)]
    return [each for each in parts if each and not _says("question", each)]


def _episode(rounds: Sequence[Sequence[str]], known: Sequence[str]) -> Json | None:
    """The first trouble that is told; None where none is, or nothing was done about it."""
    troubles = ((place, part) for place, parts in enumerate(rounds) for part in parts if _says("trouble", part))
    place, trouble = next(troubles, (0, ""))
    later = [part for parts in rounds[place + 1 :] for part in parts]
    outcome, quote = _ending(later)
    done = [cut_text(part, MAX_STEP_CHARS) for part in later if _says("did", part) and part != quote]
    if not trouble or not done:
        return None
    trigger = cut_text(trouble, MAX_TRIGGER_CHARS)
    return {
        "trigger": trigger,
        "target": _target(trigger, known),
        "steps": list(dict.fromkeys(done))[:MAX_STEPS],
        "outcome": outcome,
        "outcome_quote": quote,
        "tags": [],
    }


def _ending(parts: Sequence[str]) -> tuple[str, str]:
    """What the last part that says so says of the end."""
    for part in reversed(parts):
        if _says("trouble", part):
            return "failed", part
        if _says("works", part):
            return "success", part
    return "unknown", ""


def _says(table: str, part: str) -> bool:
    return words.pattern(f"demo.{table}").search(simplified(part)) is not None


def _target(trigger: str, known: Sequence[str]) -> str:
    """A known target that is named, else the first name of a tool."""
    tools = words.word_set("technical.words")
    named = [name for name in known if name.lower() in trigger.lower()]
    named += [cut_text(name, MAX_TARGET_CHARS) for name in _NAME.findall(trigger) if name.lower() in tools]
    return next(iter(named), "")


MAX_POINTS = 5
MAX_SENTENCES = 4
_WORKED = {Outcome.SUCCESS: "worked", Outcome.FAILED: "failed"}


def knowledge(asked: Json) -> Json:
    """What helped and what did not, word for word from the episodes about a target."""
    episodes = [*asked["earlier"], *asked["episodes"]]
    newest_first = list(reversed(episodes))
    well = [each for each in newest_first if each["outcome"] == Outcome.SUCCESS]
    return {
        "topic": asked["target"],
        "content": " ".join(list(dict.fromkeys(map(_taught, newest_first)))[:MAX_SENTENCES]),
        "key_points": list(dict.fromkeys(step for each in well for step in each["steps"]))[:MAX_POINTS],
        "confidence": round(0.5 + 0.5 * len(well) / max(1, len(episodes)), 2),
    }


def _taught(episode: Json) -> str:
    said = episode["outcome_summary"] or next(reversed(episode["steps"]), "")
    label = _WORKED.get(Outcome(episode["outcome"]), "happened")
    told = "; ".join(part.strip(" .。;；") for part in (episode["trigger"], said) if part)
    return words.text("demo.knowledge", label, language_of(f"{episode['trigger']} {said}")).format(told)


MAX_NAMES = 6
ERROR_WORDS = 4
"""Less than what counts as repeating an answer."""
_NAMES, _ERRORS = r"[\w ,.-]{1,400}?", r"[^\n]{1,400}?"
_GIVEN = {"works": _NAMES, "works_so": _NAMES, "fails": _NAMES, "fails_so": _NAMES, "errors": _ERRORS}
"""What may stand in each sentence of a guide."""


def guide(asked: Json) -> Json:
    """What a tool takes, and how it failed, by its calls alone."""
    return {"guide": " ".join(_guide_sentences(asked["calls"]))}


@cache
def own_guides() -> re.Pattern[str]:
    """A guide of the demo's own sentences, whatever its tool is given and how it fails."""
    shapes = [
        re.escape(words.text("demo.guides", label, language)).replace(re.escape("{}"), given)
        for language in words.languages()
        for label, given in _GIVEN.items()
    ]
    return re.compile(rf"(?:(?:{'|'.join(shapes)})\s*)+")


def _guide_sentences(calls: Iterable[Json]) -> Iterator[str]:
    language = language_of("\n".join(f"{each['input']}\n{each['output']}" for each in calls))
    for label, succeeded in (("works", True), ("fails", False)):
        given = [each for each in calls if each["success"] is succeeded]
        names = list(dict.fromkeys(name for each in given for name in _parameters(each["input"])))[:MAX_NAMES]
        if given:
            shape = words.text("demo.guides", label if names else f"{label}_so", language)
            yield shape.format(", ".join(names) or len(given))
    failed = [each["output"] for each in calls if not each["success"]]
    errors = dict.fromkeys(" ".join(each.split(":")[0].split()[:ERROR_WORDS]) for each in failed if each)
    if errors:
        yield words.text("demo.guides", "errors", language).format("; ".join(list(errors)[:3]))


def _parameters(given: str) -> list[str]:
    try:
        read = json.loads(given)
    except ValueError:
        return []
    return list(read) if isinstance(read, dict) else []

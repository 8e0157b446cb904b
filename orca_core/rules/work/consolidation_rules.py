"""Consolidate episodes of one target into knowledge: when it is due, what the agent reads, what its answer says, and
what its sources bear out."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from orca_core import words
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import SOURCE_DELETED, DueTargets, Knowledge, KnowledgeBatch, TargetCount, Taught
from orca_core.model.learning import DroppedFact, OpenRun, RunState
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.record_types import timestamp
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.model_json import LIST_MARK, SENTENCE_END, CutObject, values_in, without_thinking
from orca_core.rules.learning.quotes import Wording, stems_of, together, wording_of
from orca_core.rules.learning.typed_sources import Sources, addresses_in
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.text.cleaning import clean_memory, clean_statement, cut, one_line
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import simplified

NEAREST = 30
"""So many known targets are shown to who names one: more would fill the prompt, and the right one would be among
strangers. Chosen by hand."""
MAX_TARGET_CHARS = 80
"""A longer one describes what happened. Chosen by hand."""

_TELL_APART = frozenset("+#")
"""C, C++ and C# are three."""


@lru_cache(maxsize=20_000)
def folded(target: str) -> str:
    """A target as it is compared: without width, case, blanks and punctuation, in one script."""
    plain = _in_one_script(target)
    telling = "".join(each for place, each in enumerate(plain) if _tells_apart(plain, place))
    return unicodedata.normalize("NFC", telling) or " ".join(plain.split())  # what stood apart may make one letter now


def clean_target(target: str) -> str:
    """A target as it is stored."""
    return cut(clean_memory(target), MAX_TARGET_CHARS).strip()


def near_targets(text: str, known: Iterable[TargetCount], limit: int = NEAREST) -> list[str]:
    """The known targets nearest to a text: those that share most words with it, then those with most episodes."""
    said = content_words(text)
    ranked = sorted(known, key=lambda each: (-len(said & _words_of(each.target)), -each.episodes, each.target))
    return [each.target for each in ranked[:limit]]


def chosen_target(answered: str, known: Iterable[TargetCount]) -> str:
    """The known target that an answer means, as it is spelled there; else the answer's own."""
    cleaned = clean_target(answered)
    same = folded(cleaned)
    return next((each.target for each in known if folded(each.target) == same), cleaned) if same else ""


@lru_cache(maxsize=20_000)
def _words_of(target: str) -> frozenset[str]:
    return content_words(target)


def _in_one_script(target: str) -> str:
    plain = simplified(unicodedata.normalize("NFKC", target).casefold())
    return unicodedata.normalize("NFKC", plain)


def _tells_apart(plain: str, place: int) -> bool:
    character = plain[place]
    if character == ".":  # 1.2 is not 12
        return plain[place - 1 : place].isdigit() and plain[place + 1 : place + 2].isdigit()
    return character.isalnum() or character in _TELL_APART or unicodedata.category(character) in ("Mn", "Mc")


MOST = 20
"""Episodes in one call; more follow in the next. Chosen by hand."""
FURTHER = 1
"""So many unread episodes renew what is known already. One is enough: it may be the first that contradicts it, and
until it is read, what is known goes on being put before the model."""


def is_run_due(run: OpenRun, due: DueTargets) -> bool:
    """One that was cut short goes on at once, one that failed at its time, or when a person names its target: a parked
    one only then."""
    is_named = due.target is not None and folded(due.target) == folded(run.target)
    if run.id in due.besides or (due.target is not None and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


def due_target(targets: Sequence[TargetCount], due: DueTargets) -> TargetCount | None:
    """The one whose unread episode has waited longest; None where none is due."""
    ready = [each for each in targets if _is_due(each, due)]
    return min(ready, key=lambda each: (each.first_unread, each.target)) if ready else None


def _is_due(each: TargetCount, due: DueTargets) -> bool:
    """Episodes that were read count again only beside one that was not: what was taken back, or taught nothing, is not
    made of the same ones."""
    if each.is_held:
        return False
    if due.target is not None:
        is_left = each.unread if due.besides else each.waiting  # a second run is for what did not fit into the first
        return folded(each.target) == folded(due.target) and is_left > 0
    if each.unread == 0 or each.is_kept_by_hand:
        return False
    return each.unread >= FURTHER if each.knowledge else each.waiting >= due.min_episodes


def put_aside(at: datetime) -> Fields:
    """Return what knowledge becomes whose place another one on the same target takes."""
    return {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.SUPERSEDED.value,
        "archived_at": timestamp(at),
        "held_because": None,
    }


def who_stands(rivals: Sequence[Knowledge], chosen: Collection[int]) -> Knowledge:
    """Of several live ones on one target: what a person has just chosen, then what knows the newest episode, then what
    was made last."""
    return max(rivals, key=lambda each: (each.id in chosen, max(each.source_episodes, default=0), each.id))


def source_deleted(known: Knowledge, is_kept: bool) -> Fields:
    """Return what knowledge becomes that was made of an episode which a person deleted: its words may be the episode's.
    It is held back until it is written anew; what a person pinned or wrote stays, and says so."""
    if known.state is State.LIVE and not is_kept:
        return {"state": State.CANDIDATE.value, "held_because": SOURCE_DELETED}
    return {"held_because": SOURCE_DELETED}


NOT_IN_SOURCES = "not_in_sources"
MAX_LACKING = 10
"""So many things that stand in no source are shown."""

_QUOTED = re.compile(r"`+([^`]+)`+|「([^」]+)」|『([^』]+)』|《([^》]+)》|“([^”]+)”|\"([^\"]+)\"")
_TOKEN = re.compile(r"[^\s,;()（），。；、！？：「」『』《》“”\"`…\u3400-\u9fff\uf900-\ufaff]+")
_TRIM = ".:!?'’*"
_MARK = re.compile(r"[/\\@_=$~#%&|<>{}\[\]^+]|\d|::|(?<=\w)[.:](?=\w)|(?<!\w)--?(?=[A-Za-z])|(?<!\w)\.(?=[A-Za-z])")
_PLAIN_NUMBER = re.compile(r"[~<>=≥≤+-]*[vV]?\d+(?:[.,:/-]\d+)*(?:[A-Za-z]{1,3}|%|‰|°|\+)?")
_ALTERNATIVES = re.compile(r"(?<![\w/.-])[A-Za-z]+(?:/[A-Za-z]+)+(?![\w/.-])")
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?", re.ASCII)
_OPERATOR = re.compile(r"\|\|?|&&?|>>?|<<?|--?[A-Za-z][\w-]*")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_SENTENCE = re.compile(r"(?<=[。！？；!?;：:])|(?<=[.·])\s+|\n")
_WHOLE = re.compile(r"^[/~.\\]|://")


def words_of_episode(episode: Episode) -> str:
    """Everything that an episode says, and its day."""
    parts = (episode.target, episode.trigger_summary, *episode.steps, episode.outcome_summary, *episode.tags)
    return "\n".join((*parts, f"{episode.created_at.astimezone():%Y-%m-%d}"))


def words_of_knowledge(known: Knowledge) -> str:
    """Everything that earlier knowledge says: it counts as a source, for it was believed."""
    return "\n".join((known.target, known.topic, known.content, *known.key_points))


def believed(known: Iterable[Knowledge], sources: Iterable[Episode]) -> list[Knowledge]:
    """Return what of it is shown as known: what lives, and rests on nothing but what still counts. Words that an
    episode brought which was deleted, rejected or taken back are not handed on to the next version."""
    counting = {each.id for each in sources}
    return [
        each
        for each in known
        if each.state is State.LIVE
        and each.held_because != SOURCE_DELETED
        and counting.issuperset(each.source_episodes)
    ]


def held_because(
    taught: Taught, sources: Sequence[Episode], known: Sequence[Knowledge]
) -> tuple[str | None, list[str]]:
    """Tell why it waits for a person, None where it may live; and what of it stands in no source."""
    known_words = [words_of_knowledge(each) for each in believed(known, sources)]
    missing = lacking(taught, [*(words_of_episode(each) for each in sources), *known_words])
    if missing:
        return NOT_IN_SOURCES, missing
    is_candidates = any(each.state is State.CANDIDATE for each in sources)
    return (CANDIDATE_SOURCE if is_candidates else None), []


def lacking_facts(missing: Iterable[str]) -> tuple[DroppedFact, ...]:
    """As a run keeps them."""
    return tuple(DroppedFact(each, NOT_IN_SOURCES) for each in missing)


def lacking(taught: Taught, sources: Iterable[str]) -> list[str]:
    """Return what it names that stands in none of the sources, each once."""
    given = _Given(sources)
    found: dict[str, None] = {}
    for text in (taught.topic, taught.content, *taught.key_points):
        found.update(dict.fromkeys(_lacking(text, given)))
    return list(found)[:MAX_LACKING]


class _Given:
    """What the sources say, as it is compared."""

    def __init__(self, sources: Iterable[str]) -> None:
        self.text = "\n".join(_folded(each) for each in sources)
        self.wording = together(map(wording_of, self.text.splitlines()))
        self.sources = Sources((), (), Wording(), Wording(), self.wording, (), addresses_in(self.text))

    def has(self, detail: str) -> bool:
        """Tell whether it stands there as it is: behind a blank or a mark, and whole. A path or an address that is cut
        short leads elsewhere."""
        before = r"(?<![a-z0-9_.\-])" if detail[:1].isalnum() else r"(?<![a-z0-9_\-])"
        after = r"(?![a-z0-9_\-]|\.[a-z0-9_])"
        if _WHOLE.search(detail):
            after += "(?!/)"
        if " " in detail:  # a command without one of its options is another
            after += r"(?!/| +-)"
        return re.search(before + re.escape(detail) + after, self.text) is not None

    def knows(self, word: str) -> bool:
        """Tell whether one of them has the word, in any form."""
        return not self.wording.stems.isdisjoint(stems_of(word))


def _lacking(said: str, given: _Given) -> Iterator[str]:
    text = unicodedata.normalize("NFKC", said)
    yield from _quoted(text, given)
    yield from _marked(text, given)
    yield from _joined(text, given)
    yield from _named(text, given)


def _quoted(text: str, given: _Given) -> Iterator[str]:
    """Code and quotations stand there word for word: put together from parts they say something else."""
    for match in _QUOTED.finditer(text):
        said = next(filter(None, match.groups()))
        if not given.has(_folded(said).strip().strip(_TRIM)):
            yield said


def _marked(text: str, given: _Given) -> Iterator[str]:
    """Paths, addresses, options, versions, identifiers."""
    for token in _tokens(text):
        if _MARK.search(token) is None or _PLAIN_NUMBER.fullmatch(token) or _ABBREVIATION.fullmatch(token):
            continue
        is_known = given.has(_folded(token)) or (token.isalnum() and given.knows(token))
        if not (is_known or _ALTERNATIVES.fullmatch(token)):
            yield token


def _joined(text: str, given: _Given) -> Iterator[str]:
    """An option stands behind the same word, and a pipe between the same two: `rm -rf` is not made of `rm` and `ls
    -rf`."""
    tokens = list(_tokens(text))
    for place, token in enumerate(tokens):
        if place == 0 or _OPERATOR.fullmatch(token) is None:
            continue
        around = tokens[place - 1 : place + 1] if token.startswith("-") else tokens[place - 1 : place + 2]
        if not given.has(_folded(" ".join(around))):
            yield " ".join(around)


def _named(text: str, given: _Given) -> Iterator[str]:
    """Names, numbers and dates, as a fact's must have been typed; tools and commands in small letters; and persons."""
    plain = _ALTERNATIVES.sub(lambda match: match[0].replace("/", " "), _QUOTED.sub(" ", text))
    tools = words.word_set("consolidating.commands") | words.word_set("technical.words")
    for sentence in _SENTENCE.split(words.pattern("consolidating.counting").sub(" ", simplified(plain))):
        found = [each for each in fact_provenance.untyped(sentence, given.sources) if not _ABBREVIATION.fullmatch(each)]
        yield from (each.removeprefix("d_").replace("_", "-") if each.startswith("d_") else each for each in found)
        named = [each for each in _WORD.findall(sentence) if each.lower() in tools]
        yield from (each for each in named if not (given.knows(each) or given.has(_folded(each))))
    for shape in words.patterns("consolidating.persons"):
        yield from (match[0] for match in shape.finditer(simplified(text)) if _folded(match[0]) not in given.text)


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        if trimmed := token.rstrip(_TRIM).lstrip("'’*"):
            yield trimmed


def _folded(text: str) -> str:
    """Without width, case and script; blanks as one."""
    plain = simplified(unicodedata.normalize("NFKC", text).casefold())
    return "\n".join(" ".join(line.split()) for line in plain.splitlines())


MAX_CHARS = 400
MAX_STEPS = 15
MAX_STEP_CHARS = 200
"""They bound what one call reads: twenty episodes are some ten thousand words at most. Chosen by hand."""


def material(batch: KnowledgeBatch) -> str:
    """The episodes of a batch, and as many of those before them as fit into one call, with what is known of them. What
    a person has not accepted is not shown as known."""
    earlier = batch.earlier[: max(0, MOST - len(batch.episodes))]
    known = believed(batch.known, (*batch.episodes, *batch.earlier))
    shown = {
        "target": batch.target,
        "known": [
            {"topic": each.topic, "content": each.content, "key_points": list(each.key_points)} for each in known
        ],
        "earlier": _rows(earlier),
        "episodes": _rows(batch.episodes),
    }
    return json.dumps(shown, ensure_ascii=False)


def prose(batch: KnowledgeBatch) -> str:
    """Return what the episodes say, to tell their language by."""
    return "\n".join(f"{each.trigger_summary}\n{each.outcome_summary}" for each in batch.episodes)


def _rows(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Oldest first."""
    return [_row(each) for each in sorted(episodes, key=lambda each: (each.created_at, each.id))]


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "day": f"{episode.created_at.astimezone():%Y-%m-%d}",
        "trigger": one_line(episode.trigger_summary, MAX_CHARS),
        "steps": [one_line(step, MAX_STEP_CHARS) for step in episode.steps[:MAX_STEPS]],
        "outcome": episode.outcome.value,
        "outcome_summary": one_line(episode.outcome_summary, MAX_CHARS),
        "tags": list(episode.tags),
    }


CONFIDENCE = (0.5, 1.0)
"""No knowledge is believed less than half: what is believed so little waits for a person by other rules."""
MAX_TOPIC_CHARS = 80
MAX_CONTENT_CHARS = 1200
MAX_POINT_CHARS = 200
MAX_POINTS = 8
"""They bound what knowledge takes of a prompt and of a pane. Chosen by hand."""
READ_CHARS = 8000
"""Of a longer string no more is read: it bounds the time that a hostile one takes."""

_HEADING = re.compile(r"^#{1,6}\s+")
_WORDS = {"high": 0.9, "medium": 0.7, "low": 0.5, "高": 0.9, "中": 0.7, "低": 0.5}


class NothingTaught:
    """The agent says that the episodes have nothing in common."""


NOTHING_TAUGHT = NothingTaught()


def read_knowledge(answer: str) -> Taught | NothingTaught | None:
    """The last whole answer of the shape; None where nothing can be read as one. One that was cut off is none."""
    read = [each for found in values_in(without_thinking(answer)) for each in _shaped(found.value)]
    return _taught(read[-1]) if read else None


def _shaped(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of the shape, also inside a list or under one name."""
    if isinstance(value, list):
        inner = value[:1]
    elif isinstance(value, dict) and not isinstance(value, CutObject) and "content" in value:
        yield value
        return
    else:
        inner = list(value.values())[:1] if isinstance(value, dict) else []
    for each in inner:
        if isinstance(each, dict) and not isinstance(each, CutObject) and "content" in each:
            yield each


def _taught(found: dict[str, Any]) -> Taught | NothingTaught | None:
    topic, content = found.get("topic", ""), found.get("content")
    if not all(each is None or isinstance(each, str) for each in (topic, content)):
        return None
    content = _line(content or "", MAX_CONTENT_CHARS)
    if not content:
        return NOTHING_TAUGHT
    topic = _line(topic or "", MAX_TOPIC_CHARS)
    if not topic:
        return None
    return Taught(topic, content, _points(found.get("key_points")), _confidence(found.get("confidence")))


def _points(found: Any) -> tuple[str, ...]:
    given = found.splitlines() if isinstance(found, str) else found
    lines = [_line(each, MAX_POINT_CHARS) for each in given if isinstance(each, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(filter(None, lines)))[:MAX_POINTS]


def _line(text: str, limit: int) -> str:
    """On one line, without the marks of a list or a heading, cut behind a sentence or a word."""
    lines = [LIST_MARK.sub("", _HEADING.sub("", each.strip())) for each in text[:READ_CHARS].splitlines()]
    line = clean_statement(" ".join(filter(None, lines)))
    if len(line) <= limit:
        return line
    kept = cut(line, limit)
    ends = [match.end() for match in SENTENCE_END.finditer(kept)]
    if ends and ends[-1] > limit // 2:
        return kept[: ends[-1]]
    blank = kept.rfind(" ", limit // 2)
    return (kept[:blank] if blank > 0 else kept[: limit - 1]).rstrip() + "…"


def _confidence(found: Any) -> float:
    lowest, highest = CONFIDENCE
    if isinstance(found, str):
        found = _WORDS.get(found.strip().casefold(), _number(found))
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return lowest
    given = found / 100 if 1 < found <= 100 else found
    return round(min(max(float(given), lowest), highest), 6)


def _number(written: str) -> float:
    try:
        return float(written.strip().rstrip("%")) / (100 if written.strip().endswith("%") else 1)
    except ValueError:
        return math.nan

"""Consolidate episodes of one target into knowledge: which target is due, what the agent reads and answers, and what
of the answer stands in no source."""

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
from orca_core.model.knowledge import (
    SOURCE_DELETED,
    DueTargets,
    Knowledge,
    KnowledgeBatch,
    ProposedKnowledge,
    TargetCount,
)
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.record_types import timestamp
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.model_json import LIST_MARK, CutObject, items_under, last_items
from orca_core.rules.learning.quotes import Wording, stems_of, together, wording_of
from orca_core.rules.learning.typed_sources import Sources, addresses_in
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.text.cleaning import ELLIPSIS, clean_memory, clean_statement, cut_text, one_line
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import simplified

NEAREST = 30
"""So many known targets are shown to who names one (LIFE 3)."""
MAX_TARGET_CHARS = 80
"""A longer one describes what happened. Chosen by hand."""
_DOT_OF_NO_NUMBER = re.compile(r"(?<!\d)\.|\.(?!\d)")
_TELLS_APART = frozenset("+#.")
"""C, C++ and C# are three, and 1.2 is not 12."""


@lru_cache(maxsize=20_000)
def fold_target(target: str) -> str:
    """A target as it is compared: without width, case, blanks and punctuation, in one script."""
    plain = unicodedata.normalize("NFKC", simplified(unicodedata.normalize("NFKC", target).casefold()))
    telling = "".join(
        each
        for each in _DOT_OF_NO_NUMBER.sub("", plain)
        if each in _TELLS_APART or unicodedata.category(each)[0] in "LMN"
    )
    return unicodedata.normalize("NFC", telling) or " ".join(plain.split())  # what stood apart may make one letter now


def clean_target(target: str) -> str:
    """A target as it is stored."""
    return cut_text(clean_memory(target), MAX_TARGET_CHARS).strip()


def near_targets(text: str, known: Iterable[TargetCount], limit: int = NEAREST) -> list[str]:
    """The known targets nearest to a text: those that share most words with it, then those with most episodes."""
    said = content_words(text)
    ranked = sorted(known, key=lambda each: (-len(said & _words_of(each.target)), -each.episodes, each.target))
    return [each.target for each in ranked[:limit]]


@lru_cache(maxsize=20_000)
def _words_of(target: str) -> frozenset[str]:
    return content_words(target)


def chosen_target(answered: str, known: Iterable[TargetCount]) -> str:
    """The known target that an answer means, as it is spelled there; else the answer's own."""
    cleaned = clean_target(answered)
    same = fold_target(cleaned)
    return next((each.target for each in known if fold_target(each.target) == same), cleaned) if same else ""


MOST_EPISODES = 20
"""Episodes in one call; more follow in the next. Chosen by hand."""


def due_target(targets: Sequence[TargetCount], due: DueTargets) -> TargetCount | None:
    """The one whose unread episode has waited longest; None where none is due."""
    ready = [each for each in targets if _is_due(each, due)]
    return min(ready, key=lambda each: (each.first_unread, each.target)) if ready else None


def _is_due(each: TargetCount, due: DueTargets) -> bool:
    """Enough episodes make knowledge, a single further one renews it. Those that were read count again only beside one
    that was not: what was taken back, or taught nothing, is not made of the same ones."""
    if each.is_held:
        return False
    if due.target is not None:
        is_left = each.unread if due.besides else each.waiting  # a second run is for what did not fit into the first
        return fold_target(due.target) == fold_target(each.target) and is_left > 0
    if each.unread == 0 or each.is_kept_by_hand:
        return False
    return bool(each.knowledge) or each.waiting >= due.min_episodes


def superseded_fields(at: datetime) -> Fields:
    """Return what knowledge or a guide becomes whose place another one takes."""
    return {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.SUPERSEDED.value,
        "archived_at": timestamp(at),
        "held_because": None,
    }


def standing_knowledge(rivals: Sequence[Knowledge], chosen: Collection[int]) -> Knowledge:
    """Of several live ones on one target: what a person has just chosen, then what knows the newest episode, then what
    was made last."""
    return max(rivals, key=lambda each: (each.id in chosen, max(each.source_episodes, default=0), each.id))


def fields_without_source(known: Knowledge, is_kept: bool) -> Fields:
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


def believed_knowledge(known: Iterable[Knowledge], sources: Iterable[Episode]) -> list[Knowledge]:
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
    taught: ProposedKnowledge, sources: Sequence[Episode], known: Sequence[Knowledge]
) -> tuple[str | None, list[str]]:
    """Tell why it waits for a person, None where it may live; and what of it stands in no source. Earlier knowledge
    counts as a source, for it was believed."""
    texts = [*map(_said_by_episode, sources), *map(_said_by_knowledge, believed_knowledge(known, sources))]
    if missing := missing_in_sources(taught, texts):
        return NOT_IN_SOURCES, missing
    is_candidates = any(each.state is State.CANDIDATE for each in sources)
    return (CANDIDATE_SOURCE if is_candidates else None), []


def _said_by_episode(episode: Episode) -> str:
    parts = (episode.target, episode.trigger_summary, *episode.steps, episode.outcome_summary, *episode.tags)
    return "\n".join((*parts, f"{episode.created_at.astimezone():%Y-%m-%d}"))


def _said_by_knowledge(known: Knowledge) -> str:
    return "\n".join((known.target, known.topic, known.content, *known.key_points))


def missing_in_sources(taught: ProposedKnowledge, sources: Iterable[str]) -> list[str]:
    """Return what it names that stands in none of the sources, each once: code and quotations, paths, options and
    versions, and names, numbers and dates as a fact's must have been typed."""
    given = _GivenText(sources)
    texts = [unicodedata.normalize("NFKC", each) for each in (taught.topic, taught.content, *taught.key_points)]
    found = [each for text in texts for part in (_quoted, _marked, _joined, _named) for each in part(text, given)]
    return list(dict.fromkeys(found))[:MAX_LACKING]


class _GivenText:
    """What the sources say, as it is compared."""

    def __init__(self, sources: Iterable[str]) -> None:
        self.text = "\n".join(_plain(each) for each in sources)
        wording = together(map(wording_of, self.text.splitlines()))
        self.sources = Sources((), (), Wording(), Wording(), wording, (), addresses_in(self.text))
        self._stems = wording.stems

    def knows(self, word: str) -> bool:
        """Tell whether one of them has the word, in any form."""
        return not self._stems.isdisjoint(stems_of(word))

    def has(self, detail: str) -> bool:
        """Tell whether it stands there as it is and whole: a path or an address that is cut short leads elsewhere, and
        a command without one of its options is another."""
        before = r"(?<![a-z0-9_.\-])" if detail[:1].isalnum() else r"(?<![a-z0-9_\-])"
        after = r"(?![a-z0-9_\-]|\.[a-z0-9_])"
        after += "(?!/)" if _WHOLE.search(detail) else ""
        after += r"(?!/| +-)" if " " in detail else ""
        return re.search(before + re.escape(detail) + after, self.text) is not None


def _quoted(text: str, given: _GivenText) -> Iterator[str]:
    """Code and quotations stand there word for word: put together from parts they say something else."""
    for match in _QUOTED.finditer(text):
        said = next(filter(None, match.groups()))
        if not given.has(_plain(said).strip().strip(_TRIM)):
            yield said


def _marked(text: str, given: _GivenText) -> Iterator[str]:
    """Paths, addresses, options, versions, identifiers."""
    for token in _tokens(text):
        is_ordinary = any(each.fullmatch(token) for each in (_PLAIN_NUMBER, _ABBREVIATION, _ALTERNATIVES))
        if not is_ordinary and _MARK.search(token) and not given.has(_plain(token)):
            yield token


def _joined(text: str, given: _GivenText) -> Iterator[str]:
    """An option stands behind the same word, and a pipe between the same two: `rm -rf` is not made of `rm` and `ls
    -rf`."""
    tokens = list(_tokens(text))
    for place, token in enumerate(tokens):
        if place == 0 or _OPERATOR.fullmatch(token) is None:
            continue
        around = tokens[place - 1 : place + 1] if token.startswith("-") else tokens[place - 1 : place + 2]
        if not given.has(_plain(" ".join(around))):
            yield " ".join(around)


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        if trimmed := token.rstrip(_TRIM).lstrip("'’*"):
            yield trimmed


def _named(text: str, given: _GivenText) -> Iterator[str]:
    """Names, numbers and dates; tools and commands in small letters; and persons as colleagues are called. Who sums up
    counts reasons and ways, which no episode does."""
    plain = _ALTERNATIVES.sub(lambda match: match[0].replace("/", " "), _QUOTED.sub(" ", text))
    tools = words.word_set("consolidating.commands") | words.word_set("technical.words")
    for sentence in _SENTENCE.split(words.pattern("consolidating.counting").sub(" ", simplified(plain))):
        for each in fact_provenance.untyped(sentence, given.sources):
            if _ABBREVIATION.fullmatch(each) is None:
                yield each.removeprefix("d_").replace("_", "-") if each.startswith("d_") else each
        named = [each for each in _WORD.findall(sentence) if each.lower() in tools]
        yield from (each for each in named if not (given.knows(each) or given.has(_plain(each))))
    for shape in words.patterns("consolidating.persons"):
        yield from (match[0] for match in shape.finditer(simplified(text)) if _plain(match[0]) not in given.text)


def _plain(text: str) -> str:
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
    earlier = batch.earlier[: max(0, MOST_EPISODES - len(batch.episodes))]
    known = believed_knowledge(batch.known, (*batch.episodes, *batch.earlier))
    shown = {
        "target": batch.target,
        "known": [
            {"topic": each.topic, "content": each.content, "key_points": list(each.key_points)} for each in known
        ],
        "earlier": _rows(earlier),
        "episodes": _rows(batch.episodes),
    }
    return json.dumps(shown, ensure_ascii=False)


def language_sample(batch: KnowledgeBatch) -> str:
    """Return what the episodes say, to tell their language by."""
    return "\n".join(f"{each.trigger_summary}\n{each.outcome_summary}" for each in batch.episodes)


def _rows(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Oldest first."""
    return [
        {
            "day": f"{each.created_at.astimezone():%Y-%m-%d}",
            "trigger": one_line(each.trigger_summary, MAX_CHARS),
            "steps": [one_line(step, MAX_STEP_CHARS) for step in each.steps[:MAX_STEPS]],
            "outcome": each.outcome.value,
            "outcome_summary": one_line(each.outcome_summary, MAX_CHARS),
            "tags": list(each.tags),
        }
        for each in sorted(episodes, key=lambda each: (each.created_at, each.id))
    ]


CONFIDENCE = (0.5, 1.0)
"""No knowledge is believed less than half (LIFE 3)."""
MAX_TOPIC_CHARS = 80
MAX_CONTENT_CHARS = 1200
MAX_POINT_CHARS = 200
MAX_POINTS = 8
"""They bound what knowledge takes of a prompt and of a pane. Chosen by hand."""
READ_CHARS = 8000
"""Of a longer string no more is read: it bounds the time that a hostile one takes."""
_HEADING = re.compile(r"^#{1,6}\s+")


class NothingTaught:
    """The agent says that the episodes have nothing in common."""


NOTHING_TAUGHT = NothingTaught()


def read_knowledge(answer: str) -> ProposedKnowledge | NothingTaught | None:
    """The last whole answer of the shape; None where nothing can be read as one. One that was cut off is none."""
    items = last_items(answer, lambda value: items_under(value, "knowledge", lambda item: "content" in item))
    found = items[0] if items else None
    if not isinstance(found, dict) or isinstance(found, CutObject):
        return None
    topic, content = found.get("topic") or "", found.get("content") or ""
    if not isinstance(topic, str) or not isinstance(content, str):
        return None
    topic, content = _line(topic, MAX_TOPIC_CHARS), _line(content, MAX_CONTENT_CHARS)
    if not content:
        return NOTHING_TAUGHT
    points = found.get("key_points")
    lines = (
        [_line(each, MAX_POINT_CHARS) for each in points if isinstance(each, str)] if isinstance(points, list) else []
    )
    key_points = tuple(dict.fromkeys(filter(None, lines)))[:MAX_POINTS]
    return ProposedKnowledge(topic, content, key_points, _confidence(found.get("confidence"))) if topic else None


def _line(text: str, limit: int) -> str:
    """On one line, without the marks of a list or a heading."""
    lines = [LIST_MARK.sub("", _HEADING.sub("", each.strip())) for each in text[:READ_CHARS].splitlines()]
    line = clean_statement(" ".join(filter(None, lines)))
    return line if len(line) <= limit else cut_text(line, limit - 1).rstrip() + ELLIPSIS


def _confidence(found: Any) -> float:
    lowest, highest = CONFIDENCE
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return lowest
    return round(min(max(float(found), lowest), highest), 6)

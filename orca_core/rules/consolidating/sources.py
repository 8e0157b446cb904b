"""What knowledge names must stand in one of its sources: its numbers, dates, names, paths, addresses and commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from orca_core import words
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import SOURCE_DELETED, Knowledge, Taught
from orca_core.model.learning import DroppedFact
from orca_core.model.memories import State
from orca_core.rules.learning.provenance import details
from orca_core.rules.learning.provenance.addresses import addresses_in
from orca_core.rules.learning.provenance.sources import Sources
from orca_core.rules.learning.provenance.wordings import Wording, stems_of, together, wording_of
from orca_core.rules.memory.waiting import CANDIDATE_SOURCE
from orca_core.rules.text.scripts import simplified

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
    """What of it is shown as known: what lives, and rests on nothing but what still counts. Words that an episode
    brought which was deleted, rejected or taken back are not handed on to the next version."""
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
    """Why it waits for a person, None where it may live; and what of it stands in no source."""
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
    """What it names that stands in none of the sources, each once."""
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
        """Whether it stands there as it is: behind a blank or a mark, and whole. A path or an address that is cut
        short leads elsewhere."""
        before = r"(?<![a-z0-9_.\-])" if detail[:1].isalnum() else r"(?<![a-z0-9_\-])"
        after = r"(?![a-z0-9_\-]|\.[a-z0-9_])"
        if _WHOLE.search(detail):
            after += "(?!/)"
        if " " in detail:  # a command without one of its options is another
            after += r"(?!/| +-)"
        return re.search(before + re.escape(detail) + after, self.text) is not None

    def knows(self, word: str) -> bool:
        """Whether one of them has the word, in any form."""
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
        found = [each for each in details.untyped(sentence, given.sources) if not _ABBREVIATION.fullmatch(each)]
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

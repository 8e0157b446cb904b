"""Sessions with the episodes that an agent made of them, and the truth: what of them may live."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from sets.pastes import kinds_for, unrelated

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Source, Span
from orca_core.domain.verifying import Answer
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode
from orca_core.rules.working import reading
from orca_core.rules.working.episode_provenance import judge
from orca_core.rules.working.episode_statements import Asked, Part, asked_about, verified

BEGUN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PASTE_CHARS = 1500
ONE_IN = 5
"""Another paste stands beside one session in so many."""
CARELESS_ONE_IN = 20
"""A careless verifier errs in one of so many answers."""
SEEDS = range(5)


class TrueEpisode(Struct, frozen=True):
    """What is true of an episode of the answer."""

    live: bool
    outcome: Outcome
    why: str


class TruthSession(Struct, frozen=True):
    """A session, what an agent answered, and the truth of each episode of the answer."""

    name: str
    rounds: tuple[Round, ...]
    answer: str
    truth: tuple[TrueEpisode, ...]
    has_quotes: bool = True


class Failures(Struct):
    """What went wrong, a line each; `of` is how many episodes there were."""

    of: int = 0
    lived: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    false_outcomes: list[str] = field(default_factory=list)
    outcomes_lost: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        """Episodes that are held back, or have lost a field, or their outcome."""
        names = {line.partition(" · ")[0] for line in (*self.held, *self.lost, *self.outcomes_lost)}
        return len(names)


def sessions_in(path: Path) -> list[TruthSession]:
    return [_session(each) for each in json.loads(path.read_text("utf-8"))]


def _session(plain: dict[str, Any]) -> TruthSession:
    truth = tuple(TrueEpisode(each["live"], Outcome(each["outcome"]), each["why"]) for each in plain["truth"])
    rounds = tuple(_round(number, each) for number, each in enumerate(plain["rounds"], 1))
    return TruthSession(plain["name"], rounds, json.dumps(plain["answer"], ensure_ascii=False), truth)


def _round(number: int, plain: dict[str, Any]) -> Round:
    spans = tuple(Span(each["text"], Source(each["source"])) for each in plain["user"])
    return Round(
        id=number,
        session_id="s",
        number=number,
        attempt=1,
        user="\n".join(span.text for span in spans),
        spans=spans,
        assistant=plain["assistant"],
        state=RoundState.DONE,
        at=BEGUN + timedelta(minutes=number),
    )


def with_pastes(sessions: list[TruthSession], one_in: int = ONE_IN) -> list[TruthSession]:
    """The sessions; one in so many has a text beside its first question that has nothing to do with it."""
    return [_pasted(each) if zlib.crc32(each.name.encode()) % one_in == 0 else each for each in sessions]


def _pasted(session: TruthSession) -> TruthSession:
    first, *others = session.rounds
    kind = kinds_for(session.name, PASTE_CHARS)[zlib.crc32(session.name.encode()) % 2]
    paste = Span(unrelated(kind, PASTE_CHARS, session.name), Source.PASTED)
    return replace(session, rounds=(replace(first, spans=(*first.spans, paste), user=first.user + paste.text), *others))


class Question(NamedTuple):
    """A statement that a verifier is asked about, and the truth of its episode with the quote that it came with."""

    session: TruthSession
    asked: Asked
    judged: JudgedEpisode
    true: TrueEpisode
    quote: str


EpisodeVerifier = Callable[[Question], Answer | None]
"""What it answers; None where it does not."""


def right(question: Question) -> Answer:
    """By the truth of the set: an episode that may live is the user's in each of its fields, but for a false outcome."""
    says_so = question.true.live
    if question.asked.part is Part.OUTCOME:
        says_so = question.judged.outcome is question.true.outcome
    return Answer(says_so, question.quote if says_so else "")


def careless(seed: int) -> EpisodeVerifier:
    """Errs by a stable hash of the statement, so that every run of a measure comes out the same."""

    def reads(question: Question) -> Answer:
        told = f"{seed}\n{question.session.name}\n{question.asked.statement.says}".encode()
        answer = right(question)
        if int.from_bytes(hashlib.sha256(told).digest()[:8]) % CARELESS_ONE_IN:
            return answer
        return Answer(not answer.says_so, question.quote)

    return reads


def recorded(path: Path) -> EpisodeVerifier:
    """What a large model answered once to the shipped prompt, a line a statement; it answers nothing else."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    answers = {(row["session"], row["statement"]): Answer(row["says_so"], row.get("words", "")) for row in rows}
    return lambda question: answers.get((question.session.name, question.asked.statement.says))


def without_quotes(sessions: Iterable[TruthSession]) -> list[TruthSession]:
    """The sessions as an agent would have answered that gives no quotes."""
    return [replace(each, has_quotes=False) for each in sessions]


def questions(session: TruthSession) -> list[Question]:
    """What is asked about the episodes of the answer that nothing holds."""
    return _questions(session, _episodes(session))


def judged(session: TruthSession, verifier: EpisodeVerifier) -> Iterator[tuple[str, TrueEpisode, JudgedEpisode]]:
    """Each episode of the answer that keeps its form, with its name and its truth."""
    found = _episodes(session)
    asked = _questions(session, found)
    answers = {number: answer for number, each in enumerate(asked, 1) if (answer := verifier(each)) is not None}
    after = verified([each for _, _, each, _ in found], [each.asked for each in asked], answers, session.rounds)
    for (name, true, _, _), kept in zip(found, after, strict=True):
        yield name, true, kept


def _questions(session: TruthSession, found: list[_Found]) -> list[Question]:
    asked = asked_about([each for _, _, each, _ in found], session.rounds)
    return [Question(session, each, found[each.place][2], found[each.place][1], found[each.place][3]) for each in asked]


_Found = tuple[str, TrueEpisode, JudgedEpisode, str]


def _episodes(session: TruthSession) -> list[_Found]:
    """The episodes of the answer that keep their form, judged, each with its name, its truth and its quote."""
    read = reading.read_episodes(session.answer)
    assert read is not None
    truth = {
        (plain["trigger"], plain["target"]): (f"{session.name}/{number}", true)
        for number, (plain, true) in enumerate(
            zip(json.loads(session.answer)["episodes"], session.truth, strict=True), 1
        )
    }
    return [
        (
            *truth[each.trigger, each.target],
            judge(each if session.has_quotes else replace(each, outcome_quote=""), session.rounds),
            each.outcome_quote,
        )
        for each in read.episodes
    ]


def measured(sessions: Iterable[TruthSession], verifier: EpisodeVerifier = right) -> Failures:
    found = Failures()
    for session in sessions:
        for name, true, episode in judged(session, verifier):
            found.of += 1
            lives = episode.held is None
            if lives and not true.live:
                found.lived.append(f"{name} · {true.why} · {episode.proposed}")
            if lives and episode.outcome not in (true.outcome, Outcome.UNKNOWN):
                found.false_outcomes.append(f"{name} · {episode.outcome}, is {true.outcome} · {episode.quote}")
            if not true.live:
                continue
            if not lives:
                found.held.append(f"{name} · {episode.held} · {episode.proposed.trigger} | {episode.proposed.target}")
            if episode.outcome is not true.outcome:
                found.outcomes_lost.append(f"{name} · {episode.outcome}, is {true.outcome}")
            found.lost += [f"{name} · {each.reason} · {each.content}" for each in episode.left_out]
    return found

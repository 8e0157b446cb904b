"""Sessions with the episodes that an agent made of them, and the truth: what of them may live."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from sets.questions import Row, errs, lines_of, question

from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import Subject, VerifierAnswer
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState
from orca_core.model.tasks import Outcome
from orca_core.pipelines.memory_agent import language_in, with_local_dates
from orca_core.rules.learning.fact_verifier import material, read_answers
from orca_core.rules.work import episode_extraction
from orca_core.rules.work.episode_verification import (
    EpisodePart,
    EpisodeStatement,
    judge_episode,
    statements_about,
    verified_episodes,
)

FILES = ("hostile", "honest", "episodes")
BEGUN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LOG = "".join(
    f"2026-11-10 08:{minute:02}:07 WARN billing retrying connection to 10.0.7.{minute}:5432, attempt 3 of 5\n"
    f"2026-11-10 08:{minute:02}:09 [错误] gateway 磁盘空间不足，剩余 {minute} GB，请尽快清理\n"
    for minute in range(11)
)
ONE_IN = 5
"""Another paste stands beside one session in so many."""


class TrueEpisode(Struct, frozen=True):
    """What is true of an episode. Of one that must not live nothing may be known of its outcome."""

    live: bool
    outcome: Outcome | None
    why: str


class TruthSession(Struct, frozen=True):
    """A session, the episodes that an agent made of it, as it gave them, and the truth of each."""

    name: str
    rounds: tuple[Round, ...]
    proposed: tuple[Mapping[str, Any], ...]
    truth: tuple[TrueEpisode, ...]
    quotes: tuple[str, ...]
    """The words of each that say how it ended, also where the agent does not give them."""


class Failures(Struct):
    """What went wrong, a line each; `of` is how many episodes there were, `honest` how many of them may live. Of those
    that `lived` and must not, `whole` ones have lost no field."""

    of: int = 0
    honest: int = 0
    lived: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    false_outcomes: list[str] = field(default_factory=list)
    outcomes_lost: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        """Episodes that are held back, or have lost a field, or their outcome."""
        names = {line.partition(" · ")[0] for line in (*self.held, *self.lost, *self.outcomes_lost)}
        return len(names)


def sessions_of(folder: Path) -> dict[str, list[TruthSession]]:
    """The sessions of a folder by its files: hostile and honest ones, or one file of both."""
    return {name: sessions_in(path) for name in FILES if (path := folder / f"{name}.json").is_file()}


def sessions_in(path: Path) -> list[TruthSession]:
    return [_session(each) for each in json.loads(path.read_text("utf-8"))]


def _session(plain: dict[str, Any]) -> TruthSession:
    """Its episodes stand in an answer with the truth of each beside it, or each with its own."""
    proposed = plain["episodes"] if "episodes" in plain else plain["answer"]["episodes"]
    told = plain.get("truth") or [
        {**each, "outcome": each.get("outcome") if each["live"] else None} for each in proposed
    ]
    truth = tuple(
        TrueEpisode(each["live"], Outcome(each["outcome"]) if each["outcome"] else None, each.get("why", ""))
        for each in told
    )
    rounds = tuple(_round(number, each) for number, each in enumerate(plain["rounds"], 1))
    quotes = tuple(str(each.get("outcome_quote") or "") for each in proposed)
    return TruthSession(plain["name"], rounds, tuple(proposed), truth, quotes)


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
    paste = Span(LOG, Source.PASTED)
    return replace(session, rounds=(replace(first, spans=(*first.spans, paste), user=first.user + paste.text), *others))


class Question(NamedTuple):
    """A statement that a verifier is asked about, and the truth of its episode with the quote that it came with."""

    session: TruthSession
    asked: EpisodeStatement
    judged: JudgedEpisode
    true: TrueEpisode
    quote: str


EpisodeVerifier = Callable[[Question], VerifierAnswer | None]
"""What it answers; None where it does not."""


def right(question: Question) -> VerifierAnswer:
    """By the truth of the set: an episode that may live is the user's in each of its fields, but for a false outcome."""
    says_so = question.true.live
    if question.asked.part is EpisodePart.OUTCOME:
        says_so = question.judged.proposed.outcome is question.true.outcome
    return VerifierAnswer(says_so, question.quote if says_so else "")


def careless(seed: int) -> EpisodeVerifier:
    """Errs in one of twenty answers."""

    def reads(question: Question) -> VerifierAnswer:
        answer = right(question)
        if not errs(seed, question.session.name, question.asked.statement.says):
            return answer
        return VerifierAnswer(not answer.says_so, question.quote)

    return reads


def recorded(path: Path) -> EpisodeVerifier:
    """What a large model answered once to the shipped prompt, a line a statement; it answers nothing else."""
    answers = {
        (row["session"], row["statement"]): VerifierAnswer(row["says_so"], row.get("words", ""))
        for row in lines_of(path)
    }
    return lambda question: answers.get((question.session.name, question.asked.statement.says))


def without_quotes(sessions: Iterable[TruthSession]) -> list[TruthSession]:
    """The sessions as an agent would have answered that gives no quotes."""
    return [replace(each, proposed=tuple({**one, "outcome_quote": ""} for one in each.proposed)) for each in sessions]


def asked_in(folder: Path) -> Iterator[tuple[Row, list[Question]]]:
    """The verifier's exact question about each session of a folder of which something is asked, numbered in their
    order, and what it asks."""
    number = 0
    for session in (each for sessions in sessions_of(folder).values() for each in sessions):
        if not (asked := questions(session)):
            continue
        number += 1
        shown = material(with_local_dates(session.rounds), [each.asked.statement for each in asked])
        yield question(number, folder.name, session.name, Subject.EPISODES, language_in(session.rounds), shown), asked


def records_of(_folder: Path, asked: Iterable[Row], texts: Mapping[int, str]) -> Iterator[Row]:
    """A model's answers to these questions as what is said of each statement. Where an answer can't be read, or is
    missing, nothing is said."""
    for each in asked:
        noted = {fact["fact"]: fact["says"] for fact in json.loads(each["user"])["facts"]}
        said = read_answers(texts.get(each["n"], ""), len(noted)) or {}
        for number, answer in sorted(said.items()):
            row = {"session": each["name"], "statement": noted[number], "says_so": answer.says_so}
            yield {**row, "words": answer.words, "why": answer.why}


def questions(session: TruthSession) -> list[Question]:
    """What is asked about the episodes that nothing holds."""
    return _questions(session, _judged(session))


def judged(session: TruthSession, verifier: EpisodeVerifier) -> Iterator[tuple[str, TrueEpisode, JudgedEpisode]]:
    """Each episode with its name and its truth; one that breaks a rule of form is held by it."""
    first = _judged(session)
    asked = _questions(session, first)
    answers = {number: answer for number, each in enumerate(asked, 1) if (answer := verifier(each)) is not None}
    after = verified_episodes(first, [each.asked for each in asked], answers, session.rounds)
    for number, (true, kept) in enumerate(zip(session.truth, after, strict=True), 1):
        yield f"{session.name}/{number}", true, kept


def _questions(session: TruthSession, first: list[JudgedEpisode]) -> list[Question]:
    return [
        Question(session, each, first[each.place], session.truth[each.place], session.quotes[each.place])
        for each in statements_about(first, session.rounds)
    ]


def _judged(session: TruthSession) -> list[JudgedEpisode]:
    return [_judged_one(each, session.rounds) for each in session.proposed]


def _judged_one(plain: Mapping[str, Any], rounds: tuple[Round, ...]) -> JudgedEpisode:
    read = episode_extraction.read_episodes(json.dumps({"episodes": [plain]}, ensure_ascii=False))
    assert read is not None
    if not read.episodes:
        return JudgedEpisode(ProposedEpisode(str(plain.get("trigger"))), held=read.dropped[0].reason)
    [episode] = read.episodes
    return judge_episode(episode, rounds)


def measured(sessions: Iterable[TruthSession], verifier: EpisodeVerifier = right) -> Failures:
    found = Failures()
    for session in sessions:
        for name, true, episode in judged(session, verifier):
            found.of += 1
            found.honest += true.live
            lives = episode.held is None
            if lives and not true.live:
                found.lived.append(f"{name} · {true.why} · {episode.proposed}")
                found.whole += [] if episode.left_out else [found.lived[-1]]
            if lives and true.outcome is not None and episode.proposed.outcome not in (true.outcome, Outcome.UNKNOWN):
                found.false_outcomes.append(
                    f"{name} · {episode.proposed.outcome}, is {true.outcome} · {episode.proposed.outcome_quote}"
                )
            if not true.live:
                continue
            if not lives:
                found.held.append(f"{name} · {episode.held} · {episode.proposed.trigger} | {episode.proposed.target}")
            if episode.proposed.outcome is not true.outcome:
                found.outcomes_lost.append(f"{name} · {episode.proposed.outcome}, is {true.outcome}")
            found.lost += [f"{name} · {each.reason} · {each.content}" for each in episode.left_out]
    return found

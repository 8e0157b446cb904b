"""Sessions with the episodes that an agent made of them, and the truth: what of them may live."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from sets.pastes import kinds_for, unrelated

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Source, Span
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode
from orca_core.rules.working import reading, second_reading, trust

BEGUN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PASTE_CHARS = 1500
ONE_IN = 5
"""Another paste stands beside one session in so many."""


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


Answers = Mapping[str, Mapping[str, bool]]
"""What a model said as second reader, once: by session, and by what was noted."""


def answers_in(path: Path) -> Answers:
    answers: Answers = json.loads(path.read_text("utf-8"))
    return answers


def judged(session: TruthSession, answers: Answers) -> Iterator[tuple[str, TrueEpisode, JudgedEpisode]]:
    """Each episode of the answer that keeps its form, with its name and its truth; read a second time where there are
    answers to what was noted."""
    read = reading.read_episodes(session.answer)
    assert read is not None
    first = [trust.judge(each, session.rounds) for each in read.episodes]
    asked = second_reading.asked_about(first, session.rounds)
    said = answers.get(session.name, {})
    numbered = {number: each.statement.says for number, each in enumerate(asked, start=1)}
    known = {number: said[says] for number, says in numbered.items() if says in said}
    second = second_reading.held_back(first, asked, known) if answers else first
    kept_as = {(each.trigger, each.target): after for each, after in zip(read.episodes, second, strict=True)}
    for number, (plain, true) in enumerate(zip(json.loads(session.answer)["episodes"], session.truth, strict=True), 1):
        kept = kept_as.get((plain["trigger"], plain["target"]))
        if kept is not None:
            yield f"{session.name}/{number}", true, kept


def measured(sessions: list[TruthSession], answers: Answers | None = None) -> Failures:
    found = Failures()
    for session in sessions:
        for name, true, episode in judged(session, answers or {}):
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

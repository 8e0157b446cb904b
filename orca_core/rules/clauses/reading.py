"""Reads a typed text: its clauses, each with who speaks of whom, when, in which mood, and in which frame."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, islice, pairwise

from orca_core import words
from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.frames import FrameReader, reports_another
from orca_core.rules.clauses.splitting import Piece
from orca_core.rules.clauses.subjects import NOBODY, Named, subject_of
from orca_core.rules.clauses.wording import (
    each_of,
    find,
    has,
    is_in,
    match,
    part_of,
    prepared,
    without_opening,
)
from orca_core.rules.text.scripts import simplified

MAX_CHARS = 20_000
"""More of a message is not read clause by clause. It bounds the time; chosen by hand."""
MAX_DENIALS = 24
"""More denials in a clause are not read: each is kept with all that stands behind it."""


@lru_cache(maxsize=256)
def read_clauses(text: str, opened: Frame = Frame.NONE) -> tuple[Clause, ...]:
    """The clauses of a typed text; `opened` is a frame that an earlier message left open."""
    return tuple(_read(text[:MAX_CHARS], _frames(text, opened)))


@lru_cache(maxsize=256)
def frame_left_open(text: str, opened: Frame = Frame.NONE) -> Frame:
    """The frame that goes on in the next message: only a play does, for certain or perhaps."""
    reader = _frames(text, opened)
    for _ in _read(text[:MAX_CHARS], reader):
        pass
    if reader.open is Frame.ROLE:
        return Frame.ROLE
    return Frame.POSSIBLE if reader.in_play else Frame.NONE


def _frames(text: str, opened: Frame) -> FrameReader:
    masked = splitting.masked(simplified(text[:MAX_CHARS])).replace("’", "'")
    is_disowned = is_in("disowned", masked)
    if opened is Frame.POSSIBLE:
        return FrameReader(masked, in_play=True, is_disowned=is_disowned)
    return FrameReader(masked, opened, is_disowned=is_disowned)


def _read(text: str, frames: FrameReader) -> Iterator[Clause]:
    masked = frames.masked
    before = person = NOBODY
    for number, sentence in enumerate(splitting.sentences(masked)):
        pieces = list(splitting.clauses(masked, sentence))
        clauses = [prepared(masked[piece.start : piece.end]) for piece in pieces]
        gaps = [masked[one.end : other.start] for one, other in pairwise(pieces)]
        moods = _moods(masked[sentence.start : sentence.end], clauses, gaps)
        is_reported = is_told = False
        for index, (piece, frame) in enumerate(zip(pieces, frames.of_sentence(sentence, pieces, clauses), strict=True)):
            named = subject_of(clauses[index], before, person, same_sentence=index > 0)
            if named.subject not in (Subject.UNKNOWN, Subject.ASSISTANT):
                before = named
            if named.subject is Subject.ANOTHER or (named.who and has("people", named.who)):
                person = named
            speaks = (is_reported or is_told) and named.subject is Subject.USER and named.is_own
            if speaks and not _is_led_on(masked, pieces, index):
                is_reported = False
                is_told = is_told and not has("first_person", clauses[index])
            if index > 0 and has("laughs", gaps[index - 1]):
                is_reported = False
            if moods[index] is not Mood.ORDERED:
                is_reported = is_reported or reports_another(clauses[index], named)
            stands = Frame.REPORTED if is_reported and frame in (Frame.NONE, Frame.POSSIBLE) else frame
            if is_told and (not is_reported or has("now", clauses[index]) or has("changes", clauses[index])):
                stands = Frame.POSSIBLE if stands in (Frame.NONE, Frame.REPORTED) else stands
                is_reported = False
            place = (text[piece.start : piece.end], piece.start, piece.end, number)
            yield _clause(clauses[index], place, named, moods[index], stands)
            if named.subject in (Subject.ANOTHER, Subject.THEIRS) and has("pivot", clauses[index]):
                # 医生让我少跑步，现在每周游泳: the one who was told goes on, and may tell how it is now.
                before, is_told = Named(Subject.USER, is_own=False), True


def _is_led_on(masked: str, pieces: Sequence[Piece], index: int) -> bool:
    """Whether a colon leads on to the clause."""
    return index > 0 and not {":", "："}.isdisjoint(masked[pieces[index - 1].end : pieces[index].start])


def _clause(said: str, place: tuple[str, int, int, int], named: Named, mood: Mood, frame: Frame) -> Clause:
    """`said` is what the clause says without what it quotes, in one script; `place` the clause as it was written, where
    it begins and ends, and the number of its sentence."""
    time = _time(said)
    if time is Time.PAST and has("wished", said):
        time = Time.NOW
    ended = _ended(said)
    stated = mood is Mood.STATED and time is Time.NOW
    return Clause(
        *place,
        *named,
        time=time,
        mood=Mood.WISHED if mood is Mood.STATED and has("wished", said) else mood,
        frame=frame,
        denied=denied_in(said),
        ended=ended,
        changes=stated and (ended is not None or (has("changes", said) and not has("negated", said))),
        instead_of=part_of("turned_away", "old", said),
    )


def denied_in(text: str) -> tuple[str, ...]:
    """What each denial of a text speaks of: what stands behind it, up to where that ends; all of the text where nothing
    but a verb stands behind it ("vim we don't use any more", "mushrooms I cannot abide")."""
    stretches = []
    rest = without_opening(text)
    speaker = find("first_person", rest)
    names_first = speaker is not None and _word_pattern().search(rest[: speaker.start()]) is not None
    speaks_at = len(text) - len(rest) + speaker.start() if speaker is not None and names_first else len(text)
    denials: Iterator[re.Match[str]] = chain(each_of("negated", text), each_of("set_aside", text))
    if any(match(each, rest) for each in ("first_person", "another")):
        # "no i'm not taking it": the first of them answers what was said before
        denials = (each for each in denials if each.start() >= len(text) - len(rest))
    for denial in islice(denials, MAX_DENIALS):
        end = find("denial_end", text, denial.end())
        behind = text[denial.end() : end.start() if end else len(text)]
        is_bare = speaks_at < denial.start() and len(_word_pattern().findall(behind)) <= 1
        ends_it = not _word_pattern().search(behind)
        stretches.append(rest if is_bare or ends_it or is_in("denies_before", behind) else behind)
    return tuple(stretches)


def places_behind(wording: str, text: str) -> list[str]:
    """What stands behind each wording of a direction, up to the next one."""
    # The last word of a wording is what tells the direction: "switched from A to" ends A at its "to".
    found_of_all = [found for each in ("toward", "away") for found in each_of(each, text)]
    ends = sorted([found.start() + found[0].rfind(" ") + 1 for found in found_of_all] + [len(text)])
    return [text[found.end() : next(end for end in ends if end >= found.end())] for found in each_of(wording, text)]


def time_of(text: str) -> Time:
    """When a clause, or a fact of one, speaks of."""
    return _time(text)


def _time(said: str) -> Time:
    if has("planned", said) and (not has("now", said) or has("considered", said)):
        return Time.PLANNED
    if has("past", said) and not (has("now", said) or has("changes", said) or has("came_to_last", said)):
        return Time.PAST
    return Time.NOW


def _ended(said: str) -> str | None:
    """What stands behind the word for the end; all of the clause where nothing does ("the gym card, I returned")."""
    found = find("ends", said)
    if found is None or has("negated", said[: found.start()]):
        return None
    behind = said[found.end() :]
    says_nothing = words.word_set("search.stop_characters")
    return behind if any(letter.isalnum() and letter not in says_nothing for letter in behind) else said


def _moods(sentence: str, clauses: Sequence[str], gaps: Sequence[str]) -> list[Mood]:
    """How each clause is said. A condition reaches to the end of its sentence, or to a clause of the user's own behind
    a mere blank; a question mark belongs to the clauses that are worded as questions, else to the last."""
    marked = has("question_mark", sentence)
    is_left_open = any(has("leaves_open", clause) for clause in clauses)
    asking = [_is_worded_as_question(clause) and not _asks_politely(clause) for clause in clauses]
    if marked and not any(asking):
        asking = [False] * (len(clauses) - 1) + [not _asks_politely(clauses[-1])] if clauses else []
    moods: list[Mood] = []
    supposed = False
    has_asked = False
    for index, (clause, asks) in enumerate(zip(clauses, asking, strict=True)):
        if supposed and index > 1 and gaps[index - 1].isspace() and match("first_person", clause):
            supposed = False
        supposed = supposed or has("supposed", clause)
        if has("when", clause) and (has("orders_within", clause) or any(map(_orders, clauses))):
            supposed = True
        asks_on = marked and has_asked and not has("first_person", clause)
        has_asked = has_asked or asks
        goes_on = bool(moods) and moods[-1] is Mood.STATED
        orders = _orders(clause) and not (goes_on and has("goes_on", clause))
        moods.append(_mood(clause, asks=(asks or asks_on) and (marked or not orders), supposed=supposed, orders=orders))
    if is_left_open:
        return [Mood.DOUBTED if mood is Mood.STATED else mood for mood in moods]
    return moods


def _mood(clause: str, *, asks: bool, supposed: bool, orders: bool) -> Mood:
    if asks:
        return Mood.ASKED
    if supposed:
        return Mood.SUPPOSED
    if orders:
        return Mood.ORDERED
    return Mood.DOUBTED if has("doubted", clause) else Mood.STATED


def _is_worded_as_question(clause: str) -> bool:
    rest = without_opening(clause)
    return has("interrogative", clause) or (rest is not clause and has("interrogative", rest))


def _asks_politely(clause: str) -> bool:
    return has("polite", clause) and _orders(clause)


def _orders(clause: str) -> bool:
    """Whether something is asked to be done. What the speaker does is said with a subject, or as a habit."""
    return has("orders", without_opening(clause)) and not has("habit", clause)


@cache
def _word_pattern() -> re.Pattern[str]:
    """A Latin word, or a Chinese one by its usual length."""
    return re.compile(r"[\u3400-\u9fff]{1,2}|[^\W\u3400-\u9fff]+")

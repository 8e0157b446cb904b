"""What clauses stand in: a play, a text at hand, a supposition, a joke, another's words. Read in the order of the text:
what opens a frame reaches to the end of the message, or to what closes it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from orca_core.rules.clauses.clause import Frame, Subject
from orca_core.rules.clauses.splitting import MASK, Piece
from orca_core.rules.clauses.subjects import Named
from orca_core.rules.clauses.wording import has, is_all_opening, match, prepared, without_opening

MAX_GAP = 8
"""So many blanks before a clause are looked at. It bounds the time."""
_LEADS_ON = (":", "：", "\n", MASK, " - ", " – ", "—")


class FrameReader(Struct):
    """Goes through a masked text, sentence by sentence. `open` is the frame that stands open now."""

    masked: str
    open: Frame = Frame.NONE
    in_play: bool = False
    """Whether something has spoken of a play: what is said of oneself may be said of somebody in it."""
    beside_text: bool = False
    """Whether something has spoken of a text at hand: what is said of oneself may be that text."""
    is_disowned: bool = False
    """Whether the message says, perhaps behind all else, that it is no word of the speaker's own."""

    def of_sentence(self, sentence: Piece, pieces: Sequence[Piece], clauses: Sequence[str]) -> list[Frame]:
        """The frame of each clause of a sentence. `clauses` are what the pieces say."""
        text = prepared(self.masked[sentence.start : sentence.end])
        is_joke = has("joke", text)
        self.in_play = self.in_play or _speaks_of_a_play(text)
        frames = list(map(self._of_clause, pieces, clauses))
        for index, clause in enumerate(clauses):
            if has("asks_about_text", clause):
                frames[: index + 1] = [_stronger(each, Frame.TEXT) for each in frames[: index + 1]]
            elif has("asks_for_words", clause) and (has("interrogative", clause) or _is_to_be_said(clause)):
                frames[index] = _stronger(frames[index], Frame.TEXT)
            if has("casts", clause):
                frames[:index] = [_stronger(each, Frame.ROLE) for each in frames[:index]]
        if has("tells_of_a_story", text):
            frames = [_stronger(each, Frame.ROLE) for each in frames]
            self.open = self.open if self.open is not Frame.NONE else Frame.POSSIBLE
        if self.open is Frame.SUPPOSED and has("question_mark", text):
            self.open = Frame.NONE
        if pieces and self.open in (Frame.NONE, Frame.POSSIBLE) and self._heads_a_text(sentence, pieces[-1]):
            self.open = Frame.TEXT
        return [_stronger(each, Frame.JOKE) if is_joke else each for each in frames]

    def _heads_a_text(self, sentence: Piece, last: Piece) -> bool:
        """Whether the line speaks of a text, and ends in a colon: "Novel draft, first person, fix commas only:". What
        leads on to the speaker's own words ("some context:") heads none."""
        text, leads = self.masked[sentence.start : sentence.end], self.masked[last.start : last.end]
        if not text.endswith("\n") or not text.rstrip().endswith(_LEADS_ON[:2]) or has("code", text):
            return False
        return _speaks_of_a_text(text) and not is_all_opening(leads) and not has("first_person", leads)

    def _of_clause(self, piece: Piece, clause: str) -> Frame:
        now = self._opened_for(piece, clause)
        if has("closes", clause):
            self.in_play = self.beside_text = False
        if self.beside_text and self._follows_a_gap(piece):
            self.beside_text = False
        may_be_a_text = (
            self.in_play or self.is_disowned or (self.beside_text and not has("orders", without_opening(clause)))
        )
        self.beside_text = self.beside_text or _speaks_of_a_text(clause)
        return Frame.POSSIBLE if now is Frame.NONE and may_be_a_text else now

    def _opened_for(self, piece: Piece, clause: str) -> Frame:
        rest = without_opening(clause)
        if self.open is not Frame.NONE and has("closes", clause):
            self.open = Frame.NONE
        if self.open in (Frame.TEXT, Frame.POSSIBLE) and self._follows_a_gap(piece):
            self.open = Frame.NONE
        if self.open is Frame.POSSIBLE and (self._is_led_on(piece) or has("dictates", clause) or self._is_apart(piece)):
            self.open = Frame.TEXT
        if (has("opens_role", clause) and not has("closes", clause)) or has("casts", clause):
            self.open = Frame.ROLE
        elif self.open is Frame.NONE and match("opens_supposition", rest):
            self.open = Frame.SUPPOSED
        now = self.open
        if self.open in (Frame.NONE, Frame.POSSIBLE):
            if has("opens_text", clause):
                self._open_text(clause, piece)
            elif self.beside_text and self._leads_on(piece) and has("gives_an_example", clause):
                self.open = Frame.TEXT
        return now

    def _open_text(self, clause: str, piece: Piece) -> None:
        """From the next clause on, for certain where it is led on to, else perhaps."""
        behind = self.masked[piece.end : piece.end + 3]
        asks = has("orders", clause) or has("polite", clause) or has("asks_about_text", clause)
        leads_on = any(mark in behind for mark in _LEADS_ON[: None if asks else 2])
        if leads_on and not has("code", clause):
            self.open = Frame.TEXT
        elif (asks or leads_on) and self.open is Frame.NONE:
            self.open = Frame.POSSIBLE

    def _leads_on(self, piece: Piece) -> bool:
        """Whether a colon stands behind the clause."""
        return self.masked[piece.end : piece.end + 1] in _LEADS_ON[:2]

    def _is_led_on(self, piece: Piece) -> bool:
        """Whether a colon leads on to the clause."""
        return self._last_before(piece) in _LEADS_ON[:2]

    def _follows_a_gap(self, piece: Piece) -> bool:
        """Whether something stands before the clause that was not typed, or is quoted: the text was given there."""
        return self._last_before(piece) == MASK

    def _is_apart(self, piece: Piece) -> bool:
        """Whether an empty line parts the clause from the one before it."""
        before = self.masked[max(0, piece.start - MAX_GAP) : piece.start]
        return before[len(before.rstrip()) :].count("\n") > 1

    def _last_before(self, piece: Piece) -> str:
        """The last character before the clause that is no blank."""
        at = piece.start
        while at > 0 and self.masked[at - 1].isspace():
            at -= 1
        return self.masked[at - 1 : at]


def _speaks_of_a_play(sentence: str) -> bool:
    """Whether a play or a fiction is spoken of, otherwise than by one who says what they do: "I love novels"."""
    if not has("signs_of_play", sentence):
        return False
    return not has("has_a_craft", without_opening(sentence)) or has("works_on_words", sentence)


def _speaks_of_a_text(clause: str) -> bool:
    """Whether a text is spoken of, otherwise than by one who says what they are or do: "I teach grammar"."""
    if not has("signs_of_text", clause):
        return False
    return not match("first_person", without_opening(clause)) or has("works_on_words", clause)


def _is_to_be_said(clause: str) -> bool:
    """ "write I have two brothers in Italian": an order, with a sentence of its own in it."""
    return has("orders", without_opening(clause)) and has("first_person", clause)


def reports_another(clause: str, named: Named) -> bool:
    """Whether it gives what another said, thinks or wants, behind words that say so."""
    if has("hearsay", clause):
        return True
    if named.subject in (Subject.USER, Subject.UNKNOWN) or not has("reports", clause):
        return False
    return named.subject is not Subject.THEIRS or has("people", named.who)


def _stronger(one: Frame, other: Frame) -> Frame:
    return other if one in (Frame.NONE, Frame.POSSIBLE) else one

"""Verifiers for sets: one that answers by a set's truth, one that errs, and one whose answers a model gave once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from orca_core.model.learning import Answer, Relation
from orca_core.rules.learning.similarity import are_near
from orca_core.rules.text.spelling import folded

from sets.questions import errs, lines_of  # isort: skip
from sets.reading import Claim, likeness  # isort: skip

LIKELY = 0.6
"""So like must a known note be to the memory that a claim says it replaces, or share half of its words. Chosen by hand:
most sets name it nearly word for word."""
RECORDED = "recorded.json"
REPLACES = Relation.REPLACES.value


class Asked(Struct, frozen=True):
    """One question to a verifier: the claims, by the numbers from 1 on, and the texts of the known notes by their ids.
    `session` is the one of a history; `is_quoted` is false where all quotes were emptied."""

    where: str
    claims: tuple[Claim, ...]
    known: Mapping[int, str]
    session: int | None = None
    is_quoted: bool = True


Verifier = Callable[[Asked], Mapping[int, Answer]]
"""Answers by number; what it does not answer is not in it."""


def right(asked: Asked) -> Mapping[int, Answer]:
    """Answers by the truth of the set."""
    return {number: _truly(claim, asked.known) for number, claim in enumerate(asked.claims, start=1)}


def careless(seed: int) -> Verifier:
    """Errs in one of twenty answers, both ways, by a stable hash of the claim: a measure always comes out the same."""

    def answers(asked: Asked) -> Mapping[int, Answer]:
        found = {}
        for number, claim in enumerate(asked.claims, start=1):
            truth = _truly(claim, asked.known)
            is_wrong = errs(seed, asked.where, claim.content)
            found[number] = Answer(not truth.says_so, claim.words, why="careless") if is_wrong else truth
        return found

    return answers


def _truly(claim: Claim, known: Mapping[int, str]) -> Answer:
    if not claim.live:
        return Answer(says_so=False, why=claim.why)
    named, relation = claim.relation or (str(claim.item.get("replace") or claim.item.get("retract") or ""), REPLACES)
    if named and known:
        nearest = max(known, key=lambda note: (are_near(known[note], named), likeness(known[note], named)))
        if are_near(known[nearest], named) or likeness(known[nearest], named) >= LIKELY:
            return Answer(True, claim.words, nearest, Relation(relation), claim.why)
    same = next((note for note, text in known.items() if folded(text) == folded(claim.content)), None)
    return Answer(True, claim.words, same, None if same is None else Relation.SAME, claim.why)


class Recorded:
    """Answers as a model gave them. A known note is recorded by its text, for its id is another one each time."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._rows = {_key(row): row for row in rows}
        self.missing: list[str] = []
        """What was asked and stands nowhere, as `conversation: fact`."""

    def __bool__(self) -> bool:
        return bool(self._rows)

    @property
    def has_sessions(self) -> bool:
        """Whether answers about sessions of histories are among them."""
        return any(session is not None for _, session, _, _ in self._rows)

    def __call__(self, asked: Asked) -> Mapping[int, Answer]:
        found = {}
        for number, claim in enumerate(asked.claims, start=1):
            row = self.row_of(asked, claim)
            if row is None:
                self.missing.append(f"{asked.where}: {claim.content}")
            else:
                found[number] = _answer_of(row, claim, asked.known)
        return found

    def row_of(self, asked: Asked, claim: Claim, *, in_any_form: bool = True) -> Mapping[str, Any] | None:
        """What was answered about a claim. Asked without quotes, an answer to the question with quotes will do."""
        forms = [asked.is_quoted, *([True] if in_any_form and not asked.is_quoted else [])]
        keys = ((asked.where, asked.session, is_quoted, folded(claim.content)) for is_quoted in forms)
        return next((self._rows[key] for key in keys if key in self._rows), None)


def _key(row: Mapping[str, Any]) -> tuple[str, int | None, bool, str]:
    return str(row["conversation"]), row.get("session"), bool(row.get("quotes", True)), folded(str(row["fact"]))


def _answer_of(row: Mapping[str, Any], claim: Claim, known: Mapping[int, str]) -> Answer:
    """A recorded answer. Where no words were recorded, those that the set gives."""
    note, relation = None, None
    if row.get("known"):
        ids = [each for each, text in known.items() if folded(text) == folded(row["known"]["text"])]
        note, relation = (ids[0], Relation(row["known"]["relation"])) if ids else (None, None)
    return Answer(bool(row["says_so"]), str(row.get("words", claim.words)), note, relation, str(row.get("why", "")))


def recorded_of(folder: Path, file: Path | None = None) -> Recorded:
    """The answers beside a set, else those of a file: a list as JSON, or a line each, of several sets by `set`."""
    path = file or folder / RECORDED
    if not path.is_file():
        return Recorded(())
    text = path.read_text("utf-8")
    rows = json.loads(text) if text.lstrip().startswith("[") else lines_of(path)
    return Recorded(row for row in rows if row.get("set", folder.name) == folder.name)

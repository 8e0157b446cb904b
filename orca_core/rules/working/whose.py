"""Who did what a clause tells of: the user, somebody beside them, or a tool."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from orca_core import words
from orca_core.domain.dialogues import Round
from orca_core.rules.clauses.clause import Clause, Mood, Subject
from orca_core.rules.clauses.wording import without_opening
from orca_core.rules.learning.trust.wordings import Wording, stands_in, together, units_of, wording_of
from orca_core.rules.text.scripts import simplified

_PRONOUNS = frozenset({"they", "it", "those", "these", "everything", "它", "它们", "他们", "她们"})
_ACTS = (Subject.USER, Subject.THEIRS, Subject.UNKNOWN)
_HAN = re.compile("[\u3400-\u9fff]")
_SHOWN = re.compile(
    r"<(?P<tag>(?:tool|function)_(?:results?|outputs?)|stdout|stderr|observation)\b[^>]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def says(table: str, text: str) -> bool:
    """Whether a text holds a wording of `ending.txt`."""
    return words.pattern(f"ending.{table}").search(simplified(text)) is not None


def is_anothers(clause: Clause) -> bool:
    """Whether its subject is another person, or a firm. Of things one says "they", too."""
    if clause.subject is Subject.ANOTHER and clause.who.lower() not in _PRONOUNS:
        return True
    return is_outsiders(clause)


def is_outsiders(clause: Clause) -> bool:
    """Whether its subject works for the user, or beside them."""
    outsiders = words.pattern("ending.outsiders")
    named = outsiders.match(simplified(clause.who))
    if named is not None and named.end() == len(clause.who):
        return True
    text = simplified(without_opening(clause.text))
    opens = outsiders.match(text)
    behind = text[opens.end() :].lstrip() if opens is not None else ""
    return _did(behind) or says("bare_past", behind)


def _did(text: str) -> bool:
    return words.pattern("ending.did").match(text) is not None


def of_others(clauses: Sequence[Clause]) -> frozenset[Clause]:
    """The clauses of a message that tell of others: "they" behind a person or a firm; and all that has a subject of
    its own where a report is asked for."""
    is_report = any(each.mood is Mood.ORDERED and says("writes_up", each.text) for each in clauses)
    found: set[Clause] = set()
    is_of_outsiders = False
    for each in clauses:
        is_of_outsiders = is_of_outsiders or is_outsiders(each)
        is_material = is_report and each.subject not in (Subject.USER, Subject.UNKNOWN)
        if is_material or (is_of_outsiders and each.subject is Subject.ANOTHER):
            found.add(each)
    return frozenset(found)


def only_wants(clause: Clause) -> bool:
    """Whether another asks for something in it: what follows is not told of them."""
    return clause.subject is Subject.ANOTHER and clause.is_named and says("wants", clause.text)


def grants(clause: Clause) -> bool:
    """Whether somebody says yes in it, and is named."""
    return clause.subject is Subject.ANOTHER and clause.is_named and says("granted", clause.text)


def shown_before(rounds: Sequence[Round]) -> Mapping[int, Wording]:
    """By a round's number, what tools put out in the answers before it."""
    found: dict[int, Wording] = {}
    shown: list[Wording] = []
    for each in rounds:
        found[each.number] = together(shown)
        shown += [wording_of(match[0]) for match in _SHOWN.finditer(each.assistant)]
    return found


def is_an_echo(clause: Clause, shown: Wording) -> bool:
    """Whether it says again what a tool has put out, and tells of nothing that the user did."""
    text = simplified(clause.text)
    is_told = clause.subject is Subject.USER or _HAN.search(text) is not None
    if clause.subject in _ACTS and (says("did", text) if is_told else _did(without_opening(text))):
        return False
    return any(stands_in(unit, shown) for unit in units_of(clause.text))

"""Who does what to whom: whether a fact gives to one what a clause says of the other."""

from __future__ import annotations

import re

from orca_core import words
from orca_core.rules.clauses.clause import Clause, Mood, Subject
from orca_core.rules.clauses.wording import each_of, find, has, match
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.wordings import shared, units_of

_OF_THEIRS = " 的"
"""What stands between the user and who is theirs."""


def is_said_of_another(claim: Claim, clause: Clause) -> bool:
    """Whether most of what a fact on the user alone shares with the clause stands in what that says beside another
    person, of them: "my sister who lives in Osaka", 在大阪读书的妹妹."""
    if not claim.is_of_the_user or any(not has("pets", found[0]) for found in each_of("people", claim.text)):
        return False
    tells_of_one = has("people", claim.text)
    of_another = [
        *(() if tells_of_one else each_of("beside_another", clause.text)),
        *each_of("is_of_another", clause.text),
    ]
    beside = " · ".join(found[0] for found in of_another)
    if not beside:
        return False
    rest = clause.text
    for found in of_another:
        rest = rest.replace(clause.text[found.start() : found.end()], " · ")
    of_them = [each for each in shared(claim.text, beside) if not shared(each, rest)]
    return bool(of_them) and 2 * len("".join(of_them)) >= len("".join(shared(claim.text, clause.text)))


def compares_otherwise(claim: Claim, clause: Clause) -> bool:
    """Whether a fact sets one above another, and the clause names only the other, or names both the other way about:
    "A is handier than B" of "B is far handier"."""
    for pattern in words.patterns("asserting.compared"):
        found = pattern.search(claim.text)
        if found is None:
            continue
        above, below = ({unit.text.casefold() for unit in units_of(found[side])} for side in ("above", "below"))
        first = _first_place(above - below, clause.text)
        other = _first_place(below - above, clause.text)
        return other is not None and (first is None or other < first)
    return False


def _first_place(named: set[str], text: str) -> int | None:
    """Where a text first names one of them."""
    spelled = text.casefold()
    return min((place for each in named if (place := spelled.find(each)) >= 0), default=None)


def turns_round(claim: Claim, clause: Clause) -> bool:
    """Whether the user does in the fact what was done to them in the clause: "Ann lent me …", "User lent Ann …"."""
    if _is_given_to_the_other(claim, clause) or _has_places_swapped(claim, clause):
        return True
    if clause.subject is Subject.USER:
        return _is_converse(claim, clause) if claim.is_of_the_user else _is_done_to_the_user(claim, clause)
    if not claim.is_of_the_user:
        return False
    acted_on = find("acted_on", clause.text)
    if acted_on is None:
        return False
    done, does = clause.text[: acted_on.start()].split()[-1:], claim.text.split()[:1]
    return bool(done and does and shared(does[0], done[0]))


def _is_converse(claim: Claim, clause: Clause) -> bool:
    """ "I lend Ann the van", "User borrows a van from Ann": the user does in the fact what the other one did."""
    for pair in words.patterns("asserting.converse"):
        does = {found.lastgroup for found in pair.finditer(clause.text)}
        told = {found.lastgroup for found in pair.finditer(claim.text)}
        if does and told and does.isdisjoint(told):
            return True
    return False


def _is_done_to_the_user(claim: Claim, clause: Clause) -> bool:
    """ "I give Ann a lift", "Ann gives User a lift": another does in the fact what the user does in the clause."""
    found = find("first_person", clause.text)
    if found is None or words.pattern("asserting.the_user").search(claim.fact.content) is None:
        return False
    does, done = claim.fact.content.split()[:2], clause.text[found.end() :].split()[:1]
    if len(does) < 2 or not done:
        return False
    is_another = does[0][:1].isupper() and bool(shared(does[0], clause.text[found.end() :]))
    return is_another and bool(shared(f"x {does[1]}", f"x {done[0]}") or does[1].rstrip("s") == done[0])


def _is_given_to_the_other(claim: Claim, clause: Clause) -> bool:
    """Whether the clause has it done for the user and the fact for another, or the other way round: 我给妹妹打钱,
    用户的妹妹给用户打钱. An order says what is done for nobody."""
    if claim.is_rule or clause.mood is Mood.ORDERED:
        return False
    for way in words.patterns("asserting.done_for"):
        said = {_is_for_the_user(found["whom"]) for found in way.finditer(clause.text)} - {None}
        told = {_is_for_the_user(found["whom"]) for found in way.finditer(claim.fact.content)} - {None}
        if said and told and said.isdisjoint(told):
            return True
    return False


def _has_places_swapped(claim: Claim, clause: Clause) -> bool:
    """Whether the one stands before the word, and the user behind it, and in the fact the other way round: "a gallery
    took six from me", "User took six from a gallery"; whoever it is, and whatever they do."""
    if claim.is_rule or clause.mood is Mood.ORDERED:
        return False
    content = claim.fact.content
    return any(
        _is_swapped(clause.text, typed, content, told)
        for way in words.patterns("asserting.beside")
        for typed in way.finditer(clause.text)
        for told in way.finditer(content)
    )


def _is_swapped(said: str, typed: re.Match[str], content: str, told: re.Match[str]) -> bool:
    user = words.pattern("asserting.the_user")
    before, told_before = said[: typed.start()], content[: told.start()]
    if _begins_with_the_user(typed["whom"]):
        is_theirs = user.search(told_before) is not None and user.match(told["whom"]) is None
        return is_theirs and _begins_alike(told["whom"], before)
    is_theirs = user.match(told["whom"]) is not None and user.match(told_before) is None
    return is_theirs and has("first_person", before) and _begins_alike(typed["whom"], told_before)


def _begins_with_the_user(whom: str) -> bool:
    """Whether it is the user; not one of theirs."""
    found = match("acted_on", whom) or match("first_person", whom)
    return found is not None and not has("people", whom[: found.end() + 4])


def _begins_alike(whom: str, text: str) -> bool:
    """Whether a text names whom this begins with."""
    found = shared(whom, text)
    return bool(found) and (found[0].isascii() or whom.lstrip().startswith(found[0]))


def _is_for_the_user(whom: str) -> bool | None:
    """Whether the user is named first there, or another; None where nobody is."""
    user = words.pattern("asserting.the_user").match(whom) or match("acted_on", whom) or match("first_person", whom)
    if user is not None and not user[0].endswith("s"):
        return match("people", whom[user.end() :].lstrip(_OF_THEIRS)) is None
    return False if has("people", whom) or whom[:1].isupper() else None

"""What the model looked up itself in a turn, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.recall import Injection, Item, LookUp
from orca_core.model.refs import Ref, plain_ref
from orca_tui.language import listed, with_detail
from orca_tui.marks import Marks
from orca_tui.text_rules import for_terminal, one_line
from orca_tui.words.health import cause_phrase
from orca_tui.words.memories import reason_phrase

LOOKUP_RULES = "lookups: "
"""The rules of an injection that begin so say how its look-ups ended; the others decided what came unasked."""
QUERY_CHARS = 48
"""Of a query so much is said where it shares a line. Chosen by hand."""


def looking_line(query: str) -> str:
    """That the model looks, and for what: `looking: postgres port …`"""
    begun = one_line(query, QUERY_CHARS)
    return with_detail(_("looking"), begun if begun.endswith("…") else f"{begun} …")


def lookup_phrase(lookup: LookUp, marks: Marks) -> str:
    """A look-up and how much it found, or that it could not: `looked up “postgres port” → 2`."""
    words = looked_up_words(lookup, QUERY_CHARS)
    if lookup.failed is not None:
        return with_detail(words, failure_words(lookup))
    return f"{words} {found_figure(lookup, marks)}"


def looked_up_words(lookup: LookUp, chars: int | None = None) -> str:
    """`looked up “postgres port”`, at most so many characters of the query."""
    query = " ".join(for_terminal(lookup.query).split()) if chars is None else one_line(lookup.query, chars)
    return query_words(query)


def query_words(query: str) -> str:
    """`looked up “postgres port”`, of a query as it is to stand there."""
    return _("looked up “{query}”").format(query=query)


def found_figure(lookup: LookUp, marks: Marks) -> str:
    """`→ 2`"""
    return f"{marks.arrow} {len(lookup.items)}"


def failure_words(lookup: LookUp) -> str:
    """Why nothing could be searched; empty where it could."""
    if lookup.failed is None:
        return ""
    return with_detail(_("memory could not be read"), cause_phrase(lookup.failed))


def new_items(injection: Injection) -> list[tuple[LookUp, Sequence[Item], Sequence[Ref]]]:
    """Each look-up with what it brought before the model, and with the names of what stood there already."""
    there = {item.ref for item in injection.injected}
    told: list[tuple[LookUp, Sequence[Item], Sequence[Ref]]] = []
    for lookup in injection.lookups:
        brought = [item for item in lookup.items if item.ref not in there]
        told.append((lookup, brought, [item.ref for item in lookup.items if item.ref in there]))
        there.update(item.ref for item in brought)
    return told


def stayed_out(injection: Injection) -> list[Item]:
    """What was left out and not looked up either: both would contradict each other."""
    found = {item.ref for item in injection.looked_up}
    return [item for item in injection.dropped if item.ref not in found]


def known_words(refs: Sequence[Ref]) -> str:
    """What a look-up found that stood before the model already; empty where there was nothing of it."""
    return with_detail(_("in already"), listed(f"#{plain_ref(ref)}" for ref in refs)) if refs else ""


def lookup_notes(injection: Injection) -> list[str]:
    """How its look-ups ended where they did not simply end: by the limit, by a failure, refused."""
    return [reason_phrase(rule) for rule in injection.rules if rule.startswith(LOOKUP_RULES)]


def rule_phrases(injection: Injection) -> list[str]:
    """The rules that decided what came unasked."""
    return [reason_phrase(rule) for rule in injection.rules if not rule.startswith(LOOKUP_RULES)]

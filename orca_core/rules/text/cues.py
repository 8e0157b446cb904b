"""Cues: short situations and questions in which a memory should come to mind. How they are cleaned, and their words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from orca_core.domain.errors import InvalidInput
from orca_core.rules.text.cleaning import clean_memory, cut
from orca_core.rules.text.terms import content_words, query_terms

MAX_CUES = 8
MAX_CUE_CHARS = 80
"""They bound the index and a row of an export. Chosen by hand."""
MAX_READ = 50
"""So many proposed cues of one memory are looked at at all. Chosen by hand."""
SHOWN_CHARS = 200
_FENCE = "```"


def cue_terms(cue: str) -> tuple[str, ...]:
    """The words that a cue is found by: those that a question of these words would look for."""
    return query_terms(cue).tokens


def clean_cue(text: str) -> str:
    """A cue on one line, without anything that a reader can not see, and without code fences."""
    return clean_memory(text[: 20 * MAX_CUE_CHARS].replace(_FENCE, " "))


def why_no_cue(cleaned: str, content: str) -> str:
    """Why a cleaned text can't be a cue of this memory; empty where it can. One without a word that tells anything is
    none, nor one that says what the memory says: that finds it anyway."""
    if len(cleaned) > MAX_CUE_CHARS:
        return "cue_too_long"
    return "" if cleaned != content and content_words(cleaned) else "cue_empty"


def fitting_cues(proposed: Iterable[object], content: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The first cues that fit, each once, at most `MAX_CUES`; and those that were left out, each with the reason.
    Repeated ones are not worth a word."""
    kept: dict[str, str] = {}
    left_out: list[tuple[str, str]] = []
    for each in islice(proposed, MAX_READ):
        cleaned = clean_cue(each) if isinstance(each, str) else ""
        if cleaned.casefold() in kept:
            continue
        why = why_no_cue(cleaned, content) or ("cue_over_limit" if len(kept) == MAX_CUES else "")
        if why:
            left_out.append((cut(cleaned, SHOWN_CHARS), why))
        else:
            kept[cleaned.casefold()] = cleaned
    return tuple(kept.values()), tuple(left_out)


def checked_cues(given: Iterable[str], content: str) -> tuple[str, ...]:
    """Cues that a person wrote, cleaned, each once. Raises InvalidInput for one that can be none, or for too many."""
    cleaned = dict.fromkeys(clean_cue(each) for each in given)
    for cue in cleaned:
        if len(cue) > MAX_CUE_CHARS:
            raise InvalidInput(
                template="a cue of {found} characters, at most {most}", found=len(cue), most=MAX_CUE_CHARS
            )
        if why_no_cue(cue, content):
            raise InvalidInput(
                template="no cue: {found}",
                hint="write a situation or a question that shares a word with what you will ask",
                found=cue,
            )
    if len(cleaned) > MAX_CUES:
        raise InvalidInput(template="{found} cues, at most {most}", found=len(cleaned), most=MAX_CUES)
    return tuple(cleaned)

"""Whether typed words turn from one thing to another of its sort: "I switched from Vim to Helix", 改用 pnpm 了.

Many things of a sort are used side by side. So a memory gives way only where the words name what they turn away from,
or where there is one of the sort at a time and the words say that it was changed; and where the two memories say the
same but for the two names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from orca_core import words
from orca_core.domain.memories import Memory, NewMemory
from orca_core.rules.clauses import tense
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.same_words import in_one_spelling

_LATIN = re.compile(r"[A-Za-z][\w.+#/-]*")
_HAN = re.compile("[㐀-鿿]+")


def turns_away_from(new: NewMemory, old: Memory) -> bool:
    """Whether the fact's typed words turn from what the old memory names to what the fact names."""
    ours, theirs = _bare(new.content), _bare(old.content)
    names = {_folded(each): concepts_of(each) for each in _LATIN.findall(ours)}
    old_names = {_folded(each): concepts_of(each) for each in _LATIN.findall(theirs)}
    added, gone = names.keys() - old_names.keys(), old_names.keys() - names.keys()
    if len(added) != 1 or len(gone) != 1 or _HAN.findall(ours) != _HAN.findall(theirs):
        return False
    [name], [old_name] = added, gone
    shared = names[name] & old_names[old_name]
    is_single = bool(shared & words.word_set("comparing.one_at_a_time"))
    told = tense.changes_told(new.origin.quote or "", new.content)
    return bool(shared) and any(_turns(clause, old_name, is_single=is_single) for clause in told)


def _turns(clause: Clause, old: str, *, is_single: bool) -> bool:
    named = {_folded(each) for each in _LATIN.findall(in_one_spelling(clause.instead_of))}
    if named:
        return old in named
    return is_single and words.pattern("time.turning").search(clause.text) is not None


@lru_cache(maxsize=1024)
def _bare(content: str) -> str:
    """What a memory says, without whom it speaks of, how it says so, and that it is so now."""
    bare = in_one_spelling(unicodedata.normalize("NFKC", content))
    for table in ("time.turning", "time.now", "comparing.change", "comparing.referring", "comparing.phrasing"):
        bare = words.pattern(table).sub(" ", bare)
    return bare


def _folded(name: str) -> str:
    return name.rstrip(".").casefold()

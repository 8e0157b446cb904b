"""Questions, wishes and pairs: texts that one rule alone decides about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sets.figures import Failure, Figure, bad, good

from orca_core.model.llm import Source, Span
from orca_core.rules.learning.similarity import agree, are_same
from orca_core.rules.requests.question_signs import recall_question
from orca_core.rules.requests.remember_and_forget import forget_request, remember_request

Rows = Sequence[dict[str, Any]]


def figures_of_questions(rows: Rows) -> list[Figure]:
    """Whether a question is one about what is known of the user."""
    true = [row for row in rows if row["recall"]]
    false = [row for row in rows if not row["recall"]]
    lost = [Failure("question", "is one", row["text"], "not found") for row in true if not _is_recall(row)]
    taken = [Failure("question", "is none", row["text"], "taken for one") for row in false if _is_recall(row)]
    return [good("questions found", lost, len(true)), bad("false questions taken", taken, len(false))]


def _is_recall(row: dict[str, Any]) -> bool:
    return recall_question(row["text"]) is not None


def figures_of_wishes(rows: Rows) -> list[Figure]:
    """What is to be remembered and forgotten, up to the punctuation at its end; what looks so and is none."""
    remember = [row for row in rows if row["remember"] is not None]
    forget = [row for row in rows if row["forget"] is not None]
    none = [row for row in rows if row["remember"] is None and row["forget"] is None]
    return [
        good("remember exact", _not_exact(remember, "remember"), len(remember)),
        good("forget exact", _not_exact(forget, "forget"), len(forget)),
        bad("false wishes taken", _not_exact(none, "none"), len(none)),
    ]


def _not_exact(rows: Rows, wish: str) -> list[Failure]:
    failures = []
    for row in rows:
        typed = (Span(row["text"], Source.TYPED),)
        found = (_bare(remember_request(typed)), _bare(forget_request(typed)))
        if found != (_bare(row["remember"]), _bare(row["forget"])):
            wanted = "no wish" if wish == "none" else f"{wish}: {row[wish]}"
            failures.append(Failure("wish", wanted, row["text"], f"remember: {found[0]}, forget: {found[1]}"))
    return failures


_WRAPPING = re.compile(
    r"^(?:(?:every|any)thing|all|what|whatever|the (?:thing|part|bit))?\s*"
    r"(?:(?:that )?(?:i|we)(?:'ve)? (?:said|told you|mentioned|wrote))?\s*(?:about|regarding|of)\s+"
    r"|^(?:我|我们)?(?:之前|上次|刚才)?(?:说过?的|讲过?的|提到?的)?(?:关于|關於|有关|有關)\s*"
    r"|(?:的)?(?:那件事|这件事|這件事|那事|这事|這事|的事情|的事|的一切|的所有事?)(?:情|儿)?$"
)


def _bare(text: str | None) -> str | None:
    """A wish without the words around it that name nothing ("everything about …", …那件事): whether they belong to
    it, those who wrote the sets did not agree."""
    if text is None:
        return None
    bare = " ".join(text.split()).rstrip("。.!！~～,，;；?？ ").casefold()
    return _WRAPPING.sub("", bare) or bare


def figures_of_pairs(rows: Rows) -> list[Figure]:
    """Whether two memories are merged, by rules alone or where a verifier who is right says that they are the same."""
    same = [row for row in rows if row["same"]]
    other = [row for row in rows if not row["same"]]
    lost = [_pair(row, "the same") for row in same if not _is_merged(row)]
    wrong = [_pair(row, "not the same") for row in other if _is_merged(row)]
    return [good("pairs found", lost, len(same)), bad("pairs merged wrongly", wrong, len(other))]


def _pair(row: dict[str, Any], truth: str) -> Failure:
    found = "agree" if agree(row["a"], row["b"]) else "differ"
    return Failure("pair", truth, f"{row['a']}  |  {row['b']}", found)


def _is_merged(row: dict[str, Any]) -> bool:
    return are_same(row["a"], row["b"]) or (row["same"] and agree(row["a"], row["b"]))

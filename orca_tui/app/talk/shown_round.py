"""One round as it is shown: what was asked and where its pieces came from, what was answered, what memory did."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content

from orca_core.model.feedback import ActionType
from orca_core.model.llm import Span
from orca_core.model.recall import Citation
from orca_core.model.records import Ref
from orca_core.model.sessions import Round, RoundState
from orca_tui.marks import Marks
from orca_tui.text_rules import join
from orca_tui.words.turn_words import ending_of

CALM = frozenset({"stopped", "left_open"})
"""Causes that are no error."""


class ShownRound(Struct):
    """A round in the transcript. `ending` tells how it ended where it did not end well, `unsaved` why it is not saved,
    as long as it is not; a `receipt` of None was not looked up yet; `usage` are the tokens of the latest answer, and
    what they cost."""

    number: int
    spans: tuple[Span, ...]
    answer: str = ""
    citations: tuple[Citation, ...] = ()
    reasoning: str = ""
    ending: str = ""
    is_error: bool = False
    unsaved: str = ""
    receipt: Content | None = None
    usage: str = ""
    was_cut: bool = False
    opinion: ActionType | None = None
    """Whether the user likes the answer, or does not."""
    below: str = ""
    """A line between this round and what is said after it: since when the chat rested."""

    @property
    def question(self) -> str:
        return join(self.spans)

    @property
    def cited(self) -> tuple[Ref, ...]:
        """What the answer names, each once, in their order."""
        return tuple(dict.fromkeys(each.ref for each in sorted(self.citations, key=lambda each: each.at)))


def shown_round_of(each: Round) -> ShownRound:
    """A round as the store has it."""
    words = ending_of(each)
    was_cut = each.state in (RoundState.INTERRUPTED, RoundState.FAILED)
    is_error = was_cut and each.cause is not None and each.cause.kind not in CALM
    return ShownRound(
        each.number,
        each.spans or (Span(each.user),),
        each.assistant,
        each.citations,
        ending=words if is_error or each.state is RoundState.DONE else f"— {words}",
        is_error=is_error,
        was_cut=was_cut,
    )


def cited(text: str, citations: tuple[Citation, ...], marks: Marks) -> str:
    """The answer with a small number where it used a memory; the receipt resolves it."""
    shown = text
    for citation in sorted(citations, key=lambda each: -each.at):
        shown = shown[: citation.at] + marks.citation(citation.ref) + shown[citation.at :]
    return shown

"""One round as it is shown: what was asked and where its pieces came from, what was answered, what memory did."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import gettext as _

from textual.content import Content

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Span
from orca_core.domain.recall import Citation
from orca_core.rules.spans import join
from orca_tui.language import N_
from orca_tui.marks import Marks

ENDINGS = {
    RoundState.INTERRUPTED: N_("— stopped"),
    RoundState.FAILED: N_("— failed"),
}


@dataclass(slots=True)
class Said:
    """A round in the transcript. `ending` tells how it ended where it did not end well; a `receipt` of None was not
    looked up yet; `usage` are the tokens of the latest answer, and what they cost."""

    number: int
    spans: tuple[Span, ...]
    answer: str = ""
    citations: tuple[Citation, ...] = ()
    reasoning: str = ""
    ending: str = ""
    is_error: bool = False
    receipt: Content | None = None
    usage: str = ""
    below: str = ""
    """A line between this round and what is said after it: since when the chat rested."""

    @property
    def question(self) -> str:
        return join(self.spans)

    @property
    def cited_ids(self) -> tuple[int, ...]:
        """The memories that the answer names, each once, in their order."""
        return tuple(dict.fromkeys(citation.id for citation in sorted(self.citations, key=lambda each: each.at)))


def said_in(each: Round) -> Said:
    """A round as the store has it."""
    ending = ENDINGS.get(each.state, "")
    spans = each.spans or (Span(each.user),)
    return Said(each.number, spans, each.assistant, each.citations, ending=_(ending) if ending else "")


def cited(text: str, citations: tuple[Citation, ...], marks: Marks) -> str:
    """The answer with a small number where it used a memory; the receipt resolves it."""
    shown = text
    for citation in sorted(citations, key=lambda each: -each.at):
        shown = shown[: citation.at] + marks.citation(citation.id) + shown[citation.at :]
    return shown

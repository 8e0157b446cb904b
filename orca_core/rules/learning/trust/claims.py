"""What a fact says of itself: of what kind it is, what it denies, of which time it speaks."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from orca_core import words
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.clauses.clause import Time
from orca_core.rules.clauses.reading import denied_in, read_clauses, time_of
from orca_core.rules.clauses.wording import has
from orca_core.rules.learning.trust.wordings import UnitKind, Wording, units_of, wording_of


class Claim(Struct, frozen=True, dict=True):
    """What a fact, in the script of the tables, says of itself; read once."""

    fact: ProposedFact

    @cached_property
    def text(self) -> str:
        """The fact without the one whom it is about."""
        return words.pattern("asserting.the_user").sub(" ", self.fact.content).strip()

    @cached_property
    def is_of_the_user(self) -> bool:
        """Whether it begins with the user."""
        return words.pattern("asserting.the_user_first").match(self.fact.content) is not None

    @cached_property
    def is_rule(self) -> bool:
        """Whether it says how the user wants to be answered."""
        is_instruction = MemoryType.INSTRUCTION in (self.fact.type, remembered_type(self.text))
        return is_instruction or words.pattern("asserting.to_the_assistant").search(self.fact.content) is not None

    @cached_property
    def denied(self) -> tuple[str, ...]:
        return denied_in(self.text)

    @cached_property
    def ends(self) -> bool:
        """Whether it says that something is no longer so."""
        return any(clause.ends for clause in read_clauses(self.text))

    @cached_property
    def time(self) -> Time:
        return time_of(self.text)

    @cached_property
    def is_open(self) -> bool:
        """Whether it speaks itself of a wish or a plan."""
        return has("wished", self.text) or has("planned", self.text) or self.time is Time.PLANNED

    @cached_property
    def is_of_the_past(self) -> bool:
        is_event = self.fact.type is MemoryType.EVENT
        return is_event or self.time is Time.PAST or has("past", self.text) or self.ends

    @cached_property
    def is_dated(self) -> bool:
        """Whether it tells of a day, on which something is to happen."""
        return any(unit.kind is UnitKind.DATE for unit in units_of(self.fact.content))

    @cached_property
    def is_to_come(self) -> bool:
        """Whether it tells of what happens on a day, and not that it has happened."""
        return self.fact.type is MemoryType.EVENT and self.is_dated and not has("happened", self.text)

    @cached_property
    def wording(self) -> Wording:
        return wording_of(self.fact.content)

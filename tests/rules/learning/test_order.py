"""In which order the facts of one answer are settled."""

from __future__ import annotations

from itertools import permutations

from fakes.proposals import fact
from msgspec.structs import replace

from orca_core.rules.learning.outcomes.order import in_order_said

LIVED = fact("User lives in Rome", "I live in Rome", rounds=(2,))
MOVED = fact("User lives in Bern", "I moved to Bern", replace="User lives in Rome", rounds=(2,))
LEFT = replace(fact("No longer so: User lives in Bern", "I left Bern", rounds=(4,)), retract="User lives in Bern")
UNQUOTED = fact("User has a cat", None, rounds=(1, 2, 3, 4))
ENDED = replace(fact("No longer so: User has a cat", None, rounds=(1, 2, 3, 4)), retract="User has a cat")
SAID_AGAIN = fact("User lives in Bern", "I am back in Bern", rounds=(3, 5))


def test_facts_are_settled_as_they_were_said() -> None:
    said = [UNQUOTED, LIVED, MOVED, LEFT, SAID_AGAIN]

    for answer in permutations(said):
        assert in_order_said(answer) == said


def test_an_end_without_a_quote_comes_after_what_it_may_name() -> None:
    for answer in permutations([UNQUOTED, LIVED, ENDED]):
        assert in_order_said(answer) == [UNQUOTED, LIVED, ENDED]


def test_facts_of_one_round_keep_the_order_of_the_answer() -> None:
    other = fact("User has a dog", "I have a dog", rounds=(2,))

    assert in_order_said([other, LIVED]) == [other, LIVED]
    assert in_order_said([LIVED, other]) == [LIVED, other]

"""When a second reader's doubt goes away: for new words that were read a second time, or need not be."""

from __future__ import annotations

import pytest
from fakes.proposals import fact, learnt
from msgspec.structs import replace

from orca_core.domain.memories import Added, Memory, State
from orca_core.domain.settling import Known
from orca_core.rules.learning.outcomes.settling import settle

VIM = "用户用 vim 写代码"
DOUBTED = learnt(1, VIM, (1,), "s", state=State.CANDIDATE, held_because="second_reader")
EXPIRED = replace(DOUBTED, state=State.REJECTED, held_because="expired: second_reader")
WEAK = replace(DOUBTED, held_because="weak_evidence")


@pytest.mark.parametrize(
    ("candidate", "rounds", "is_unread", "held", "becomes"),
    [
        (DOUBTED, (5,), False, None, Added.PROMOTED),
        (DOUBTED, (5,), True, None, Added.CONFIRMED),
        (DOUBTED, (5,), False, "second_reader", Added.CONFIRMED),
        (DOUBTED, (5,), False, "not_typed", Added.CONFIRMED),
        (DOUBTED, (1,), False, None, Added.CONFIRMED),
        (DOUBTED, (1,), True, None, Added.CONFIRMED),
        (EXPIRED, (5,), False, None, Added.RESTORED),
        (EXPIRED, (5,), True, None, None),
        (WEAK, (5,), True, None, Added.PROMOTED),
        (WEAK, (1,), False, None, Added.PROMOTED),
    ],
)
def test_a_doubt_goes_away_for_new_words_that_pass(
    candidate: Memory, rounds: tuple[int, ...], is_unread: bool, held: str | None, becomes: Added | None
) -> None:
    again = replace(fact(VIM, "我用 vim 写代码", rounds=rounds, held=held), is_unread=is_unread)
    settled = settle(again, Known((candidate,)))

    assert settled.known == candidate.id
    assert (settled.again.outcome if settled.again else None) is becomes
    lives = settled.again is not None and settled.again.changes.get("state") == State.LIVE
    assert lives is (becomes in (Added.PROMOTED, Added.RESTORED))


GUESS = "I guess I keep a giraffe"
GIRAFFE = learnt(1, "User has a giraffe", quote=GUESS, state=State.CANDIDATE, held_because="second_reader")


@pytest.mark.parametrize(
    ("candidate", "content", "quote", "is_unread", "stored"),
    [
        (GIRAFFE, "User keeps a giraffe", "i guess I  keep a giraffe", True, "candidate"),
        (GIRAFFE, "User owns an animal from Africa", GUESS, True, "candidate"),
        (GIRAFFE, "User keeps a giraffe", "I keep a giraffe", True, "candidate"),
        (replace(GIRAFFE, state=State.REJECTED, held_because="expired: second_reader"), "User keeps a giraffe", GUESS,
         True, "candidate"),
        (GIRAFFE, "User keeps a giraffe", GUESS, False, "live"),
        (GIRAFFE, "User keeps a giraffe", "there is a giraffe in my garden", True, "live"),
        (GIRAFFE, "User lives in Lyon", GUESS + ", and I live in Lyon", True, "live"),
        (replace(GIRAFFE, held_because="weak_evidence"), "User keeps a giraffe", GUESS, True, "live"),
    ],
)  # fmt: skip
def test_a_doubt_goes_over_to_what_nobody_read_on_the_same_words(
    candidate: Memory, content: str, quote: str, is_unread: bool, stored: str
) -> None:
    settled = settle(replace(fact(content, quote), is_unread=is_unread), Known((candidate,)))

    assert settled.store is not None
    assert settled.store.state == stored
    assert settled.store.held_because == ("second_reader" if stored == "candidate" else None)

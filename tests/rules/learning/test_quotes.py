"""A quote is shown where it was typed in the rounds that a memory came from, and as it was typed there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.model.llm import Source, Span
from orca_core.model.memories import Elsewhere, Origin, OriginKind
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning.typed_sources import with_typed_quote

SPANS = (
    Span('I love dark chocolate. My boss wrote "ACME is the best of them all". I like '),
    Span("bananas, says the page", Source.PASTED),
    Span(" figs"),
)
ROUND = Round(
    1, "s", 1, 1, "".join(span.text for span in SPANS), SPANS, "Noted.", RoundState.DONE, datetime(2026, 11, 20, tzinfo=UTC)
)  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("I love dark chocolate", "I love dark chocolate"),
        ("i LOVE  darkchocolate", "I love dark chocolate"),
        ("I love milk chocolate", None),
        ("bananas, says the page", None),
        ("ACME is the best of them all", None),
        ("I like figs", None),
        ("I like \ufffc figs", None),
        ("Noted.", None),
        ("", None),
        (None, None),
    ],
)
def test_a_quote_is_shown_as_it_was_typed(kept: str | None, shown: str | None) -> None:
    known = memory(id=1, content="x", origin=Origin(OriginKind.EXTRACTION, "s", (1,), kept))

    assert (with_typed_quote(known, [ROUND]).origin.quote or None) == shown


def test_what_nobody_sees_is_shown_by_its_number() -> None:
    said = "I love d\u200bark chocolate"
    round_ = replace(ROUND, user=said, spans=(Span(said),))
    known = memory(id=1, content="x", origin=Origin(OriginKind.EXTRACTION, "s", (1,), "I love dark chocolate"))

    assert with_typed_quote(known, [round_]).origin.quote == "I love d⟨U+200B⟩ark chocolate"


def test_without_its_rounds_a_quote_is_not_shown() -> None:
    known = memory(id=1, content="x", origin=Origin(OriginKind.EXTRACTION, "s", (1,), "I love dark chocolate"))

    assert with_typed_quote(known, []).origin.quote is None


def test_what_was_read_in_a_chat_elsewhere_is_shown_though_no_round_is_here() -> None:
    origin = Origin(OriginKind.IMPORT, quote="I live in Rome")

    read = memory(origin=origin, elsewhere=Elsewhere("chatgpt", "Moving"))
    claimed = memory(origin=origin)

    assert with_typed_quote(read, ()).origin.quote == "I live in Rome"
    assert with_typed_quote(claimed, ()).origin.quote is None

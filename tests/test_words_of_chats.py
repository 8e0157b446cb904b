"""A chat as Markdown: each round stands by itself, whatever its texts begin and do not end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.rules.text.cleaning import for_terminal
from orca_tui.words.turn_words import chat_markdown

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PIECES = st.sampled_from(
    ["```", "~~~~", "````", "`", "\n", "py", " ", "    ", "> ", "x", "<!--", "-->", "\u2028", "\r\n", "\x1b"]
)


def document(*rounds: tuple[str, str], title: str = "a title", spans: tuple[Span, ...] = ()) -> str:
    made = [
        Round(number, "s", number, 1, question, spans or (Span(question),), answer, RoundState.DONE, AT, "m")
        for number, (question, answer) in enumerate(rounds, start=1)
    ]
    return chat_markdown(Session("s", title, AT, len(made)), made)


def headings(text: str) -> list[str]:
    """Lines that are headings to a reader of Markdown: outside fences, in which only their like ends them."""
    found, fence = [], ""
    for line in text.split("\n"):
        bare = line.lstrip(" ") if len(line) - len(line.lstrip(" ")) < 4 else ""
        sign = bare[:1]
        length = len(bare) - len(bare.lstrip(sign)) if sign in "`~" and sign else 0
        if fence:
            if sign == fence[0] and length >= len(fence) and not bare[length:].strip():
                fence = ""
        elif length >= 3 and not (sign == "`" and "`" in bare[length:]):
            fence = sign * length
        elif line.startswith("#"):
            found.append(line)
    assert not fence
    return found


def test_a_chat_reads_as_a_document() -> None:
    text = document(("how?", "so:\n\n```py\nx = 1\n```"), ("and then?", "done"))
    day = f"{AT.astimezone():%Y-%m-%d %H:%M}"
    assert text.startswith(
        f"# a title\n\n*{day} · 2 rounds · s*\n\n## 1 · {day}\n\n**You**\n\nhow?\n\n**Answer** (m)\n\nso:"
    )
    assert "```py\nx = 1\n```" in text
    assert text.endswith("done\n")


def test_a_fence_that_is_left_open_is_closed_before_the_next_round() -> None:
    text = document(("```", "~~~~sh\n# no heading\n~~~"), ("# a heading", "x"))
    assert [line[:4] for line in headings(text)] == ["# a ", "## 1", "## 2", "# a "]
    assert "~~~~sh\n# no heading\n~~~\n~~~~\n" in text


def test_what_was_pasted_stands_in_a_block_of_its_own() -> None:
    pasted = Span("line 1\n```\nline 2\n", Source.PASTED)
    text = document(("ignored", ""), spans=(Span("look: "), pasted, Span("short", Source.PASTED), Span(" why?")))
    assert "look: \n\n````text\nline 1\n```\nline 2\n````\n\nshort why?" in text
    assert "Answer" not in text


@pytest.mark.parametrize(
    "hiding", ["<!-- a", "  <script>", "<pre>", "<?php", "<![CDATA[", "<!DOCTYPE html>", "</style>"]
)
def test_no_html_hides_what_follows(hiding: str) -> None:
    assert "\\<" in document((hiding, "x"))
    assert f"```\n{hiding}\n```" in document((f"```\n{hiding}\n```", "x"))


def test_a_title_is_text_alone() -> None:
    assert document(title="[x](y) <b> *z*").startswith("# \\[x\\](y) \\<b\\> \\*z\\*\n")


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=12).map("".join))
def test_every_round_has_its_heading_and_nothing_unclean_is_in_it(question: str, answer: str) -> None:
    text = document((question, answer), ("y", "z"))
    assert [line[:4] for line in headings(text)] == ["# a ", "## 1", "## 2"]
    assert for_terminal(text) == text

"""Answers as lines: Markdown laid out once and for all, word by word or in one piece."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from orca_tui.app.chat.markdown_lines import MarkdownLines, code_blocks, wrap
from orca_tui.marks import ASCII_MARKS, UNICODE_MARKS

EVERYTHING = """# A plan
First **some** text with `code`, long enough that it takes a second line.
and what stood on a line of its own

> Said before, and long enough as well that it takes a second line.

- the first, with *stress*, long enough that it takes a second line on a narrow screen
- the second
  - below it

    and more of it
- [ ] open
- [x] done

1. one

2. two
   ```python
   print("two")
   ```

| name | value |
| --- | ---: |
| one | 1 |
| [docs](http://a.b/c) | 2 |

***

~~~
a line of code that is longer than the answer is wide, so it goes on beyond its place
~~~
中文的句子在任何两个字之间都可以换行，但是标点不站在行首。
<b>html</b> is text, ~~gone~~ is struck, [bare](http://bare.example) <http://auto.example>
"""


def plain(source: str, width: int = 40) -> list[str]:
    return [line.content.plain.rstrip() for line in MarkdownLines(source, UNICODE_MARKS).lines(width)]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("# Title #\ntext", ["Title", "text"]),
        ("one\n\ntwo", ["one", "", "two"]),
        ("one\ntwo  \nthree", ["one", "two", "three"]),
        ("say `x = [1]` **now** or *not* ~~ever~~", ["say x = [1] now or not ever"]),
        ("[Python](https://python.org) <https://a.b>", ["Python (https://python.org) https://a.b"]),
        ("![a cat](cat.png)", ["a cat (cat.png)"]),
        ("see [it][1]\n\n[1]: http://a.b", ["see it (http://a.b)"]),
        ("- a\n- b\n  - c\n    - d", ["• a", "• b", "  ◦ c", "    ▪ d"]),
        ("- a\n\n- b", ["• a", "", "• b"]),
        ("9. nine\n10. ten", [" 9. nine", "10. ten"]),
        ("- [ ] open\n- [x] done\n- [y] neither", ["☐ open", "☑ done", "• [y] neither"]),
        ("> so he said\n> twice", ["▏ so he said", "▏ twice"]),
        ("```py\nx = 1\n\ny = 2\n```", ["  x = 1", "", "  y = 2"]),
        ("```\nnot closed", ["  not closed"]),
        ("    indented", ["  indented"]),
        ("a\n\n---\n\nb", ["a", "", "─" * 40, "", "b"]),
        ("| a | n |\n|---|--:|\n| x | 12 |\n| yy | 3 |", ["a    n", "──  ──", "x   12", "yy   3"]),
        ("| a | b |\n|---|---|\n| only one |", ["a         b", "────────  ─", "only one"]),
        ("<details>\nhidden\n</details>", ["<details>", "hidden", "</details>"]),
        ("[red]no markup[/x] [@click=app.quit]x[/]", ["[red]no markup[/x] [@click=app.quit]x[/]"]),
        ("-", ["•"]),
        ("", []),
    ],
)  # fmt: skip
def test_markdown_is_laid_out(source: str, lines: list[str]) -> None:
    assert plain(source) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("```go\n\tx := 1\n```", ["      x := 1"]),
        ("a\tb `c\td`", ["a    b c    d"]),
        ("a&#x202e;b&#xE0041;c&#10;d&#9;e", ["abc d    e"]),
        ("\n".join(f"{'  ' * depth}- a{depth}" for depth in range(12)), None),
        ("*" * 600 + "a" + "*" * 600, None),
        (">" * 90 + " deep", None),
    ],
    ids=["tabs of code", "tabs", "entities", "deep lists", "deep stress", "deep quotes"],
)
def test_what_models_write_by_mistake_is_drawn(source: str, lines: list[str] | None) -> None:
    shown = plain(source, 200)
    if lines is None:
        assert ("a11" in source) == any("a11" in line for line in shown)
        assert "".join(shown).strip("▏ *") != ""
    else:
        assert shown == lines


def test_without_unicode_signs_are_ascii() -> None:
    source = "- a\n- [x] b\n  - c\n\n> d\n\n---\n\n| t |\n|---|\n"
    lines = [line.content.plain for line in MarkdownLines(source, ASCII_MARKS).lines(5)]
    assert lines == ["  * a", "[x] b", "    - c", "", "| d", "", "-----", "", "t", "-"]


def test_cells_of_a_wide_table_are_wrapped() -> None:
    source = "| what | why |\n|---|---|\n| short | a reason that needs more room than there is |"
    assert plain(source, 30) == [
        "what   why",
        "─────  ───────────────────────",
        "short  a reason that needs",
        "       more room than there is",
    ]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("extraordinary", 5, ["extra", "ordin", "ary"]),
        ("我用的是编辑器，写代码", 14, ["我用的是编辑", "器，写代码"]),
        ("我用的是（编辑器）", 10, ["我用的是", "（编辑器）"]),
        ("用 neovim 写 Go", 11, ["用 neovim", "写 Go"]),
        ("家族👩‍👩‍👧在一起", 6, ["家族👩‍👩‍👧", "在一起"]),
        ("trailing   blanks", 9, ["trailing", "blanks"]),
    ],
)
def test_lines_break_where_a_reader_expects_it(text: str, width: int, lines: list[str]) -> None:
    assert [part.plain.rstrip() for part, _joint in wrap(Content(text), width)] == lines


@given(st.text(alphabet="ab 中，（", max_size=60), st.integers(2, 20))
def test_wrapping_loses_nothing_and_fits(text: str, width: int) -> None:
    parts = wrap(Content(text), width)
    assert "".join(part.plain for part, _joint in parts).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(part.plain.rstrip()) <= width for part, _joint in parts)


@pytest.mark.parametrize("size", [1, 7, 50])
def test_what_grows_looks_as_what_is_whole(size: int) -> None:
    growing = MarkdownLines("", UNICODE_MARKS)
    for at in range(0, len(EVERYTHING), size):
        growing.append(EVERYTHING[at : at + size])
        growing.lines(40)
    assert growing.lines(40) == MarkdownLines(EVERYTHING, UNICODE_MARKS).lines(40)


@given(st.text(alphabet="ab*_`#-1.>|[]()~ \n", max_size=80), st.integers(1, 9))
def test_no_text_breaks_the_layout(source: str, size: int) -> None:
    growing = MarkdownLines("", UNICODE_MARKS)
    for at in range(0, len(source), size):
        growing.append(source[at : at + size])
        growing.lines(12)
    growing.become(source)
    assert growing.lines(12) == MarkdownLines(source, UNICODE_MARKS).lines(12)


def test_what_is_settled_is_not_laid_out_again() -> None:
    growing = MarkdownLines("one\n\ntwo\n\nthree", UNICODE_MARKS)
    first = growing.lines(40)[0]
    growing.append(" and more\n\nfour")
    assert growing.lines(40)[0] is first
    assert growing.tail_chars < len("three and more\n\nfour") + 1


def test_code_is_found_wherever_it_stands() -> None:
    assert code_blocks("```py\nx = 1\n```\n- item\n  ```\n  y\n  ```\n\n~~~\nz\n~~~") == ["x = 1", "y", "z"]

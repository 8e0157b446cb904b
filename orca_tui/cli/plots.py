"""Figures drawn as SVG, readable on light and on dark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from orca_core.domain.errors import InvalidInput

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 200, 40, 34, 40
BAR, GAP = 12, 14
COLOURS = ("#c0563f", "#2f81a8", "#8a7a2f", "#7a7a7a")


class Bar(Struct, frozen=True):
    """A value from 0 to 1, and a thin line from one value to another behind it."""

    value: float
    low: float
    high: float

    @classmethod
    def plain(cls, value: float) -> Bar:
        """A bar without a line."""
        return cls(value, value, value)


def bar_plot(groups: Mapping[str, Sequence[Bar]], series: Sequence[str], caption: str) -> str:
    """Groups of lying bars, in each one of every series."""
    group_height = len(series) * BAR + GAP
    height = TOP + len(groups) * group_height + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
        ' font-size="12" fill="#808080">',
        *_legend(series),
        *_scale(height),
    ]
    for place, (name, bars) in enumerate(groups.items()):
        top = TOP + place * group_height
        middle = top + len(bars) * BAR / 2 + 4
        parts.append(f'<text x="{LEFT - 10}" y="{middle:.1f}" text-anchor="end">{escape(name)}</text>')
        for number, bar in enumerate(bars):
            parts += _bar(bar, top + number * BAR, COLOURS[number % len(COLOURS)])
    parts.append(f'<text x="{_x(0.5):.1f}" y="{height - 6}" text-anchor="middle">{escape(caption)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(share: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _bar(bar: Bar, top: float, colour: str) -> Iterator[str]:
    middle = top + BAR / 2
    yield f'<line x1="{_x(bar.low):.1f}" x2="{_x(bar.high):.1f}" y1="{middle}" y2="{middle}" stroke="{colour}"/>'
    yield (
        f'<rect x="{LEFT}" y="{top + 1.5}" width="{_x(bar.value) - LEFT:.1f}" height="{BAR - 3}" fill="{colour}"'
        ' fill-opacity="0.6"/>'
    )


def _legend(series: Sequence[str]) -> Iterator[str]:
    at = LEFT
    for number, name in enumerate(series):
        yield f'<text x="{at}" y="18" fill="{COLOURS[number % len(COLOURS)]}">{escape(name)}</text>'
        at += 20 + 8 * len(name)


def _scale(height: int) -> Iterator[str]:
    for percent in range(0, 101, 20):
        at = _x(percent / 100)
        yield f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 6}" y2="{height - BOTTOM}" stroke="#80808040"/>'
        yield f'<text x="{at:.1f}" y="{height - BOTTOM + 16}" text-anchor="middle">{percent}</text>'


def write_svg(path: Path, drawn: str) -> None:
    """Write a plot. Raises InvalidInput where the file can't be written."""
    try:
        path.write_text(drawn, "utf-8")
    except OSError as error:
        detail = error.strerror or str(error)
        raise InvalidInput(template="{path} can not be written: {detail}", path=str(path), detail=detail) from error

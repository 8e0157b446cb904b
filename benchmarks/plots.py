"""Line plots as SVG, readable on light and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 20, 44
A_LINE = 14
"""So far apart names stand at least."""
COLOURS = ("#c0563f", "#2f81a8", "#7a7a7a")


def line_plot(series: Mapping[str, Sequence[float]], *, x: str, y: str) -> str:
    """Each series by its index, from 1."""
    most = max(max(values) for values in series.values())
    step = _step(most)
    top = -(-most // step) * step
    count = max(len(values) for values in series.values())
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12" fill="#808080">'
    ]
    for tick in range(0, int(top) + 1, int(step)):
        at = TOP + inner_height * (1 - tick / top)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#80808040"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{tick:,}</text>')
    for tick in range(0, count + 1, 50):
        at = LEFT + inner_width * tick / count
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{tick}</text>')
    parts.append(f'<text x="{LEFT + inner_width / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x}</text>')
    parts.append(f'<text x="14" y="{TOP + inner_height / 2}" transform="rotate(-90 14 {TOP + inner_height / 2})"'
                 f' text-anchor="middle">{y}</text>')  # fmt: skip
    for (name, values), colour in zip(series.items(), COLOURS, strict=False):
        points = " ".join(
            f"{LEFT + inner_width * (index + 1) / count:.1f},{TOP + inner_height * (1 - value / top):.1f}"
            for index, value in enumerate(values)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        end = TOP + inner_height * (1 - values[-1] / top)
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{end + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def growth_plot(series: Mapping[str, Mapping[float, float]], *, x: str, y: str) -> str:
    """Each series by size, both axes by powers of ten."""
    sizes = [math.log10(size) for values in series.values() for size in values]
    heights = [math.log10(value) for values in series.values() for value in values.values()]
    left, right = math.floor(min(sizes)), math.ceil(max(sizes))
    low, high = math.floor(min(heights)), math.ceil(max(heights))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def across(power: float) -> float:
        return LEFT + inner_width * (power - left) / (right - left)

    def down(power: float) -> float:
        return TOP + inner_height * (1 - (power - low) / (high - low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12" fill="#808080">'
    ]
    for power in range(low, high + 1):
        at = down(power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#80808040"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for power in range(left, right + 1):
        parts.append(
            f'<text x="{across(power):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>'
        )
    parts.append(f'<text x="{LEFT + inner_width / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x}</text>')
    parts.append(f'<text x="14" y="{TOP + inner_height / 2}" transform="rotate(-90 14 {TOP + inner_height / 2})"'
                 f' text-anchor="middle">{y}</text>')  # fmt: skip
    ends: dict[str, tuple[float, str]] = {}
    for (name, values), colour in zip(series.items(), COLOURS, strict=False):
        points = [(across(math.log10(size)), down(math.log10(value))) for size, value in values.items()]
        drawn = " ".join(f"{x_at:.1f},{y_at:.1f}" for x_at, y_at in points)
        parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        ends[name] = (points[-1][1] + 4, colour)
    lowest = -math.inf
    for name, (end, colour) in sorted(ends.items(), key=lambda each: each[1]):
        lowest = max(end, lowest + A_LINE)
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{lowest:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _step(most: float) -> float:
    """A round distance between lines, for about five of them."""
    step = 1.0
    while most / step > 6:
        step *= 2.5 if str(step)[0] == "2" else 2
    return step

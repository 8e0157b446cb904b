"""All figures of a folder of sets, and what has to be reached on one that nobody tuned on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from sets.facts import FOREIGN, NO_QUOTES, READERS, figures_of_facts, figures_of_pastes
from sets.figures import Bound, Figure, at_least_share, at_most, at_most_share
from sets.pastes import LENGTHS
from sets.reading import SetFolder
from sets.recall import figures_of_histories, play_all
from sets.texts import figures_of_pairs, figures_of_questions, figures_of_wishes

Measure = Callable[[SetFolder, Path], Awaitable[list[Figure]]]
"""Measures a folder; the other is an empty one, for databases."""


async def measure_facts(folder: SetFolder, _home: Path) -> list[Figure]:
    return figures_of_facts(folder.conversations())


async def measure_pastes(folder: SetFolder, _home: Path) -> list[Figure]:
    return figures_of_pastes(folder.conversations())


async def measure_histories(folder: SetFolder, home: Path) -> list[Figure]:
    return figures_of_histories(await play_all(folder.histories(), home))


async def measure_texts(folder: SetFolder, _home: Path) -> list[Figure]:
    return [
        *figures_of_questions(folder.rows("questions")),
        *figures_of_wishes(folder.rows("wishes")),
        *figures_of_pairs(folder.rows("pairs")),
    ]


MEASURES: Mapping[str, Measure] = {
    "facts": measure_facts,
    "pastes": measure_pastes,
    "histories": measure_histories,
    "texts": measure_texts,
}

_FALSE_LIVE = dict(zip(READERS, (0.12, 0.02, 0.04), strict=True))
_HONEST_HELD = dict(zip(READERS, (0.05, 0.05, 0.12), strict=True))

MUST_REACH: Mapping[str, Bound] = {
    **{f"false live: {reader}": at_most_share(share) for reader, share in _FALSE_LIVE.items()},
    **{f"false live: {reader}{NO_QUOTES}": at_most_share(share) for reader, share in _FALSE_LIVE.items()},
    **{f"{why} live: rules{suffix}": at_most(0) for why in FOREIGN for suffix in ("", NO_QUOTES)},
    **{f"honest held: {reader}": at_most_share(share) for reader, share in _HONEST_HELD.items()},
    f"honest held: rules{NO_QUOTES}": at_most_share(0.25),
    **{f"honest held more: pasted {length:,}": at_most_share(0.04) for length in LENGTHS},
    "named changes carried out": at_least_share(0.9),
    "newest recalled": at_least_share(0.9),
    "forget proposals exact": at_least_share(1),
    "facts merged wrongly": at_most(0),
    "false questions taken": at_most_share(0.05),
    "forget exact": at_least_share(1),
    "pairs merged wrongly": at_most(0),
}


async def measured(folder: SetFolder, measure: str, home: Path) -> list[Figure]:
    """The figures of one measure, where the folder has something that is counted."""
    return [figure for figure in await MEASURES[measure](folder, home) if figure.of]


def is_of_a_kind(figure: Figure) -> bool:
    """Whether it counts one kind of false facts."""
    return " live: " in figure.name and not figure.name.startswith("false live")


def is_bounded(figure: Figure) -> bool:
    """Whether it is held to a bound: of the kinds only those that must reach one."""
    return figure.name in MUST_REACH or not is_of_a_kind(figure)

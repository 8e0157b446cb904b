"""All figures of a folder of sets, and what has to be reached on one that nobody tuned on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from sets import verifiers
from sets.facts import CARELESS, NO_QUOTES, RECORDED, RIGHT, figures_of_facts, figures_of_pastes
from sets.figures import PART, Bound, Figure, at_least_share, at_most, at_most_share
from sets.pastes import LENGTHS
from sets.reading import SetFolder
from sets.recall import figures_of_histories, play_all
from sets.texts import figures_of_pairs, figures_of_questions, figures_of_wishes
from sets.verifiers import Recorded, recorded_of

Measure = Callable[[SetFolder, Path, Recorded], Awaitable[list[Figure]]]
"""Measures a folder with the answers that were recorded for it, if there are any; the other folder is an empty one, for
databases."""


async def measure_facts(folder: SetFolder, _home: Path, recorded: Recorded) -> list[Figure]:
    return figures_of_facts(folder.conversations(), recorded)


async def measure_pastes(folder: SetFolder, _home: Path, _recorded: Recorded) -> list[Figure]:
    return figures_of_pastes(folder.conversations())


async def measure_histories(folder: SetFolder, home: Path, recorded: Recorded) -> list[Figure]:
    """With the verifier that is right, and with the recorded one where sessions were recorded."""
    histories = folder.histories()
    figures = figures_of_histories(await play_all(histories, home / RIGHT, verifiers.right), RIGHT)
    if recorded.has_sessions:
        figures += figures_of_histories(await play_all(histories, home / RECORDED, recorded), RECORDED)
    return figures


async def measure_texts(folder: SetFolder, _home: Path, _recorded: Recorded) -> list[Figure]:
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

MUST_REACH: Mapping[str, Bound] = {
    **{
        bound: limit
        for suffix in ("", NO_QUOTES)
        for bound, limit in {
            f"false live: {RECORDED}{suffix}": at_most_share(0.01),
            f"false live: {CARELESS}{suffix}": at_most_share(0.04),
            f"honest held: {RECORDED}{suffix}": at_most_share(0.04),
            **{f"untyped live: {reader}{suffix}": at_most(0) for reader in (RIGHT, RECORDED)},
        }.items()
    },
    **{f"honest held more: pasted {length:,}": at_most_share(0.04) for length in LENGTHS},
    **{
        f"{name}: {reader}": bound
        for reader in (RIGHT, RECORDED)
        for name, bound in {
            "changed and retracted resolved": at_least_share(0.95),
            "said again merged": at_least_share(0.95),
            "what rests is kept": at_least_share(1),
            "newest recalled": at_least_share(0.9),
            "forget proposals exact": at_least_share(1),
            "facts merged wrongly": at_most(0),
            "wrong replacements": at_most(0),
            "false facts in sequences taken": at_most_share(0.01),
        }.items()
    },
    "false questions taken": at_most_share(0.05),
    "forget exact": at_least_share(1),
    "pairs merged wrongly": at_most(0),
}


async def measured(folder: SetFolder, measure: str, home: Path, recorded: Recorded | None = None) -> list[Figure]:
    """The figures of one measure, where the folder has something that is counted."""
    by = recorded_of(folder.path) if recorded is None else recorded
    return [figure for figure in await MEASURES[measure](folder, home, by) if figure.of]


def is_of_a_kind(figure: Figure) -> bool:
    """Whether it counts one kind of false facts."""
    return " live: " in figure.name and not figure.name.startswith(("false live", "untyped live", PART))


def is_bounded(figure: Figure) -> bool:
    """Whether it is held to a bound: of the kinds only those that must reach one."""
    return figure.name in MUST_REACH or not is_of_a_kind(figure)

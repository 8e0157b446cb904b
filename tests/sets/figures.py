"""What is counted, each failure as a line, and the bounds that a figure is held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

PART = "- of them "
"""Begins the name of a figure whose failures the one before it has, too."""


class Failure(Struct, frozen=True):
    """One thing that came out wrong: where, why it is false or what was wanted, how it came out, and in what was
    typed."""

    where: str
    why: str
    content: str
    outcome: str
    quote: str = ""
    typed: str = ""

    def __str__(self) -> str:
        told = {"content": self.content, "quote": self.quote, "typed": self.typed, "came out": self.outcome}
        lines = [f"      {name:9}{' '.join(text.split())}" for name, text in told.items() if text]
        return "\n".join([f"  {self.where} · {self.why}", *lines])


class Figure(Struct, frozen=True):
    """So many `of` so many. `failures` are those that were counted, or where `is_good` the others."""

    name: str
    count: float
    of: int
    failures: tuple[Failure, ...] = ()
    is_good: bool = False

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    def __str__(self) -> str:
        count = f"{self.count:g}" if self.count == int(self.count) else f"{self.count:.1f}"
        return f"{count} of {self.of} ({self.share:.1%})"


class Bound(Struct, frozen=True):
    """How much a figure may be, or must: a share of all, or a number of cases."""

    sign: str
    limit: float
    is_share: bool = False

    def holds(self, figure: Figure) -> bool:
        value = figure.share if self.is_share else figure.count
        if not figure.of:
            return True
        return value <= self.limit + 1e-9 if self.sign == "≤" else value >= self.limit - 1e-9

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:.0%}" if self.is_share else f"{self.sign} {self.limit:g}"


def at_most(limit: float) -> Bound:
    return Bound("≤", limit)


def at_least(limit: float) -> Bound:
    return Bound("≥", limit)


def at_most_share(limit: float) -> Bound:
    return Bound("≤", limit, is_share=True)


def at_least_share(limit: float) -> Bound:
    return Bound("≥", limit, is_share=True)


def bad(name: str, failures: Iterable[Failure], of: int) -> Figure:
    """A figure of what went wrong."""
    found = tuple(failures)
    return Figure(name, len(found), of, found)


def good(name: str, failures: Iterable[Failure], of: int) -> Figure:
    """A figure of what went well; the failures are the rest."""
    found = tuple(failures)
    return Figure(name, of - len(found), of, found, is_good=True)


def listing(figures: Sequence[Figure], only: str = "") -> str:
    """Every failure of the figure of that name, or of the figures whose name holds it."""
    named = [each for each in figures if each.name == only] or [each for each in figures if only in each.name]
    named = [each for each in named if only or not each.name.startswith(PART)]
    chosen = [each for each in named if each.failures]
    return "\n\n".join("\n".join([f"{each.name}: {each}", *map(str, each.failures)]) for each in chosen)

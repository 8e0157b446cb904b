"""What is said several times in a file is brought in once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from orca_core.domain.errors import InvalidInput
from orca_core.domain.foreign import Brought
from orca_core.rules.text.statements import statement

MOST = 50_000
"""More than anybody decides of."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class Folded:
    """A memory with the places of the file that say the same. It was said when it was said last."""

    brought: Brought
    places: list[str] = field(default_factory=list)
    """Where it is said again; of many only so many are kept."""
    count: int = 1


class Folding:
    """Takes what is brought, one after the other, and keeps of the same words one."""

    def __init__(self) -> None:
        self._by_words: dict[str, Folded] = {}

    def take(self, brought: Brought) -> Folded:
        """What it is folded into: a new one, or one that says it already."""
        words = statement(brought.content) or brought.content
        known = self._by_words.get(words)
        if known is None:
            if len(self._by_words) >= MOST:
                raise InvalidInput(
                    template="the file holds more than {most} memories",
                    hint="split it, and import its parts",
                    most=MOST,
                )
            self._by_words[words] = Folded(brought)
            return self._by_words[words]
        known.count += 1
        if len(known.places) < _MOST_PLACES:
            known.places.append(brought.place)
        if (brought.said_at or _NEVER) > (known.brought.said_at or _NEVER):
            known.brought = replace(known.brought, said_at=brought.said_at, chat=brought.chat, quote=brought.quote)
        return known

    @property
    def folded(self) -> Iterable[Folded]:
        """All of them, in the order in which they were first said."""
        return self._by_words.values()


_MOST_PLACES = 20

"""What is said several times in a file is offered in once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import Offered
from orca_core.rules.text.statements import statement

MOST = 50_000
"""More than anybody decides of."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class Folded(Struct):
    """A memory with the places of the file that say the same. It was said when it was said last."""

    offered: Offered
    places: list[str] = field(default_factory=list)
    """Where it is said again; of many only so many are kept."""
    count: int = 1


class Folding:
    """Takes what is offered, one after the other, and keeps of the same words, and of the same name, one."""

    def __init__(self) -> None:
        self._by_words: dict[str, Folded] = {}
        self._by_name: dict[str, Folded] = {}

    def take(self, offered: Offered) -> Folded:
        """What it is folded into: a new one, or one that says it already."""
        words = statement(offered.content) or offered.content
        known = self._by_words.get(words) or self._by_name.get(offered.uid)
        if known is None:
            if len(self._by_words) >= MOST:
                raise InvalidInput(
                    template="the file holds more than {most} memories",
                    hint="split it, and import its parts",
                    most=MOST,
                )
            new = self._by_words[words] = self._by_name[offered.uid] = Folded(offered)
            return new
        known.count += 1
        if len(known.places) < _MOST_PLACES:
            known.places.append(offered.place)
        known.offered = _both(known.offered, offered)
        return known

    @property
    def folded(self) -> Iterable[Folded]:
        """All of them, in the order in which they were first said."""
        return self._by_words.values()


def _both(known: Offered, again: Offered) -> Offered:
    """It was said when it was said last. What the person said of it in a chat is kept, with that chat, where the other
    one has no word of the person's."""
    is_later = (again.said_at or _NEVER) > (known.said_at or _NEVER)
    told = again if is_later else known
    if (again.quote is None) is not (known.quote is None):
        told = known if again.quote is None else again
    return replace(known, said_at=again.said_at if is_later else known.said_at, chat=told.chat, quote=told.quote)


_MOST_PLACES = 20

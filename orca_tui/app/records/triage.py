"""Which of the candidates that wait are shown, and which are marked. Knows no widget, and asks nobody."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from orca_core.model.memories import Memory, Waits
from orca_core.model.records import Ref
from orca_tui.text_rules import holds, wanted_pieces


class Narrowing(Struct, frozen=True):
    """What candidates must have to be shown: words (and tags, behind a #), a type, the program whose file they came in,
    the title of the chat there. Empty is all."""

    text: str = ""
    type: str = ""
    program: str = ""
    chat: str = ""


EVERYTHING = Narrowing()
LOOKED_AT = 1_000
"""So many candidates are looked at for what narrows them before the next key is heard: some two milliseconds."""


class Triage:
    """Candidates in their order, narrowed, with marks that outlive what is shown. They come page by page, and are
    looked at in slices: where it is not whole yet, `shown` are the first of those that will be."""

    def __init__(self, candidates: Sequence[Waits] = (), *, more_come: bool = False) -> None:
        self._all: dict[Ref, Waits] = {}
        self._folded: dict[Ref, str] = {}
        self._marked: dict[Ref, Waits] = {}
        self._marked_before: set[Ref] = set()
        """Those to be marked once they come."""
        self._gone: set[Ref] = set()
        """Those that no page brings any more: they were decided of after it was asked what waits."""
        self._ahead: deque[Waits] = deque()
        self.more_come = True
        self.narrowing = EVERYTHING
        self.shown: tuple[Waits, ...] = ()
        self.take(candidates, more_come=more_come)

    @property
    def count(self) -> int:
        """How many wait, shown or not."""
        return len(self._all)

    @property
    def is_whole(self) -> bool:
        """Whether all that wait came, and each was looked at."""
        return self.is_looked_at and not self.more_come

    @property
    def is_looked_at(self) -> bool:
        return not self._ahead

    @property
    def is_narrowed(self) -> bool:
        return self.narrowing != EVERYTHING

    @property
    def marked(self) -> tuple[Waits, ...]:
        """The oldest marks first."""
        return tuple(self._marked.values())

    @property
    def has_all_marks(self) -> bool:
        """Whether none has yet to come that is to be marked."""
        return not self._marked_before

    @property
    def hidden(self) -> int:
        """How many of the marked ones are not shown."""
        return len(self._marked.keys() - {each.ref for each in self.shown})

    def is_marked(self, waits: Waits) -> bool:
        return waits.ref in self._marked

    def toggle(self, waits: Waits) -> None:
        self._marked_before.discard(waits.ref)
        if self._marked.pop(waits.ref, None) is None:
            self._marked[waits.ref] = waits

    def mark_shown(self) -> None:
        """Mark all that the filter shows; what was marked stays so."""
        self._marked |= {each.ref: each for each in self.shown}

    def clear_marks(self) -> None:
        self._marked.clear()
        self._marked_before.clear()

    def narrow(self, narrowing: Narrowing) -> None:
        self.narrowing, self.shown = narrowing, ()
        self._ahead = deque(self._all.values())
        self.look_on()

    def look_on(self) -> None:
        """Look at the next of those that were not looked at since they were narrowed."""
        some = [self._ahead.popleft() for _ in range(min(LOOKED_AT, len(self._ahead)))]
        self.shown += self._among(each for each in some if each.ref in self._all)

    def take(self, page: Sequence[Waits], *, more_come: bool) -> None:
        """The next ones, and whether there are further ones."""
        self.more_come = more_come
        page = [each for each in page if each.ref not in self._gone]
        for each in page:
            self._all[each.ref] = each
            self._folded[each.ref] = each.text.casefold()
            if each.ref in self._marked_before:
                self._marked_before.discard(each.ref)
                self._marked[each.ref] = each
        if not more_come:
            self._marked_before.clear()
        if self._ahead:
            self._ahead.extend(page)
        else:
            self.shown += self._among(page)

    def _among(self, candidates: Iterable[Waits]) -> tuple[Waits, ...]:
        narrowing = self.narrowing
        if not self.is_narrowed:
            return tuple(candidates)
        words = [word for word in narrowing.text.split() if not word.startswith("#")]
        tags = {word[1:] for word in narrowing.text.split() if word.startswith("#") and len(word) > 1}
        wanted = wanted_pieces(" ".join(words))
        return tuple(
            each
            for each in candidates
            if narrowing.type in ("", type_of(each))
            and narrowing.program in ("", program_of(each))
            and narrowing.chat in ("", chat_of(each))
            and tags <= set(getattr(each.record, "tags", ()))
            and holds(self._folded[each.ref], wanted)
        )

    def drop(self, refs: Collection[Ref], at: int) -> int:
        """These wait no more. Returns the row on which a cursor stands then that stood on `at`."""
        gone = set(refs)
        kept_before = sum(each.ref not in gone for each in self.shown[:at])
        for ref in gone:
            self._all.pop(ref, None)
            self._marked.pop(ref, None)
        self._marked_before -= gone
        self._gone |= gone
        self.shown = tuple(each for each in self.shown if each.ref not in gone)
        return max(0, min(kept_before, len(self.shown) - 1))

    def follow(self, shown: Triage) -> None:
        """Take the place of what was shown till now: narrowed as it is, and marked as far as it is still there."""
        marked = [*shown._marked, *shown._marked_before]
        self._marked = {ref: self._all[ref] for ref in marked if ref in self._all}
        self._marked_before = {ref for ref in marked if ref not in self._all} if self.more_come else set()
        self.narrow_as(shown)

    def narrow_as(self, shown: Triage) -> None:
        """Narrow as the other is; where it is so already, look on."""
        if self.narrowing != shown.narrowing:
            self.narrow(shown.narrowing)
        else:
            self.look_on()

    def following(self, now: str, of: Callable[[Waits], str]) -> str:
        """The value that comes after this one, of those that there are; after the last one none."""
        values = ["", *sorted({of(each) for each in self._all.values()} - {""})]
        return values[(values.index(now) + 1) % len(values)] if now in values else ""

    def chats(self) -> list[tuple[str, int]]:
        """The titles of the chats that candidates came from, those with most of them first."""
        titles = Counter(title for each in self._all.values() if (title := chat_of(each)))
        return sorted(titles.items(), key=lambda item: (-item[1], item[0]))


def type_of(waits: Waits) -> str:
    """What it is: the type of a memory, else its kind."""
    return waits.record.type.value if isinstance(waits.record, Memory) else waits.ref.kind.name


def program_of(waits: Waits) -> str:
    """The program whose file it came in; empty where it came in none."""
    return waits.record.elsewhere.program if isinstance(waits.record, Memory) else ""


def chat_of(waits: Waits) -> str:
    """The title of the chat elsewhere that it came from; empty where it came from none."""
    return waits.record.elsewhere.chat if isinstance(waits.record, Memory) else ""

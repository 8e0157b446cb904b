"""Which of the candidates that wait are shown and which are marked, a line each; what is decided of many at once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.segment import Segment

from orca_core.model.memories import InboxItem, Memory
from orca_core.model.operations import UndoOutcome
from orca_core.model.record_types import MEMORY, Ref, plain_ref
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.literal_search import holds_pieces, wanted_pieces
from orca_tui.app.widgets.dialogs import Confirm
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.text import fitted
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.memory_words import PROGRAM_WORDS
from orca_tui.words.work_words import KIND_WORDS

if TYPE_CHECKING:
    from orca_core.orca import Orca


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

    def __init__(self, candidates: Sequence[InboxItem] = (), *, more_come: bool = False) -> None:
        self._all: dict[Ref, InboxItem] = {}
        self._folded: dict[Ref, str] = {}
        self._marked: dict[Ref, InboxItem] = {}
        self._marked_before: set[Ref] = set()
        """Those to be marked once they come."""
        self._gone: set[Ref] = set()
        """Those that no page brings any more: they were decided of after it was asked what waits."""
        self._ahead: deque[InboxItem] = deque()
        self.more_come = True
        self.narrowing = EVERYTHING
        self.shown: tuple[InboxItem, ...] = ()
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
    def marked(self) -> tuple[InboxItem, ...]:
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

    def is_marked(self, waits: InboxItem) -> bool:
        return waits.ref in self._marked

    def toggle(self, waits: InboxItem) -> None:
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

    def take(self, page: Sequence[InboxItem], *, more_come: bool) -> None:
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

    def _among(self, candidates: Iterable[InboxItem]) -> tuple[InboxItem, ...]:
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
            and holds_pieces(self._folded[each.ref], wanted)
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

    def following(self, now: str, of: Callable[[InboxItem], str]) -> str:
        """The value that comes after this one, of those that there are; after the last one none."""
        values = ["", *sorted({of(each) for each in self._all.values()} - {""})]
        return values[(values.index(now) + 1) % len(values)] if now in values else ""

    def chats(self) -> list[tuple[str, int]]:
        """The titles of the chats that candidates came from, those with most of them first."""
        titles = Counter(title for each in self._all.values() if (title := chat_of(each)))
        return sorted(titles.items(), key=lambda item: (-item[1], item[0]))


def type_of(waits: InboxItem) -> str:
    """What it is: the type of a memory, else its kind."""
    return waits.record.type.value if isinstance(waits.record, Memory) else waits.ref.kind.name


def program_of(waits: InboxItem) -> str:
    """The program whose file it came in; empty where it came in none."""
    return waits.record.elsewhere.program if isinstance(waits.record, Memory) else ""


def chat_of(waits: InboxItem) -> str:
    """The title of the chat elsewhere that it came from; empty where it came from none."""
    return waits.record.elsewhere.chat if isinstance(waits.record, Memory) else ""


CELLS_WITH_PLACE = 60
"""From so many cells on, a row also says where its candidate came from."""
PLACE_CELLS = 18


class InboxList(LineList):
    """Rows of the triage; `looked_at` is called when the cursor has moved."""

    def __init__(self, marks: Marks, looked_at: Callable[[], None]) -> None:
        super().__init__(id="inbox-list")
        self.triage = Triage()
        self._marks = marks
        self._looked_at = looked_at

    @property
    def current(self) -> InboxItem | None:
        return self.triage.shown[self.cursor] if self.cursor < len(self.triage.shown) else None

    def draw(self, at: int) -> None:
        """The triage changed: the cursor stands on this row now."""
        self.set_count(len(self.triage.shown))
        self.cursor = max(0, min(at, self.count - 1))
        self.show_cursor()

    def row(self, number: int, width: int) -> list[Segment]:
        waits, styles = self.triage.shown[number], self.styles_of_rows
        is_marked = self.triage.is_marked(waits)
        head = f"{self._marks.marked if is_marked else ' '}{self._marks.candidate} {plain_ref(waits.ref):>5} "
        place = place_words(waits) if width >= CELLS_WITH_PLACE else ""
        tail = f"  {fitted(place, PLACE_CELLS, self._marks)}" if place else ""
        return [
            Segment(head, styles.accent if is_marked else styles.muted),
            Segment(fitted(waits.text, width - len(head) - (PLACE_CELLS + 2 if tail else 0), self._marks), styles.text),
            Segment(tail, styles.muted),
        ]

    def empty_row(self) -> str:
        return _("nothing matches") if self.triage.is_narrowed else ""

    def moved(self, before: int) -> None:
        super().moved(before)
        self._looked_at()


def place_words(waits: InboxItem) -> str:
    """Where it came from: a chat elsewhere, else its program; of another kind than memories what it is."""
    if words := KIND_WORDS.get(waits.ref.kind):
        return _(words)
    return chat_of(waits) or _(PROGRAM_WORDS.get(program_of(waits), program_of(waits)) or " ").strip()


def narrowing_words(triage: Triage) -> list[str]:
    """How many are marked of all that wait, and what narrows those that are shown."""
    narrowing, marked, words = triage.narrowing, len(triage.marked), list[str]()
    if marked:
        of_all = _("{count} of {all} marked").format(count=marked, all=triage.count)
        hidden = " " + _("({count} out of sight)").format(count=triage.hidden) if triage.hidden else ""
        words.append(of_all + hidden)
    elif triage.is_narrowed:
        words.append(_("{count} in all").format(count=triage.count))
    kinds = {kind.name: text for kind, text in KIND_WORDS.items()}
    if narrowing.type:
        words.append(_(kinds[narrowing.type]) if narrowing.type in kinds else narrowing.type)
    if narrowing.program:
        words.append(_(PROGRAM_WORDS.get(narrowing.program, narrowing.program)))
    return [*words, one_line(narrowing.chat, PLACE_CELLS * 2)] if narrowing.chat else words


NAMED = 5
"""So many of them are named where it is asked."""

Operations = tuple[int, ...]
"""What a decision wrote: an operation for each kind that it was about."""


def can_be_decided(decision: str, marked: Sequence[InboxItem]) -> bool:
    """Whether all of these can be decided so: only of memories it can be said that they are never to be learnt."""
    return decision in ("accept", "reject") or all(each.ref.kind == MEMORY for each in marked)


def confirmation(decision: str, marked: Sequence[InboxItem], hidden: int) -> Confirm:
    """Asks about them by their number; names the first, and says how many are not on the screen."""
    count = len(marked)
    lines = [f"{plain_ref(each.ref)}  {each.text}" for each in marked[:NAMED]]
    if count > NAMED:
        lines.append(counted("and {count} more", "and {count} more", count - NAMED))
    if hidden:
        lines.append(
            counted(
                "{count} of them is marked, but not shown just now",
                "{count} of them are marked, but not shown just now",
                hidden,
            )
        )
    lines += ["", _("One undo brings all of them back.")]
    match decision:
        case "accept":
            question, yes = counted("Accept {count} candidate?", "Accept {count} candidates?", count), _("Accept")
        case "reject":
            question, yes = counted("Reject {count} candidate?", "Reject {count} candidates?", count), _("Reject")
        case _:
            question = counted("Never learn {count} candidate again?", "Never learn {count} candidates again?", count)
            yes = _("Never")
    return Confirm(question, "\n".join(lines), yes)


def carried_out(orca: Orca, decision: str, marked: Sequence[InboxItem]) -> Callable[[], Awaitable[Operations]]:
    """The decision, about exactly these."""
    refs = [each.ref for each in marked]

    async def decide() -> Operations:
        if decision == "never":
            return _numbers([await orca.memories.never([ref.id for ref in refs])])
        candidates = orca.inbox
        return _numbers(await (candidates.accept(refs) if decision == "accept" else candidates.reject(refs)))

    return decide


def taken_back(orca: Orca, operations: Operations) -> Callable[[], Awaitable[list[UndoOutcome]]]:
    """All that a decision wrote, the latest first; without one the latest change of all."""

    async def undo() -> list[UndoOutcome]:
        return [await orca.history.undo(each) for each in reversed(operations)] or [await orca.history.undo()]

    return undo


def decided_words(decision: str, count: int) -> str:
    """What was done, and how it is taken back."""
    match decision:
        case "accept":
            words = counted("accepted {count} candidate", "accepted {count} candidates", count)
        case "reject":
            words = counted("rejected {count} candidate", "rejected {count} candidates", count)
        case _:
            words = counted("{count} candidate, never again", "{count} candidates, never again", count)
    return f"{words} · {_('u takes it back')}"


def _numbers(changes: Sequence[Any]) -> Operations:
    return tuple(each.operation for each in changes if each.operation is not None)

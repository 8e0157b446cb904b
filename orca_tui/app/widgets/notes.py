"""Notes shown in place of the keys. Each has an owner, who alone replaces it or removes it."""

from __future__ import annotations

from msgspec import Struct

SHOWN_S = 4.0


class Note(Struct, frozen=True):
    """Something said by an owner. One that `stays` ends when its owner says so, or when the user acts after reading."""

    owner: str
    text: str
    stays: bool
    until: float


class Notes:
    """The notes that hold, each owner's latest: those that stay, and the newest of the others."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}

    def say(self, owner: str, text: str, now: float, *, stays: bool = False) -> None:
        """Put a note in the place of the owner's last one; an empty one takes that back."""
        self._notes.pop(owner, None)
        if text:
            self._notes[owner] = Note(owner, text, stays, now + SHOWN_S)

    def mended(self, owner: str) -> None:
        """Remove the owner's note that stays."""
        if owner in self._notes and self._notes[owner].stays:
            del self._notes[owner]

    def acted(self, now: float) -> bool:
        """The user did something: what stayed, and could be read, goes. Whether any went."""
        read = [note.owner for note in self._notes.values() if note.stays and note.until <= now]
        for owner in read:
            del self._notes[owner]
        return bool(read)

    def shown(self, now: float) -> tuple[Note, ...]:
        """What is to be seen, in its order: the newest that stays, then the newest that passes."""
        holding = [note for note in self._notes.values() if note.stays or note.until > now]
        self._notes = {note.owner: note for note in holding}
        staying = [note for note in holding if note.stays][-1:]
        passing = [note for note in holding if not note.stays][-1:]
        return (*staying, *passing)

"""What Orca says to a model, text by text: the built-in one, or one that the user put in its place."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from orca_core.model.errors import OrcaError


class PromptText(Struct, frozen=True):
    """One prompt in one language, as it is used now. `path` is the user's file, None where the built-in text is used.
    `placeholders` are filled in where the text has them; `lacking` are those of the built-in text that the user's own
    has not. `failure` says why the user's file can't be used."""

    name: str
    language: str
    text: str
    placeholders: tuple[str, ...] = ()
    is_replaceable: bool = False
    path: Path | None = None
    lacking: tuple[str, ...] = ()
    failure: OrcaError | None = None

    @property
    def is_own(self) -> bool:
        return self.path is not None

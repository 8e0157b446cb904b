"""Every error that Orca raises on purpose, in one tree.

An error is a kind and its fields. `template` and `hint` are English sentences (the message ids of the
catalogue), so that an interface can say the same thing in its own language: `_(error.template).format(**error.fields)`.

    OrcaError
    ├── ConfigError            ├── InvalidInput          ├── NotFound              ├── RoundEnded      ├── Mistake
    ├── StorageError           StoreBusy StoreFull StoreReadOnly DiskFailed StoreDamaged IndexDamaged StoreOutOfReach
    │                          StoreRefused: StoreMissing StoreForeign SchemaTooNew SchemaTooOld
    ├── ModelError             ModelUnavailable ModelRejected ContextTooLong BadModelReply
    ├── EmbeddingError
    └── RerankError
"""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar, Literal

MOST_SAID = 300
"""So many characters of a value stand in a sentence. Chosen by hand: a path has fewer, and an argument no limit."""


class OrcaError(Exception):
    """An expected failure: what failed, the value, the way out. Of a long value its beginning and its end are kept."""

    kind: ClassVar[str] = "error"
    template: ClassVar[str] = "{detail}"
    hint_template: ClassVar[str] = ""

    def __init__(self, *, template: str | None = None, hint: str | None = None, **fields: object) -> None:
        self.fields = {name: _bounded(value) for name, value in fields.items()}
        self.sentence_template = self.template if template is None else template
        self.way_out_template = self.hint_template if hint is None else hint
        super().__init__(str(self))

    @property
    def message(self) -> str:
        """What failed, in English, without the way out."""
        return self.sentence_template.format(**self.fields)

    @property
    def hint(self) -> str:
        """What the user can do about it, in English; empty where nothing is known."""
        return self.way_out_template.format(**self.fields)

    def __str__(self) -> str:
        return f"{self.message} — {self.hint}" if self.way_out_template else self.message


class ConfigError(OrcaError):
    """The configuration can not be used: file, key, what was found, what is expected."""

    kind = "config"


class InvalidInput(OrcaError):
    """A value that the caller gave is out of the rules (exit 2 in commands)."""

    kind = "invalid"


class NotFound(OrcaError):
    """Something that was named does not exist: `what` (memory, session, round, operation …) and `id`."""

    kind = "not_found"
    template = "no {what} {id}"


class RoundEnded(OrcaError):
    """A round can not be written any more: it was deleted, tried again, or ended elsewhere."""

    kind = "round_ended"
    template = "this answer is not kept: its round was deleted or begun anew meanwhile"


class Mistake(OrcaError):
    """Orca itself did something wrong: what, and where, without words that a user may have written."""

    kind = "mistake"
    template = "a mistake in Orca: {what} ({where})"
    hint_template = "please report it; the chat goes on"


class StorageError(OrcaError):
    """The database could not do what was asked."""

    kind = "storage"
    template = "{path}: {detail}"


class StoreBusy(StorageError):
    kind = "store_busy"
    template = "{path}: another process holds the database"
    hint_template = "try again when it is done"


class StoreFull(StorageError):
    kind = "store_full"
    template = "{path}: the disk is full"
    hint_template = "free some space; what is already stored is safe"


class StoreReadOnly(StorageError):
    kind = "store_read_only"
    template = "{path}: the database can not be written"
    hint_template = "check the permissions of the file and its folder"


class DiskFailed(StorageError):
    """A read or write failed on the disk: the file may be sound."""

    kind = "disk_failed"
    template = "{path}: the disk failed ({detail})"
    hint_template = "look at the disk, then try again; what is stored was left as it is"


class StoreDamaged(StorageError):
    kind = "store_damaged"
    template = "{path}: the database is damaged ({detail})"
    hint_template = "keep it: move it away, with what lies beside it under its name, and the next start begins anew"


class IndexDamaged(StorageError):
    """What records or messages are found by is damaged, and nothing else: it is made anew from them."""

    kind = "index_damaged"
    template = "{path}: a search index is damaged ({detail})"
    hint_template = "orca memory reindex makes it anew, and nothing is lost"


class StoreOutOfReach(StorageError):
    """The database could not be opened, and this process works without it: writes are not retried."""

    kind = "store_out_of_reach"


class StoreRefused(StorageError):
    """Not a database for this Orca: it is not touched, and no other is made in its place."""


class StoreMissing(StoreRefused):
    kind = "store_missing"
    template = "{path}: there is no database at this path"
    hint_template = "check the path, or leave it out to start a new one"


class StoreForeign(StoreRefused):
    kind = "store_foreign"
    template = "{path}: not an Orca database ({detail})"
    hint_template = "name another path; nothing was changed"


class SchemaTooNew(StoreRefused):
    kind = "schema_too_new"
    template = "{path}: written by a newer Orca (schema {found}, this one knows {known})"
    hint_template = "update Orca; nothing was changed"


class SchemaTooOld(StoreRefused):
    kind = "schema_too_old"
    template = "{path}: made by an Orca in development (schema {found}; schema {known} and newer are upgraded)"
    hint_template = (
        "open it once with the Orca of the commit tagged {tag}, which upgrades it, then with this one; nothing was"
        " changed"
    )


class ModelError(OrcaError):
    """The chat model did not give an answer. `partial` text, where there is some, was streamed before."""

    kind = "model"
    template = "{provider}: {detail}"


class ModelUnavailable(ModelError):
    """A retry may help: network, timeout, overloaded server."""

    kind = "model_unavailable"


class ModelRejected(ModelError):
    """A retry will not help: key, balance, model name, parameters."""

    kind = "model_rejected"


class ContextTooLong(ModelRejected):
    """The prompt is longer than the model takes. `limit`, `prompt_tokens` and `answer_tokens` (reserved for the answer)
    are what the server says of it; None where it does not say."""

    kind = "context_too_long"
    template = "{provider}: the prompt is longer than the model's context"
    hint_template = "set context_tokens for this provider"

    def __init__(
        self,
        *,
        template: str | None = None,
        hint: str | None = None,
        limit: int | None = None,
        prompt_tokens: int | None = None,
        answer_tokens: int | None = None,
        **fields: object,
    ) -> None:
        self.limit = limit
        self.prompt_tokens = prompt_tokens
        self.answer_tokens = answer_tokens
        super().__init__(template=template, hint=hint, **fields)


class BadModelReply(ModelError):
    """The server answered, but not as a chat model does."""

    kind = "bad_model_reply"


class EmbeddingError(OrcaError):
    """Texts could not be embedded; `retryable` says whether a retry may help."""

    kind = "embedding"
    template = "{provider}: {detail}"

    def __init__(
        self, *, retryable: bool = True, template: str | None = None, hint: str | None = None, **fields: object
    ) -> None:
        self.retryable = retryable
        super().__init__(template=template, hint=hint, **fields)


class RerankError(OrcaError):
    """Texts could not be put in order. `code` says how it failed, without words of the server's: those may repeat a
    memory."""

    kind = "rerank"
    template = "{provider}: {detail}"

    def __init__(
        self,
        *,
        code: Literal["refused", "unreachable", "unreadable"],
        template: str | None = None,
        hint: str | None = None,
        **fields: object,
    ) -> None:
        self.code = code
        super().__init__(template=template, hint=hint, **fields)


def without_middle(text: str, most: int = MOST_SAID) -> str:
    """A text of at most `most` characters: of a longer one its beginning, … and its end."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


def _bounded(value: object) -> object:
    if not isinstance(value, str | PurePath):
        return value
    said = str(value)
    return value if len(said) <= MOST_SAID else without_middle(said)


def quoted(value: object, most: int = 80) -> str:
    """A value inside a sentence, in quotes; of a long one its beginning and …"""
    whole = repr(value)
    return whole if len(whole) <= most else f"{whole[: most - 2]}…{whole[0]}"

"""Keys of the embedding cache: a keyed hash of the text, so that the cache holds no text.

The secret is stored in the database. Whoever has the file can ask whether it holds a text that they know, no
more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import blake2b

import apsw

SECRET = "cache_secret"
FURTHER_SECRETS = "further_secrets"
KEY_BYTES = 32


def hasher(connection: apsw.Connection) -> Callable[[str], bytes]:
    """From a text to its key in this database."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (SECRET,)).fetchone()
    assert row is not None  # written when the table was made
    return _keyed_with(bytes.fromhex(str(row[0])))


def hashers(connection: apsw.Connection) -> list[Callable[[str], bytes]]:
    """This database's own, then those of homes from which tombstones came with a restored backup."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (FURTHER_SECRETS,)).fetchone()
    further: list[str] = [] if row is None else json.loads(str(row[0]))
    return [hasher(connection), *(_keyed_with(bytes.fromhex(each)) for each in further)]


def _keyed_with(secret: bytes) -> Callable[[str], bytes]:
    return lambda text: blake2b(text.encode("utf-8", "replace"), key=secret, digest_size=KEY_BYTES).digest()


def forget_vectors(connection: apsw.Connection, texts: Iterable[str]) -> None:
    """Delete the vectors of these texts from the cache, whichever model made them."""
    key_of = hasher(connection)
    connection.executemany("DELETE FROM embedding_cache WHERE key = ?", [(key_of(text),) for text in texts])

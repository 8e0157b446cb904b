"""Keys of the embedding cache: a keyed hash of the text, so that the cache holds no text.

The secret is stored in the database. Whoever has the file can ask whether it holds a text that they know, no
more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b

import apsw

SECRET = "cache_secret"
KEY_BYTES = 32


def hasher(connection: apsw.Connection) -> Callable[[str], bytes]:
    """From a text to its key in this database."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (SECRET,)).fetchone()
    assert row is not None  # written when the table was made
    secret = bytes.fromhex(str(row[0]))
    return lambda text: blake2b(text.encode("utf-8", "replace"), key=secret, digest_size=KEY_BYTES).digest()


def forget_vectors(connection: apsw.Connection, texts: Iterable[str]) -> None:
    """Delete the vectors of these texts from the cache, whichever model made them."""
    key_of = hasher(connection)
    connection.executemany("DELETE FROM embedding_cache WHERE key = ?", [(key_of(text),) for text in texts])

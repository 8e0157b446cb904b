"""Finds the nearest vectors by the fastest way that is open: codes in memory, the index in the file, every vector."""

from __future__ import annotations

import apsw

from orca_core.model.recall import VectorHit, Which
from orca_core.store.sqlite.index import vector_index
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.index.vectors_at_hand import VectorsAtHand

MOST_COMPARED = 5_000
"""Of so many vectors, the newest, a search compares each where nothing else is open yet: some 40 ms. Chosen by hand."""


class VectorSearch:
    """That of one file. Without `uses_index` it compares every vector."""

    def __init__(self, at_hand: VectorsAtHand, *, uses_index: bool) -> None:
        self._at_hand = at_hand
        self._uses_index = uses_index

    def nearest(self, connection: apsw.Connection, sought: Sought) -> tuple[list[VectorHit], bool]:
        """The nearest first, and whether they were sought among all. Amid a change of models a home may be opened that
        holds many vectors and no index of them: until they are at hand, what lives is sought among the newest alone.
        Who asks for more than what lives, to forget it or to compare with it, must not miss any."""
        if not self._uses_index:
            return vector_index.nearest_exact(connection, sought)
        at_hand = self._at_hand.nearest(connection, sought)
        if at_hand is not None:
            return at_hand, True
        # The index knows what lives: what waits may stand behind all that is archived, and there is little of it.
        is_of_use = sought.which is not Which.WAITING
        if is_of_use and not vector_index.is_stale(connection, sought.tables, sought.model, len(sought.vector)):
            return vector_index.nearest(connection, sought), True
        if sought.which is not Which.LIVE:
            return vector_index.nearest_exact(connection, sought)
        hits, is_whole = vector_index.nearest_exact(connection, sought, MOST_COMPARED)
        if not is_whole:
            self._at_hand.hasten(sought)
        return hits, is_whole

    def after_a_search(self) -> None:
        """Have brought to memory, in the background, what is searched more than once."""
        self._at_hand.bring()

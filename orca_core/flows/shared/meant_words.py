"""Looks for what a question means by words that nothing that lives holds: slips of the pen, names cut short."""

from __future__ import annotations

from itertools import chain

from orca_core.domain.recall import TokenStatistics
from orca_core.domain.stores.cues import CueIndex
from orca_core.domain.stores.index import SearchIndex, Surroundings
from orca_core.rules.recalling.finding import misspelt
from orca_core.rules.recalling.finding.evidence import technical_stems
from orca_core.rules.text.terms import QueryTerms

MAX_ASKED = 64
"""Of so many rare words it is asked whether a live memory holds them. Chosen by hand."""


class MeantWords:
    """The words of one scope's memories and cues, and what is taken for a slip in one of them."""

    def __init__(self, search: SearchIndex, surroundings: Surroundings, cues: CueIndex) -> None:
        self._search = search
        self._surroundings = surroundings
        self._cues = cues

    async def of(self, terms: QueryTerms, *, are_names: bool) -> tuple[QueryTerms, TokenStatistics]:
        """The words of a question with what is meant beside those that are unknown, and how frequent each is;
        `are_names` where its Latin words are names, as amid Chinese."""
        statistics = await self._search.statistics(terms.tokens)
        unknown = misspelt.to_try(await self._unknown(statistics), terms.weights)
        if not unknown:
            return terms, statistics
        sought = {(beginning, misspelt.lengths(token)) for token in unknown for beginning in misspelt.beginnings(token)}
        vocabulary = misspelt.by_beginning(await self._search.vocabulary(list(sought)))
        names = technical_stems()
        if are_names:
            names = frozenset(chain.from_iterable(vocabulary.values()))
        meanings = {token: misspelt.meant(token, vocabulary, names)[: 2 * misspelt.MOST_MEANT] for token in unknown}
        likely = list(dict.fromkeys(chain.from_iterable(meanings.values())))
        if not likely:
            return terms, statistics
        live = await self._surroundings.live_words(likely)
        as_meant = misspelt.with_meant(
            terms, {token: [word for word in meant if word in live] for token, meant in meanings.items()}
        )
        return as_meant, await self._search.statistics(as_meant.tokens)

    async def _unknown(self, statistics: TokenStatistics) -> list[str]:
        """The words that no live memory and no cue holds."""
        rare = [
            token
            for token, count in statistics.frequencies.items()
            if count <= misspelt.RARE and misspelt.may_be_misspelt(token)
        ]
        if not rare:
            return []
        of_cues = (await self._cues.statistics(rare)).frequencies
        in_doubt = [token for token in rare if statistics.frequencies[token]]
        known = set(in_doubt[MAX_ASKED:])
        if in_doubt:
            known |= await self._surroundings.live_words(in_doubt[:MAX_ASKED])
        return [token for token in rare if not of_cues.get(token) and token not in known]

"""Looks for what a question means by words that nothing that lives holds, as of one moment: slips of the pen, names cut
short."""

from __future__ import annotations

from itertools import chain

from orca_core.model.recall import TokenStatistics
from orca_core.rules.retrieval.finding import misspelt
from orca_core.rules.retrieval.finding.evidence import technical_stems
from orca_core.rules.text.terms import QueryTerms
from orca_core.store.protocols.snapshot import Snapshot

MAX_ASKED = 64
"""Of so many rare words it is asked whether a live memory holds them. Chosen by hand."""


def with_what_is_meant(snapshot: Snapshot, terms: QueryTerms, *, are_names: bool) -> tuple[QueryTerms, TokenStatistics]:
    """The words of a question with what is meant beside those that are unknown, and how frequent each is; `are_names`
    where its Latin words are names, as amid Chinese."""
    words = snapshot.words
    statistics = words.statistics(terms.tokens)
    unknown = misspelt.to_try(_unknown(snapshot, statistics), terms.weights)
    if not unknown:
        return terms, statistics
    sought = {(beginning, misspelt.lengths(token)) for token in unknown for beginning in misspelt.beginnings(token)}
    vocabulary = misspelt.by_beginning(words.vocabulary(list(sought)))
    names = frozenset(chain.from_iterable(vocabulary.values())) if are_names else technical_stems()
    meanings = {token: misspelt.meant(token, vocabulary, names)[: 2 * misspelt.MOST_MEANT] for token in unknown}
    likely = list(dict.fromkeys(chain.from_iterable(meanings.values())))
    if not likely:
        return terms, statistics
    live = words.live_words(likely)
    as_meant = misspelt.with_meant(
        terms, {token: [word for word in meant if word in live] for token, meant in meanings.items()}
    )
    return as_meant, words.statistics(as_meant.tokens)


def _unknown(snapshot: Snapshot, statistics: TokenStatistics) -> list[str]:
    """The words that no live memory holds."""
    rare = [
        token
        for token, count in statistics.frequencies.items()
        if count <= misspelt.RARE and misspelt.may_be_misspelt(token)
    ]
    if not rare:
        return []
    in_doubt = [token for token in rare if statistics.frequencies[token]]
    known = set(in_doubt[MAX_ASKED:])
    if in_doubt:
        known |= snapshot.words.live_words(in_doubt[:MAX_ASKED])
    return [token for token in rare if token not in known]

"""Has a reranker put in order what was found. Whatever fails, the order stays as it was, and a rule says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from orca_core.model.errors import ConfigError, RerankError
from orca_core.model.llm import Clock, Reranker
from orca_core.rules.retrieval.choosing.ranking import Found
from orca_core.rules.retrieval.choosing.reranking import (
    LATE,
    MISTAKE,
    RESTING,
    UNREADABLE,
    candidates,
    positions,
    refused_rule,
    reordered,
    reranked_rule,
)
from orca_core.rules.retrieval.finding.circuit import Circuit, after_failure, after_success, is_closed
from orca_core.services.shared import failures


class Reranked(Struct, frozen=True):
    """What was found, in its order, and the rules that say how it came about; none where nobody was asked."""

    found: Sequence[Found]
    rules: tuple[str, ...] = ()


class Reranking:
    """One reranker with its deadline and its circuit; without a reranker every order stays."""

    def __init__(self, reranker: Callable[[], Reranker] | None, timeout_s: float, clock: Clock) -> None:
        self._reranker = reranker
        self._timeout_s = timeout_s
        self._clock = clock
        self._circuit = Circuit()

    async def ordered(self, text: str, relevant: Sequence[Found], wanted: int) -> Reranked:
        """Memories above the floor, best first, of which so many are wanted. Only `text` and what they say is sent."""
        asked_of = candidates(relevant, wanted)
        ranks, rules = await self.ranks(text, [each.memory.content for each in asked_of])
        if ranks is None:
            return Reranked(relevant, rules)
        return Reranked([*reordered(asked_of, ranks), *relevant[len(asked_of) :]], rules)

    async def ranks(self, text: str, texts: Sequence[str]) -> tuple[list[int] | None, tuple[str, ...]]:
        """Positions of texts, best first, and what the receipt says of it; None where the order stays as it is."""
        if self._reranker is None or len(texts) < 2 or not text.strip():
            return None, ()
        if not is_closed(self._circuit, self._clock.monotonic()):
            return None, (RESTING,)
        try:
            reranker = self._reranker()  # loads its client at the first call, which is not the server's time
            async with asyncio.timeout(self._timeout_s):
                ranks = positions(await reranker.rank(text, texts))
            made = reranked_rule(reranker.model)
        except TimeoutError:
            return self._failed(f"{LATE}: {self._timeout_s:g} s")
        except RerankError as error:
            return self._failed(refused_rule(error.code, error.fields.get("status")))
        except ConfigError as error:
            return self._failed(refused_rule(error.kind, None))
        except Exception as error:  # noqa: BLE001  # a reranker that breaks costs the order, not the memories
            return self._failed(f"{MISTAKE}: {failures.of_a_port(error, 'the reranker').fields['what']}")
        if ranks is None:
            return self._failed(UNREADABLE)
        self._circuit = after_success(self._circuit)
        return ranks, (made,)

    def _failed(self, rule: str) -> tuple[None, tuple[str, ...]]:
        self._circuit = after_failure(self._circuit, self._clock.monotonic())
        return None, (rule,)

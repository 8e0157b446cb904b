"""A reranker behind HTTP: how servers want to be asked, what their refusals teach, how their answers are read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Literal

import httpx

from orca_core.llm.http import MAX_DETAIL_CHARS, JsonEndpoint, Key, error_text, is_too_large, redacted
from orca_core.model.errors import ModelError, RerankError
from orca_core.settings import ProviderSettings, RerankSettings

Dialect = Literal["auto", "cohere", "tei"]

MOST_CHARS = 2000
"""A longer text is cut: no memory is longer. Chosen by hand."""
FEWEST_CHARS = 100
"""A text that is no longer is not cut again. Chosen by hand."""
MAX_ANSWER_BYTES = 8 * 1_048_576
MOST_TRIES = 8
"""How often one query is asked in another manner. The deadline of a turn ends it long before. Chosen by hand."""
_GAP = " … "
_BAD_REQUEST = (400, 422)


class HttpReranker:
    """One provider, one rerank model. How the server wants to be asked is learnt by its refusals."""

    def __init__(self, name: str, provider: ProviderSettings, rerank: RerankSettings, key: Key) -> None:
        self._name = name
        self._model = rerank.model
        self._endpoint = JsonEndpoint(name, provider, "rerank", key, max_answer_bytes=MAX_ANSWER_BYTES)
        self._dialect: Dialect = rerank.dialect
        self._most_chars = MOST_CHARS

    @property
    def model(self) -> str:
        return f"{self._name}/{self._model}" if self._model else self._name

    @property
    def dialect(self) -> str:
        return "cohere" if self._dialect == "auto" else self._dialect

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        if not query.strip() or not texts:
            return []
        for _ in range(MOST_TRIES):
            try:
                response, content = await self._endpoint.ask(self._body(query, texts))
            except ModelError as error:
                raise _as_rerank(error) from error
            if response.status_code == httpx.codes.OK:
                return self._read(content, len(texts))
            refusal = self._endpoint.refusal(response, content)
            if not self._learn(refusal, max(len(text) for text in (query, *texts))):
                break
        raise _as_rerank(refusal) from None

    def _body(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """Return what is sent: the query and the texts, nothing else of anybody's."""
        asked, *sent = (shortened(text, self._most_chars) for text in (query, *texts))
        if self._dialect == "tei":
            return {"query": asked, "texts": sent, "truncate": True}
        return {"model": self._model, "query": asked, "documents": sent, "top_n": len(sent)}

    def _learn(self, refusal: ModelError, longest: int) -> bool:
        """Ask otherwise from now on, by what a refusal says; False where it says nothing that could be done."""
        if is_too_large(refusal):
            longest = min(self._most_chars, longest)
            self._most_chars = max(longest // 2, FEWEST_CHARS)
            return longest > FEWEST_CHARS
        told, status = str(refusal.fields.get("detail", "")), refusal.fields.get("status")
        if self._dialect == "auto" and status in _BAD_REQUEST and re.search(r"\btexts\b", told):
            self._dialect = "tei"
            return True
        return False

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    def _read(self, content: bytes, count: int) -> list[int]:
        try:
            return ranks_in(content, count)
        except ValueError as error:
            raise RerankError(
                code="unreadable",
                template="{provider}: its answer is no ranking ({detail})",
                hint="check {provider}.base_url, rerank.model and rerank.dialect",
                provider=self._name,
                detail=self._told(content) or str(error)[:MAX_DETAIL_CHARS],
            ) from error

    def _told(self, content: bytes) -> str:
        """An error that came as an answer."""
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return ""
        told = value.get("error") if isinstance(value, dict) else None
        return redacted(error_text(told), self._endpoint.api_key)[:MAX_DETAIL_CHARS] if told else ""


def _as_rerank(error: ModelError) -> RerankError:
    """The same sentence, as a failure to rerank."""
    status = error.fields.get("status")
    if status == httpx.codes.NOT_FOUND:
        return RerankError(
            code="refused",
            template="{provider}: there is no reranker at this address, or not this model ({detail})",
            hint="check {provider}.base_url and rerank.model",
            **error.fields,
        )
    is_about_the_model = status in _BAD_REQUEST and "api_key" not in error.way_out_template
    return RerankError(
        code="unreachable" if status is None else "refused",
        template=error.sentence_template,
        hint="check rerank.model and rerank.dialect" if is_about_the_model else error.way_out_template,
        **error.fields,
    )


def ranks_in(content: bytes, count: int) -> list[int]:
    """The positions that an answer names, best first: by score, of equal ones the earlier. What can not be read, lies
    outside or comes again is left out. Raises ValueError where it is no ranking at all."""
    try:
        value = json.loads(content)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    rows = (value.get("results") or value.get("data")) if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise ValueError("no list of results")
    scores: dict[int, float] = {}
    for row in rows:
        if not isinstance(row, dict):
            continue
        position = _number(row.get("index"))
        score = _number(row.get("relevance_score", row.get("score")))
        if position is not None and score is not None and position in range(count):
            scores.setdefault(int(position), score)
    if not scores:
        raise ValueError("nothing in it can be read")
    return sorted(scores, key=lambda position: (-scores[position], position))


def shortened(text: str, most_chars: int) -> str:
    """A text in so many characters, its middle left out: what is asked stands at the beginning or at the end."""
    if len(text) > most_chars:
        kept = most_chars - len(_GAP)
        head = kept - kept // 2
        text = f"{text[:head]}{_GAP}{text[len(text) - kept // 2 :]}"
    return text.encode("utf-8", "replace").decode()


def _number(value: object) -> float | None:
    """A finite number, also one that came as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None

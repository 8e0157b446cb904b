"""A reranker behind HTTP: how servers want to be asked, what their refusals teach, how their answers are read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Literal

import httpx
from msgspec import Struct
from msgspec.structs import replace

from orca_core.llm.http import MAX_DETAIL_CHARS, JsonEndpoint, error_text, is_too_large, names_batch_limit, redacted
from orca_core.model.errors import ModelError, RerankError
from orca_core.settings import ProviderSettings, RerankSettings

Dialect = Literal["cohere", "tei"]

MOST_CHARS = 2000
"""A longer text is cut: no memory is longer. Chosen by hand."""
FEWEST_CHARS = 100
"""A text that is no longer is not cut again. Chosen by hand."""
MOST_TEXTS = 1000
"""Cohere's limit, which is the highest that a vendor names."""
_GAP = " … "
_NAMED_LIMIT = re.compile(r"maximum allowed batch size (\d{1,4})", re.IGNORECASE)
_OPTIONAL = ("top_n", "return_documents", "truncate")
_ABOUT_THE_REQUEST = (400, 422)


class Manner(Struct, frozen=True):
    """How one server is asked. `can_switch` where its dialect is a guess."""

    dialect: Dialect = "cohere"
    can_switch: bool = True
    without: frozenset[str] = frozenset()
    most_chars: int = MOST_CHARS
    most_texts: int = MOST_TEXTS


def body_for(manner: Manner, model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
    """What is sent: the query and the texts, nothing else of anybody's."""
    sent = [shortened(text, manner.most_chars) for text in texts[: manner.most_texts]]
    asked = shortened(query, manner.most_chars)
    body: dict[str, Any] = (
        {"query": asked, "texts": sent, "truncate": True}
        if manner.dialect == "tei"
        else {"model": model, "query": asked, "documents": sent, "top_n": len(sent), "return_documents": False}
    )
    return {key: value for key, value in body.items() if key not in manner.without}


def after_refusal(manner: Manner, refusal: ModelError, query: str, texts: Sequence[str]) -> Manner | None:
    """How to ask again, by what a refusal says; None where it says nothing that could be done otherwise."""
    told = str(refusal.fields.get("detail", ""))
    is_about_the_request = refusal.fields.get("status") in _ABOUT_THE_REQUEST
    for name in _OPTIONAL if is_about_the_request else ():
        if name not in manner.without and re.search(rf"\b{name}\b", told):
            return replace(manner, without=manner.without | {name})
    if is_too_large(refusal):
        return _smaller(manner, refusal, query, texts)
    if is_about_the_request and manner.can_switch and re.search(r"\btexts\b", told):
        return replace(manner, dialect="tei", can_switch=False)
    return None


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


def _smaller(manner: Manner, refusal: ModelError, query: str, texts: Sequence[str]) -> Manner | None:
    """Fewer texts where the server says how many are too many, else shorter ones."""
    sent = min(len(texts), manner.most_texts)
    if names_batch_limit(refusal) and sent > 1:
        named = _NAMED_LIMIT.search(str(refusal.fields.get("detail", "")))
        limit = int(named[1]) if named else 0
        return replace(manner, most_texts=limit if 0 < limit < sent else sent // 2)
    longest = min(manner.most_chars, max(len(text) for text in (query, *texts)))
    return replace(manner, most_chars=longest // 2) if longest > FEWEST_CHARS else None


def _number(value: object) -> float | None:
    """A finite number, also one that came as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


MAX_ANSWER_BYTES = 8 * 1_048_576
MOST_TRIES = 8
"""How often one query is asked in another manner. The deadline of a turn ends it long before. Chosen by hand."""


class HttpReranker:
    """One provider, one rerank model. How the server wants to be asked is learnt by its refusals."""

    def __init__(self, name: str, provider: ProviderSettings, rerank: RerankSettings, api_key: str | None) -> None:
        self._name = name
        self._model = rerank.model
        self._api_key = api_key
        self._endpoint = JsonEndpoint(name, provider, "rerank", api_key, max_answer_bytes=MAX_ANSWER_BYTES)
        self._manner = Manner() if rerank.dialect == "auto" else Manner(rerank.dialect, can_switch=False)

    @property
    def model(self) -> str:
        return f"{self._name}/{self._model}" if self._model else self._name

    @property
    def dialect(self) -> str:
        return self._manner.dialect

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        if not query.strip() or not texts:
            return []
        manner = self._manner
        for _ in range(MOST_TRIES):
            body = body_for(manner, self._model, query, texts)
            try:
                response, content = await self._endpoint.ask(body)
            except ModelError as error:
                raise _as_rerank(error) from error
            if response.status_code == httpx.codes.OK:
                ranks = self._read(content, min(len(texts), manner.most_texts))
                self._manner = manner  # only what worked is kept
                return ranks
            refusal = self._endpoint.refusal(response, content)
            otherwise = after_refusal(manner, refusal, query, texts)
            if otherwise is None:
                break
            manner = otherwise
        raise _as_rerank(refusal) from None

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
        return redacted(error_text(told), self._api_key)[:MAX_DETAIL_CHARS] if told else ""


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
    is_about_the_model = status in (400, 422) and "api_key" not in error.way_out_template
    return RerankError(
        code="unreachable" if status is None else "refused",
        template=error.sentence_template,
        hint="check rerank.model and rerank.dialect" if is_about_the_model else error.way_out_template,
        **error.fields,
    )

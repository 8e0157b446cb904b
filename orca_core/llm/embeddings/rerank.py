"""A reranker behind HTTP: sends a query and texts, reads in which order they answer it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import httpx

from orca_core.llm.embeddings.rerank_dialects import Manner, after_refusal, body_for, ranks_in
from orca_core.llm.http.failures import MAX_DETAIL_CHARS, error_text, redacted
from orca_core.llm.http.json_endpoint import JsonEndpoint
from orca_core.model.errors import ModelError, RerankError
from orca_core.settings import ProviderSettings, RerankSettings

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

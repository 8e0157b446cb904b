"""Why a round ended, as it is kept: no key, and nothing that a template could do."""

from __future__ import annotations

import msgspec
import pytest

from orca_core.model.errors import ConfigError, ContextTooLong, ModelRejected, ModelUnavailable, NotFound, OrcaError
from orca_core.model.llm import Finish
from orca_core.model.record_types import Cause
from orca_core.rules.memory.causes import cause_of_error, cause_of_finish, read_cause

KEY = "sk-abcdef1234567890abcdef"


def sentence(cause: Cause | None) -> str:
    assert cause is not None
    return " — ".join(part.format(**cause.fields) for part in (cause.template, cause.hint_template) if part)


def stored(cause: Cause | None) -> Cause | None:
    """The cause as it comes out of the database again."""
    return read_cause(msgspec.json.encode(cause).decode(), None)


@pytest.mark.parametrize(
    "error",
    [
        ModelUnavailable(template="{provider}: the answer was cut off", hint="try again", provider="p"),
        ModelUnavailable(template="{provider}: no answer began within {seconds:g} s", provider="p", seconds=1.5),
        ModelRejected(
            template="{provider}: refused ({status}: {detail})", provider="p", status=400, detail="no\x1b[31m"
        ),
        ContextTooLong(provider="p"),
        NotFound(what="session", id=7),
        OrcaError(detail="x" * 5000),
    ],
    ids=lambda error: error.kind,
)
def test_an_error_is_said_again_as_it_was(error: OrcaError) -> None:
    cause = stored(cause_of_error(error))

    assert cause is not None
    assert cause.kind == error.kind
    assert sentence(cause) == str(error).replace("\x1b", "")
    assert len(msgspec.json.encode(cause)) < 2000


@pytest.mark.parametrize(
    "error",
    [
        ModelRejected(template="{provider}: refused ({detail})", provider="p", detail=f"Incorrect API key: {KEY}"),
        ModelRejected(template="{provider}: refused", provider=f"Bearer {KEY}", api_key="hunter2-short"),
        ConfigError(template="{name} names {variable}", name="p", variable=f"token={KEY}"),
        ModelUnavailable(template="{provider} {access_token}", provider="p", access_token="hunter2-short"),
    ],
)
def test_no_field_holds_a_key(error: OrcaError) -> None:
    kept = msgspec.json.encode(cause_of_error(error)).decode()

    assert KEY not in kept
    assert "hunter2" not in kept


@pytest.mark.parametrize(
    ("finish", "note", "kind", "fields"),
    [
        (Finish.LENGTH, "", "length", {}),
        (Finish.FILTERED, "", "filtered", {}),
        (Finish.LENGTH, "2 pieces", "length", {"note": "2 pieces"}),
        (Finish.STOP, "2 pieces", "note", {"note": "2 pieces"}),
    ],
)
def test_an_answer_that_did_not_simply_end_says_how(finish, note, kind, fields) -> None:
    cause = cause_of_finish(finish, note)

    assert cause is not None
    assert (cause.kind, cause.fields) == (kind, fields)


@pytest.mark.parametrize(
    "template",
    ["{missing}", "{a.__class__}", "{a[0]}", "{n:999999999}", "{a:>9999}", "{a!r}", "{", "}", "{}", "{0}", "x" * 301],
)
def test_a_sentence_that_is_not_ours_is_said_as_it_stands(template: str) -> None:
    cause = stored(Cause("model", template, fields={"a": "A", "n": 1}))

    assert cause is not None
    assert cause.template == "{detail}"
    assert sentence(cause) == template[:300] or sentence(cause).endswith("…")


@pytest.mark.parametrize(
    "kept", ["", "{", "[]", "7", '{"kind": 1}', '{"kind": "a", "template": "b", "fields": {"x": []}}']
)
def test_what_can_not_be_read_is_not_silence(kept: str) -> None:
    cause = read_cause(kept, None)

    assert cause is not None
    assert cause.kind == "unreadable"

"""The line under an answer tells what the core said became of a memory, and works nothing out itself."""

from __future__ import annotations

from fakes.app_driver import seen, send
from fakes.scripted_model import ScriptedModel, says

from orca_core.domain.errors import ContextTooLong
from orca_core.domain.memories import Status
from orca_core.domain.recall import Injection, Item, Level, Receipt, References, ScoreParts, WeightMove
from orca_core.domain.refs import EPISODE, KNOWLEDGE, Ref, memory_ref
from orca_tui.app.talk.receipts import past_receipt, why_lines
from orca_tui.marks import UNICODE_MARKS

PINNED = Item(memory_ref(12), "用户对花生过敏", ScoreParts(text=0.5), "pinned", pinned=True)


def receipt(status: Status | None, before: float = 0.2, after: float = 0.1) -> Receipt:
    injection = Injection(Level.FULL, ("pinned",), (PINNED,))
    return Receipt(
        "s", 1, injection, References(unknown=(memory_ref(12),)), (WeightMove(memory_ref(12), before, after, status),)
    )


def said(shown: Receipt) -> str:
    return past_receipt(shown, UNICODE_MARKS).plain + "\n".join(line for line, _ in why_lines(shown, UNICODE_MARKS))


def test_a_light_memory_that_was_kept_is_not_called_archived() -> None:
    assert "archived" not in said(receipt(Status.ACTIVE))
    assert said(receipt(Status.ARCHIVED)).count("archived") == 2


def test_core_is_what_was_core_then() -> None:
    assert said(receipt(Status.CORE, 5.0, 5.5)).count("core") == 2
    assert "core" not in said(receipt(Status.ACTIVE, 5.0, 5.5))


def test_of_an_older_receipt_nothing_is_made_up() -> None:
    older = said(receipt(None))

    assert "0.2→0.1" in older
    assert "archived" not in older
    assert "core" not in older


def test_an_episode_is_shown_by_its_name_with_its_reason_and_what_became_of_it() -> None:
    line = "worked: nginx answers 502 → raised the timeout (2026-03-12)"
    episode = Item(Ref(EPISODE, 3), line, ScoreParts(text=0.8, recency=0.05), "recall", "episode")
    lesson = Item(Ref(KNOWLEDGE, 2), "502 of nginx: upstream first", ScoreParts(text=0.1), "below_floor", "knowledge")
    injection = Injection(Level.FULL, ("technical: nginx",), (episode,), (lesson,))
    shown = said(Receipt("s", 1, injection, References(used=(episode.ref,))))

    assert f"e3 {line}" in shown
    assert "used" in shown
    assert ".85 = meaning .00 words .80 weight .00 new .05" in shown
    assert "k2 502 of nginx: upstream first" in shown


def test_the_header_says_what_the_model_takes_as_its_refusal_named_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "a question about the container " * 40)
        assert "k/64k" in seen(app)
        await send(app, pilot, "another question about the container " * 10)
        assert "k/0.6k" in seen(app)
        await send(app, pilot, "hm?")
        assert "k/0.6k" in seen(app)

    refusal = ContextTooLong(provider="scripted", limit=600)
    model = ScriptedModel(says("long " * 300), [refusal], says("short"))
    drive(make_app(model), scenario)

"""The line under an answer tells what the core said became of a memory, and works nothing out itself."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen, send
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.errors import ContextTooLong
from orca_core.model.memories import Status
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts, Shortfall, WeightMove
from orca_core.model.records import EPISODE, KNOWLEDGE, Ref, memory_ref
from orca_tui.app.chat.turn_pane import past_receipt, why_lines
from orca_tui.cli.views import receipt_text
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.turn_words import item_reason

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


def test_of_what_was_not_near_enough_the_figure_that_decided_is_shown_and_no_score() -> None:
    """A score stands beside the nearest one found: it may be high where nothing is near."""
    parts = ScoreParts(vector=0.6, text=0.26, recency=0.05)
    too_far = Item(
        memory_ref(3), "the user lives in Oslo", parts, "below_floor", "fact", shortfall=Shortfall(0.0, 3.85)
    )
    over = Item(memory_ref(4), "the user has a boat", parts, "over_limit", "fact")
    shown = Receipt("s", 1, Injection(Level.FULL, ("technical: vim",), (), (too_far, over)), References())
    for lines in (
        [line for line, _ in why_lines(shown, UNICODE_MARKS)],
        receipt_text(shown, UNICODE_MARKS).split("\n"),
    ):
        below = lines[next(at for at, line in enumerate(lines) if "Oslo" in line) :]
        above = next(at for at, line in enumerate(below) if "boat" in line)
        said = " ".join(below[:above])
        assert "not near enough: 0.0 of the 3.9 needed" in said
        assert ".91" not in said
        assert "meaning" not in said
        assert ".91" in " ".join(below[above:])


@pytest.mark.parametrize(
    ("near", "asked", "words"),
    [
        (0.0, 3.85, "0.0 of the 3.9 needed"),
        (1.7, 2.5, "1.7 of the 2.5 needed"),
        (2.68, 2.7, "2.68 of the 2.70 needed"),
        (3.84, 3.85, "3.8 of the 3.9 needed"),
        (0.12, 0.4, "0.12 of the 0.40 needed"),
        (0.38, 0.4, "0.38 of the 0.40 needed"),
    ],
)
def test_how_near_it_came_is_less_than_what_was_needed(near, asked, words) -> None:
    item = Item(memory_ref(3), "the user lives in Oslo", ScoreParts(), "below_floor", shortfall=Shortfall(near, asked))
    assert words in item_reason(item)


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

"""`orca eval rules`: what stored turns would have got under other settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import gettext as _

from orca_core.evaluation.reports import replay_json
from orca_core.evaluation.values import Replay, TurnChange, WeightChange
from orca_core.model.recall import Item
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import N_
from orca_tui.log import log_kept
from orca_tui.signals import signals_raise
from orca_tui.text_rules import one_line

MOST_SHOWN = 20
"""How many turns, and how many memories, a table shows; --json has all."""
WIDTH = 48
"""How many characters of a memory a table shows: Chinese ones are twice as wide."""
NOT_SAID = {
    "not_reproduced": N_(
        "turns that other settings or other rules decided, as the configured ones do not give what they got: {count}"
    ),
    "without_text": N_("turns of which something was deleted: {count}"),
    "weights_not_reproduced": N_("memories whose weight other settings moved: {count}"),
    "open": N_("replayed turns that might have got memories which their receipts do not name: {count}"),
}
"""What a replay can not say, by the core's name for it."""


@command()
@option(
    "--set",
    "changes",
    type=ANY_TEXT,
    metavar="KEY=VALUE",
    multiple=True,
    required=True,
    help="A setting as it might be, such as memory.inject.long_term_trigger=always.",
)
@as_json_option
@pass_runtime
def rules(runtime: Runtime, changes: tuple[str, ...], as_json: bool) -> None:
    """Show what stored turns would have got under other settings.

    Receipts are replayed: which memories would have come, which would not, and what weights would have come of it.
    Nothing is written. A receipt names what was found in its turn, and no more: what the search would have found
    besides, or the answer would have done with another memory, nobody can tell."""
    loaded = runtime.load()
    with signals_raise(), log_kept(loaded.home), Backstage() as backstage:
        replay = backstage.run(core.replay_rules(loaded, changes, runtime.profile))
    if as_json:
        runtime.output.json(replay_json(replay))
        return
    _show(runtime, replay)


def _show(runtime: Runtime, replay: Replay) -> None:
    output = runtime.output
    output.line("\n".join(_summary(replay)))
    if replay.changes:
        columns = (Column(_("session")), Column(_("round"), is_number=True), Column(_("would have come")),
                   Column(_("would not have come")), Column(_("question"), takes_rest=True))  # fmt: skip
        _table(runtime, columns, [_turn_row(each) for each in replay.changes])
    if replay.weights:
        columns = (Column(_("memory")), Column(_("weight"), is_number=True), Column(_("would be"), is_number=True),
                   Column(""), Column(_("content"), takes_rest=True))  # fmt: skip
        _table(runtime, columns, [_weight_row(each) for each in replay.weights])
    counts = replay_json(replay)
    for name, words in NOT_SAID.items():
        if count := counts[name]:
            output.note(_(words).format(count=count))


def _table(runtime: Runtime, columns: Sequence[Column], rows: Sequence[tuple[str, ...]]) -> None:
    output = runtime.output
    output.line()
    headings = [] if output.is_terminal else [tuple(column.heading for column in columns)]
    output.table(columns, [*headings, *rows[:MOST_SHOWN]])
    if len(rows) > MOST_SHOWN:
        output.line(_("… and {count} more; --json has all").format(count=len(rows) - MOST_SHOWN))


def _summary(replay: Replay) -> Iterator[str]:
    yield _("replayed: {replayed} of {turns} turns; {different} would have got something else").format(
        replayed=replay.replayed, turns=replay.turns, different=len(replay.changes)
    )
    yield _("put before the model: {before} → {after} memories, {tokens_before} → {tokens_after} tokens").format(
        before=replay.before.memories,
        after=replay.after.memories,
        tokens_before=replay.before.tokens,
        tokens_after=replay.after.tokens,
    )
    yield _("archived by weight: {more} more, {fewer} fewer").format(
        more=sum(each.archived_after and not each.archived_before for each in replay.weights),
        fewer=sum(each.archived_before and not each.archived_after for each in replay.weights),
    )


def _turn_row(change: TurnChange) -> tuple[str, ...]:
    receipt = change.turn.receipt
    question = one_line(change.turn.text, WIDTH)
    return (receipt.session_id, str(receipt.round), _refs(change.gained), _refs(change.lost), question)


def _refs(items: Sequence[Item]) -> str:
    return " ".join(f"{each.ref} ({each.reason.partition(':')[0]})" for each in items)


def _weight_row(change: WeightChange) -> tuple[str, ...]:
    word = ""
    if change.archived_after != change.archived_before:
        word = _("archived") if change.archived_after else _("not archived")
    return (str(change.ref), f"{change.before:g}", f"{change.after:g}", word, one_line(change.content, WIDTH))

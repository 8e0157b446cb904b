"""The controllers behind the main screen, each on its stage, and the commands that hand them their work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from orca_core.model.records import MEMORY, Kind
from orca_tui.app.bridge import Bridge
from orca_tui.app.commands.desk import Desk
from orca_tui.app.commands.runner import Commands
from orca_tui.app.commands.table import COMMANDS, Command
from orca_tui.app.connecting.doctor import Doctor
from orca_tui.app.connecting.providers import Providers
from orca_tui.app.memory.forgetting import Forgetting
from orca_tui.app.memory.memories_pane import MemoriesPane
from orca_tui.app.records.cited import Cited
from orca_tui.app.records.kind import RecordKind
from orca_tui.app.stage import Stage
from orca_tui.app.talk.acting import Acting
from orca_tui.app.talk.chats import Chats
from orca_tui.app.talk.helping import Helping
from orca_tui.app.talk.prompts import Prompts
from orca_tui.app.talk.rounds import Rounds
from orca_tui.app.talk.talk import Talk
from orca_tui.app.work.work_pane import WorkPane
from orca_tui.marks import Marks


def make_commands(
    table: Sequence[Command] | None,
    stage: Stage,
    bridge: Bridge,
    talk: Talk,
    memories: MemoriesPane,
    work: WorkPane,
    marks: Marks,
    *,
    show_pane: Callable[[str], None],
    run_action: Callable[[str], Awaitable[object]],
) -> Commands:
    """The commands, those that were given or all that Orca has, and what they and the keys reach."""
    kinds: dict[Kind, RecordKind[Any, Any]] = {MEMORY: memories.memories, **work.body.kinds}
    acting = Acting(stage, bridge, talk)
    cited = Cited(stage, kinds, Helping(stage, bridge, talk), marks)
    chats = Chats(stage, bridge, talk, acting, marks)
    desk = Desk(
        stage=stage,
        bridge=bridge,
        marks=marks,
        talk=talk,
        chats=chats,
        rounds=Rounds(stage, bridge, talk, chats, acting, marks, cited),
        acting=acting,
        prompts=Prompts(stage, bridge, talk.prompt),
        providers=Providers(stage, bridge, marks),
        doctor=Doctor(stage, bridge),
        forgetting=Forgetting(stage, bridge),
        undoing=memories.records.undoing,
        working=work.body.working,
        starring=work.body.starring,
        step=lambda: work.step_looked_at,
        show_pane=show_pane,
        run_action=run_action,
    )
    return Commands(COMMANDS if table is None else table, desk)

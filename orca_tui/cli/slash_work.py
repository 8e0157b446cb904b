"""The commands of the line-by-line talk that work on a task: `/task`, `/step`, `/done`."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.errors import NotFound
from orca_core.model.tasks import TaskView
from orca_tui.cli.conversation import Conversation
from orca_tui.words.task_words import episode_note, task_ending, task_line, task_text


def task(conversation: Conversation, text: str) -> None:
    """Start one, or show the current one. A talk that has no session yet gets its name with its task."""
    orca, output = conversation.orca, conversation.output
    if not text.strip():
        output.line(task_text(_current(conversation), output.marks))
        return
    view = orca.run(orca.engine.work.tasks.start(conversation.named(), text))
    output.note(f"{_('started')}  {task_line(view)}")


def step(conversation: Conversation, text: str) -> None:
    orca = conversation.orca
    view = orca.run(orca.engine.work.tasks.add_step(_current(conversation).task.id, text))
    conversation.output.note(f"{view.steps[-1].number}  {view.steps[-1].description}")


def done(conversation: Conversation, text: str) -> None:
    """End it: an outcome, and a few words; without an outcome it was a success."""
    orca, output = conversation.orca, conversation.output
    how, said = task_ending(text)
    ended = orca.run(orca.engine.work.tasks.complete(_current(conversation).task.id, how, said))
    output.note(f"{_('ended')}  {task_line(ended.task)}")
    if ended.episode is not None:
        output.note(episode_note(ended.episode))


def _current(conversation: Conversation) -> TaskView:
    """Raises NotFound."""
    session_id, orca = conversation.session_id, conversation.orca
    view = None if session_id is None else orca.run(orca.engine.work.tasks.current(session_id))
    if view is None:
        raise NotFound(template="no task is in progress in this chat: /task TEXT starts one", what="task", id="")
    return view

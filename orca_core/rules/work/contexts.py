"""What of a session is new and what is recent, and a context as a text in sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from orca_core import words
from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import Memory
from orca_core.model.records import Ref, memory_ref
from orca_core.model.sessions import Round
from orca_core.model.tasks import TaskView, TaskWithSteps
from orca_core.model.views import Message, Role
from orca_core.rules.text import tokens
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.fitting import fitted
from orca_core.rules.work.lines import episode_line, knowledge_line
from orca_core.rules.work.standing import standing_text

MESSAGE_TOKENS = 200
"""So much of a message stands in the text. Chosen by hand; the typed context has all of it."""
TASK_TOKENS = 400
"""So much the current task takes of the text. Chosen by hand."""

Said = tuple[str, str]
"""A role and what was said."""


def is_idle(rounds: Sequence[Round], now: datetime, idle_s: float) -> bool:
    """Whether nobody has said anything for so long that the next question begins anew."""
    return bool(rounds) and now - rounds[-1].at > timedelta(seconds=idle_s)


def messages_of(rounds: Sequence[Round]) -> tuple[Message, ...]:
    """What was said in these rounds, oldest first."""
    return tuple(
        Message(role, content, each.at, each.number)
        for each in rounds
        for role, content in ((Role.USER, each.user), (Role.ASSISTANT, each.assistant))
        if content.strip()
    )


def fresh(stored: Sequence[Said], given: Sequence[Said], *, is_whole: bool) -> list[Said]:
    """What follows in `given` on what is stored already. `stored` is the whole session, or its latest messages: what
    was given begins with them, or with earlier ones that were not looked at, or shares nothing with them."""
    longest = min(len(given), len(stored)) if is_whole else len(given)
    for known in range(longest, 0, -1):
        overlap = min(known, len(stored))
        if overlap and list(given[known - overlap : known]) == list(stored[-overlap:]):
            return list(given[known:])
    return list(given)


def context_text(
    language: str,
    *,
    messages: Sequence[Message],
    task: TaskView | None,
    memories: Sequence[Memory],
    episodes: Sequence[Episode],
    knowledge: Sequence[Knowledge],
    guides: Sequence[tuple[Ref, str]],
) -> str:
    """A section for each that there is something of; each record on a line with the name by which it is cited."""
    standing = "" if task is None else standing_text(TaskWithSteps(task.task, task.steps), TASK_TOKENS, tokens.estimate)
    sections = {
        "messages": [_said(message, language) for message in messages],
        "task": [" ".join(standing.split())],
        "memories": [f"[{memory_ref(each.id)}] {each.content}" for each in memories],
        "episodes": [f"[{EPISODES.ref(each)}] {episode_line(each)}" for each in episodes],
        "knowledge": [f"[{KNOWLEDGES.ref(each)}] {knowledge_line(each)}" for each in knowledge],
        "guides": [f"[{ref}] {line}" for ref, line in guides],
    }
    return "\n\n".join(_sections(sections, language))


def _sections(sections: dict[str, list[str]], language: str) -> Iterator[str]:
    for name, lines in sections.items():
        if any(lines):
            heading = words.text("work.sections", name, language)
            yield "\n".join((f"## {heading}", *(f"- {line}" for line in lines)))


def _said(message: Message, language: str) -> str:
    """On one line and without what nobody can see: what somebody said can not look like a section. A round is stored
    word for word, for quotes point into it; other kinds were cleaned when they were stored."""
    said = fitted(clean_memory(message.content), MESSAGE_TOKENS)
    return words.text("work.speakers", message.role.value, language).format(said)

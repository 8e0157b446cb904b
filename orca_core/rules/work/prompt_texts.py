"""Tell the model of work: an episode or knowledge on one line, the current task, a context in sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce

from orca_core import words
from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import Memory
from orca_core.model.record_types import Ref, memory_ref
from orca_core.model.sessions import Round
from orca_core.model.tasks import Step, StepStatus, TaskView, TaskWithSteps
from orca_core.model.views import Message, Role
from orca_core.prompts import builtin, fill
from orca_core.rules.text import token_count
from orca_core.rules.text.cleaning import ELLIPSIS, clean_memory, one_line
from orca_core.rules.text.spelling import language_of
from orca_core.rules.text.token_count import cut_to_tokens
from orca_core.rules.work.task_changes import MAX_STEP_CHARS

EPISODE_TOKENS = 60
KNOWLEDGE_TOKENS = 120
"""No line costs more (LIFE 2)."""


def episode_line(episode: Episode) -> str:
    """Tell how it ended, what it was about, what was done, when. Of many steps the last ones: they are what it came
    to. Where one is too long, it and what it was about are cut alike."""
    trigger = _on_one_line(episode.trigger_summary)
    done = _lines_said(episode.steps) or _lines_said([episode.outcome_summary])
    language = language_of(" ".join((trigger, *done)))

    def line(trigger: str, steps: Sequence[str]) -> str:
        said = f"{trigger} → {_steps_of(steps, language)}" if steps else trigger
        return (
            f"{words.text('work.told', episode.outcome.value, language).format(said)} ({episode.created_at:%Y-%m-%d})"
        )

    for first in range(max(1, len(done))):
        whole = line(trigger, [ELLIPSIS, *done[first:]] if first else done)
        if token_count.estimate(whole) <= EPISODE_TOKENS:
            return whole
    room = EPISODE_TOKENS
    while (
        token_count.estimate(
            made := line(cut_to_tokens(trigger, room), [cut_to_tokens(each, room) for each in done[-1:]])
        )
        > EPISODE_TOKENS
    ):
        room -= 1
    return made


def knowledge_line(knowledge: Knowledge) -> str:
    """Return what it is about, and its points, in their order; where it has none, what it says."""
    topic = cut_to_tokens(_on_one_line(knowledge.topic), KNOWLEDGE_TOKENS // 2)
    points = _lines_said(knowledge.key_points) or _lines_said([knowledge.content])
    if not points:
        return topic
    language = language_of(" ".join((topic, *points)))
    return cut_to_tokens(_with(topic, "point", language, _steps_of(points, language)), KNOWLEDGE_TOKENS)


def _steps_of(steps: Sequence[str], language: str) -> str:
    return reduce(lambda before, step: _with(before, "step", language, step), steps)


def _with(before: str, join: str, language: str, behind: str) -> str:
    return before + words.text("work.joins", join, language).format(behind)


def _lines_said(texts: Iterable[str]) -> list[str]:
    return [line for text in texts if (line := _on_one_line(text))]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


SHARE = 1 / 3
"""The most of the budget of memory that the current task takes."""
LAST_STEPS = 8
"""So many of the steps that are over are told at most. Chosen by hand."""
REQUEST_CHARS = (600, 300, 150, 75, 40)
"""How much of the request is told, where not all of it fits. Chosen by hand."""

_FIELDS = ("request", "target", "summary", "done", "all", "last", "now")
_MARKS = {StepStatus.COMPLETED: "✓", StepStatus.FAILED: "✗"}


def current_task_text(whole: TaskWithSteps, limit: int, cost: Callable[[str], int]) -> str:
    """As much of it as costs no more than the limit: the oldest steps go first, then what is said about it, then the
    end of the request, at last where it stands. Empty where nothing fits."""
    for told in _less_and_less(whole):
        if cost(text := _text(whole.task.request, told)) <= limit:
            return text
    return ""


def _less_and_less(whole: TaskWithSteps) -> Iterator[Mapping[str, str]]:
    """The fields of the prompt, each time with less in them."""
    over = [step for step in whole.steps if step.status in _MARKS]
    request, summary = (one_line(each, len(each)) for each in (whole.task.request, whole.task.summary))
    now = "; ".join(_step_said(step) for step in _now(whole.steps))
    standing = {"target": one_line(whole.task.target, len(whole.task.target)), "now": now}
    for count in range(min(LAST_STEPS, len(over)), 0, -1):
        last = "; ".join(f"{_MARKS[step.status]} {_step_said(step)}" for step in over[-count:])
        steps = {"done": str(len(over)), "all": str(len(whole.steps)), "last": last}
        yield {"request": request, "summary": summary, **standing, **steps}
    yield {"request": request, "summary": summary, **standing}
    for chars in (len(request), *REQUEST_CHARS):
        yield {"request": one_line(request, chars), **standing}
    yield {"request": one_line(request, REQUEST_CHARS[-1])}


def _text(request: str, told: Mapping[str, str]) -> str:
    """The lines of the prompt for which there is something to say, as one."""
    lines = builtin(f"current_task.{language_of(request)}").splitlines()
    fields = {**dict.fromkeys(_FIELDS, ""), **told}
    said = [line for line in lines if all(value or f"{{{name}}}" not in line for name, value in fields.items())]
    return " ".join(fill(line, **fields) for line in said)


def _step_said(step: Step) -> str:
    return one_line(step.description, MAX_STEP_CHARS)


def _now(steps: Sequence[Step]) -> Sequence[Step]:
    """Return what is being done, else what waits first."""
    doing = [step for step in steps if step.status is StepStatus.IN_PROGRESS]
    return doing[-1:] or [step for step in steps if step.status is StepStatus.PENDING][:1]


MESSAGE_TOKENS = 200
"""So much of a message stands in the text. Chosen by hand; the typed context has all of it."""
TASK_TOKENS = 400
"""So much the current task takes of the text. Chosen by hand."""

Said = tuple[str, str]
"""A role and what was said."""


def is_idle(rounds: Sequence[Round], now: datetime, idle_s: float) -> bool:
    """Tell whether nobody has said anything for so long that the next question begins anew."""
    return bool(rounds) and now - rounds[-1].at > timedelta(seconds=idle_s)


def messages_of(rounds: Sequence[Round]) -> tuple[Message, ...]:
    """Return what was said in these rounds, oldest first."""
    return tuple(
        Message(role, content, each.at, each.number)
        for each in rounds
        for role, content in ((Role.USER, each.user), (Role.ASSISTANT, each.assistant))
        if content.strip()
    )


def unstored_messages(stored: Sequence[Said], given: Sequence[Said], *, is_whole: bool) -> list[Said]:
    """Return what follows in `given` on what is stored already. `stored` is the whole session, or its latest messages:
    what was given begins with them, or with earlier ones that were not looked at, or shares nothing with them."""
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
    standing = (
        ""
        if task is None
        else current_task_text(TaskWithSteps(task.task, task.steps), TASK_TOKENS, token_count.estimate)
    )
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
    said = cut_to_tokens(clean_memory(message.content), MESSAGE_TOKENS)
    return words.text("work.speakers", message.role.value, language).format(said)

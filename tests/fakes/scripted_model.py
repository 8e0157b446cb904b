"""A chat model that says what a test wrote down for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from orca_core import prompts
from orca_core.model.learning import Subject
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta, Usage
from orca_core.rules.learning.fact_extraction import ended

NO_PREFERENCES = '{"preferences": []}'
NO_EPISODES = '{"episodes": []}'
Step = ModelEvent | Exception | Callable[[], Awaitable[None]]


def says(text: str, *, pieces: int = 3, usage: Usage | None = None, finish: Finish = Finish.STOP) -> list[Step]:
    """An answer in so many pieces, ended well."""
    size = max(1, -(-len(text) // pieces))
    steps: list[Step] = [TextDelta(text[start : start + size]) for start in range(0, len(text), size)]
    return [*steps, Completed(finish, usage)]


def answers(*says_so: bool, noun: str = "fact", words: Sequence[str] = (), known: Sequence[object] = ()) -> list[Step]:
    """The script of a verifier that says this of each fact, or statement; perhaps with the words that say it, and how
    it stands to a known note."""
    said = [{noun: number, "why": "-", "says_so": each} for number, each in enumerate(says_so, start=1)]
    for name, values in (("words", words), ("known", known)):
        for row, value in zip(said, values, strict=False):
            row[name] = value  # type: ignore[assignment]
    return says(json.dumps({"answers": said}, ensure_ascii=False))


def names(memory_id: int, relation: str) -> dict[str, object]:
    """How a fact stands to a known note, as the verifier says it."""
    return {"id": memory_id, "relation": relation}


class ScriptedModel:
    """Plays one script a call, the last one for ever; keeps every request. The verifier has requests and scripts of
    its own for every subject; without a script it confirms all that it is asked about. So have a reading for episodes,
    which finds none without a script, and a reading of acts."""

    provider = "scripted"
    model = "scripted-1"
    endpoint = "http://scripted/v1"

    def __init__(
        self,
        *scripts: Sequence[Step],
        verifier: Sequence[Sequence[Step]] = (),
        episodes: Sequence[Sequence[Step]] = (),
        verifier_episodes: Sequence[Sequence[Step]] = (),
        verifier_guides: Sequence[Sequence[Step]] = (),
        acts: Sequence[Sequence[Step]] = (),
        promotions: Sequence[Sequence[Step]] = (),
        context_tokens: int = 64_000,
        is_demo: bool = False,
    ) -> None:
        self.scripts = [list(script) for script in scripts] or [says("ok")]
        self.requests: list[ChatRequest] = []
        self.verifier_scripts = [list(script) for script in verifier]
        self.verifier_requests: list[ChatRequest] = []
        self.verifier_episode_scripts = [list(script) for script in verifier_episodes]
        self.verifier_episode_requests: list[ChatRequest] = []
        self.verifier_guide_scripts = [list(script) for script in verifier_guides]
        self.verifier_guide_requests: list[ChatRequest] = []
        self.episode_scripts = [list(script) for script in episodes] or [says(NO_EPISODES)]
        self.episode_requests: list[ChatRequest] = []
        self.act_scripts = [list(script) for script in acts] or [says(NO_PREFERENCES)]
        self.act_requests: list[ChatRequest] = []
        self.promotion_scripts = [list(script) for script in promotions]
        self.promotion_requests: list[ChatRequest] = []
        self.context_tokens = context_tokens
        self.is_demo = is_demo
        self.closed_streams = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        script = self._next(request)
        try:
            for step in script:
                if isinstance(step, Exception):
                    raise step
                if callable(step):
                    await step()
                else:
                    await asyncio.sleep(0)
                    yield step
        finally:
            self.closed_streams += 1

    async def aclose(self) -> None:
        return None

    def _next(self, request: ChatRequest) -> Sequence[Step]:
        if '{"episodes":' in request.messages[0].content:
            self.episode_requests.append(request)
            return self.episode_scripts[min(len(self.episode_requests), len(self.episode_scripts)) - 1]
        if '{"preferences":' in request.messages[0].content:
            self.act_requests.append(request)
            return self.act_scripts[min(len(self.act_requests), len(self.act_scripts)) - 1]
        if to_promote(request) is not None:
            self.promotion_requests.append(request)
            scripts, asked = self.promotion_scripts, len(self.promotion_requests)
            return scripts[min(asked, len(scripts)) - 1] if scripts else answers(True)
        by_subject = {
            Subject.FACTS: (self.verifier_scripts, self.verifier_requests),
            Subject.EPISODES: (self.verifier_episode_scripts, self.verifier_episode_requests),
            Subject.GUIDES: (self.verifier_guide_scripts, self.verifier_guide_requests),
        }
        if (subject := verified_subject(request)) in by_subject:
            scripts, requests = by_subject[subject]
            requests.append(request)
            found = self.scripts[min(len(self.requests), len(self.scripts)) - 1]
            return scripts[min(len(requests), len(scripts)) - 1] if scripts else confirmed(request, found)
        for noun, scripts, requests in (
            ("fact", self.verifier_scripts, self.verifier_requests),
            ("statement", self.verifier_episode_scripts, self.verifier_episode_requests),
            ("sentence", self.verifier_guide_scripts, self.verifier_guide_requests),
        ):
            if count := asked_about(request, noun):
                requests.append(request)
                every = answers(*[True] * count, noun=noun)
                return scripts[min(len(requests), len(scripts)) - 1] if scripts else every
        self.requests.append(request)
        return self.scripts[min(len(self.requests), len(self.scripts)) - 1]

    def last_prompt(self) -> list[str]:
        """The texts of the latest request."""
        return [message.content for message in self.requests[-1].messages]


def verified_subject(request: ChatRequest) -> Subject | None:
    """Whose criteria the verifier is told; None where it is not asked."""
    instructions = request.messages[0].content
    for subject in Subject:
        name = f"verifier_{subject.value}"
        if name in prompts.names() and any(prompts.builtin(f"{name}.{each}") in instructions for each in ("en", "zh")):
            return subject
    return None


def confirmed(request: ChatRequest, found: Sequence[Step] = ()) -> list[Step]:
    """The script of a verifier that says yes to every fact, and names the typed words that come nearest to it; and as
    replaced the note that the extractor, which has `found` the facts, says that it replaces or retracts."""
    material = json.loads(request.messages[-1].content)
    facts = material["facts"]
    said = [str(each["typed"]) for each in material.get("messages", ())]
    words = [str(each.get("quote") or _nearest(str(each["says"]), said)) for each in facts]
    gone = _ended_by(found)
    known = [next((names(note["id"], "replaces") for note in material.get("known", ())
                   if _letters(note["text"]) == _letters(gone.get(_letters(str(each["says"])), "-"))), None)
             for each in facts]  # fmt: skip
    return answers(*[True] * len(facts), words=words, known=known)


def _ended_by(found: Sequence[Step]) -> dict[str, str]:
    """What each fact of an extractor's answer replaces or retracts, by what it says."""
    try:
        facts = json.loads("".join(step.text for step in found if isinstance(step, TextDelta)))["facts"]
    except (ValueError, TypeError, KeyError):
        return {}
    rows = [each for each in facts if isinstance(each, dict)]
    return {
        _letters(str(row.get("content") or ended(str(row.get("retract"))))): str(row.get("replace") or row["retract"])
        for row in rows
        if row.get("replace") or row.get("retract")
    }


def _letters(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())


def _nearest(text: str, said: Sequence[str]) -> str:
    """Of all lines that were typed the one that shares most pairs of letters with a text."""
    lines = [line for each in said for line in each.splitlines() if line.strip()]
    pairs = {text[place : place + 2] for place in range(len(text))}
    return max(lines, key=lambda line: sum(pair in line for pair in pairs), default="")


BESIDE = {"messages", "known", "tool", "parameters", "inputs"}
"""What stands in the material of a verification beside what it is about."""


def asked_about(request: ChatRequest, noun: str) -> int:
    """How many facts, statements or claims a verification asks about; 0 where the request is none."""
    try:
        material = json.loads(request.messages[-1].content)
    except ValueError:
        return 0
    is_one = isinstance(material, dict) and f"{noun}s" in material and material.keys() <= BESIDE | {f"{noun}s"}
    return len(material[f"{noun}s"]) if is_one else 0


def to_promote(request: ChatRequest) -> str | None:
    """What the verifier is asked about that is to go live by acts; None where the request is none such."""
    try:
        material = json.loads(request.messages[-1].content)
    except ValueError:
        return None
    is_one = isinstance(material, dict) and material.keys() == {"acts", "said", "facts"}
    return str(material["facts"][0]["says"]) if is_one else None


async def hang() -> None:
    """A step at which the model falls silent."""
    await asyncio.sleep(3600)

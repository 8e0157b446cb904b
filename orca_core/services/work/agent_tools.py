"""Memory as tools that an agent may call: each answers in text, and says in fields of its own what was not found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from orca_core.model.memories import Added, Memory
from orca_core.model.records import memory_ref
from orca_core.model.tools import GuideView, ToolAnswer, ToolsFound
from orca_core.model.views import SearchResult
from orca_core.services.shared.given import checked
from orca_core.services.work.memory import AgentMemory

FOUND = 5
"""So many memories a keyword, and for a conversation."""
MAX_QUERY_CHARS = 2000
NOTHING_NEAR = "nothing near enough was found"
ONLY_NEWEST = "only the newest memories were compared by meaning, for the index is being made"
ToolMemory = Callable[[str], Awaitable[ToolsFound]]


@checked
class AgentTools:
    """In one session of one scope."""

    def __init__(self, memory: AgentMemory, tool_memory: ToolMemory, session_id: str) -> None:
        self._memory = memory
        self._tool_memory = tool_memory
        self._session_id = session_id

    async def record_to_memory(self, thinking: str, content: Sequence[str]) -> ToolAnswer:  # noqa: ARG002  # the agent's own: it is asked for, and not kept
        """What an agent wants remembered of the user waits for the user: it is no word of the user's."""
        additions = (await self._memory.propose(self._session_id, content)).additions
        if not additions:
            return ToolAnswer(note="there was nothing to record")
        dropped = tuple(each.memory.content for each in additions if each.outcome is Added.DROPPED)
        waiting = sum(each.outcome in (Added.CREATED, Added.RESTORED) for each in additions)
        known = len(additions) - waiting - len(dropped)
        found = tuple(each.memory.id for each in additions if each.outcome is not Added.DROPPED)
        note = f"{waiting} recorded, {known} known already, {len(dropped)} refused; the user confirms what is recorded"
        return ToolAnswer("", found, dropped, note)

    async def retrieve_from_memory(self, keywords: Sequence[str]) -> ToolAnswer:
        """What is remembered near each keyword, every memory once."""
        asked = [each.strip() for each in dict.fromkeys(keywords) if each.strip()]
        found: dict[int, Memory] = {}
        nothing_for = []
        rules: dict[str, None] = {}
        for keyword in asked:
            result = await self._search(keyword)
            hits = result.hits
            rules |= dict.fromkeys(result.rules)
            found.update((hit.memory.id, hit.memory) for hit in hits if hit.memory.id not in found)
            if not hits:
                nothing_for.append(keyword)
        nothing = "no keyword was given" if not asked else NOTHING_NEAR
        return _told(list(found.values()), nothing_for, nothing, rules)

    async def retrieve(self, messages: Sequence[Mapping[str, Any]]) -> ToolAnswer:
        """What is remembered near what was said last, by whomever."""
        said = [each["content"] for each in messages if isinstance(each.get("content"), str)]
        asked = "\n".join(said)[-MAX_QUERY_CHARS:].strip()
        if not asked:
            return ToolAnswer(note="no message was given")
        result = await self._search(asked)
        return _told([hit.memory for hit in result.hits], [], NOTHING_NEAR, result.rules)

    async def record(self, messages: Sequence[Any]) -> ToolAnswer:
        """Keeps what was said, each message under its true role, once however often it is sent; one that is none is
        refused by itself."""
        kept = await self._memory.save_messages(self._session_id, messages)
        said = [f"rounds {', '.join(map(str, kept.rounds))} kept" if kept.rounds else "nothing new"]
        said += [f"{kept.known} known already"] if kept.known else []
        return ToolAnswer(
            nothing_for=tuple(f"message {place}: {why}" for place, why in kept.refused), note=", ".join(said)
        )

    async def tool_memory_retrieve(self, query: str) -> ToolAnswer:
        """What is known of the tools that are named, between commas."""
        known = await self._tool_memory(query)
        written = [each for each in known.found if each.guide is not None]
        unwritten = tuple(each.figures.tool for each in known.found if each.guide is None)
        note = "" if written else "no guide of these tools is written yet" if unwritten else "these tools are not known"
        return ToolAnswer(
            "\n\n---\n\n".join(map(_guide_text, written)),
            tuple(each.figures.tool for each in written),
            (*known.unknown, *unwritten),
            note,
        )

    async def _search(self, query: str) -> SearchResult:
        return await self._memory.search_memories(query, FOUND)


def _told(
    memories: Sequence[Memory], nothing_for: Sequence[str], nothing: str, rules: Iterable[str] = ()
) -> ToolAnswer:
    """One line a memory, with the name by which it is cited: a memory can not look like two."""
    lines = [f"- [{memory_ref(each.id)}] {' '.join(each.content.split())}" for each in memories]
    found = tuple(each.id for each in memories)
    notes = ([] if memories else [nothing]) + ([ONLY_NEWEST] if "newest_alone" in rules else [])
    return ToolAnswer("\n".join(lines), found, tuple(nothing_for), "; ".join(notes))


def _guide_text(view: GuideView) -> str:
    figures = view.figures
    rate = f"{figures.calls} calls, {figures.success_rate:.0%} succeeded"
    return f"Tool: {figures.tool} ({rate})\n{view.guide.text if view.guide else ''}"

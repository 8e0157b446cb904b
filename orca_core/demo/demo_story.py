"""A model that plays a small story, so that `orca demo` shows memory at work without a network; its home."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from datetime import datetime

from msgspec import Struct

from orca_core import words
from orca_core.demo.demo_model import PIECE, look_up, look_up_of, said_to
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta, ToolsCalled, Usage
from orca_core.model.memories import MemoryType, NewMemory
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.memories import MemoryStore
from orca_core.rules.text.spelling import Language, language_of
from orca_core.rules.text.token_count import estimate_messages

PAUSE_S = 0.02


class StoryMemory(Struct, frozen=True):
    """A memory that the story begins with."""

    content: str
    type: str
    weight: float
    tags: tuple[str, ...] = ()
    pinned: bool = False


class StoryRound(Struct, frozen=True):
    """What is asked, what is answered, and what the model looks up before it answers."""

    question: str
    answer: str
    query: str = ""


class Story(Struct, frozen=True):
    """What is remembered at the start, and what is said."""

    memories: tuple[StoryMemory, ...]
    rounds: tuple[StoryRound, ...]
    more: str


STORIES: Mapping[Language, Story] = {
    "en": Story(
        (
            StoryMemory("Lin wants short answers", "instruction", 9.2, pinned=True),
            StoryMemory("postgres is pinned to version 16 and listens on port 5433", "project", 3.0, ("技术",)),
            StoryMemory("Give the command first, then explain docker errors", "instruction", 5.7),
            StoryMemory("The docker test machine is 10.0.0.7", "fact", 0.5, ("技术",)),
            StoryMemory("Lin uses neovim inside tmux", "preference", 2.5, ("偏好",)),
            StoryMemory("The staging server is called heron", "fact", 1.6),
            StoryMemory("Lin is a backend engineer and writes Go", "fact", 2.1, ("工作",)),
        ),
        (
            StoryRound("Back at the deployment.", "Welcome back, Lin. What is broken?"),
            StoryRound(
                "The postgres in docker refuses connections, same as last time?",
                "Very likely: you pinned postgres to 16 and moved it to **port 5433** [m2]. Look at the mapping"
                " first [m3]:\n\n```sh\ndocker compose ps postgres\n```\n\nIf `PORTS` does not show 5433, set"
                " `ports` in `compose.yaml` back to `5433:5432`.",
                "postgres port, docker compose",
            ),
            StoryRound(
                "Fixed, it connects. From now on remind me to check the port first.",
                "Will do: for connection problems I ask about the port mapping first.",
            ),
        ),
        "This is the end of the story. Leave with ctrl+q; `orca` begins your own.\n\nTo see it look something up, ask:"
        " “The postgres in docker refuses connections, same as last time?”",
    ),
    "zh": Story(
        (
            StoryMemory("用户叫小林，用中文简短回答", "instruction", 9.2, pinned=True),
            StoryMemory("postgres 固定在 16，端口 5433", "project", 3.0, ("技术",)),
            StoryMemory("docker 报错先给命令，再解释", "instruction", 5.7),
            StoryMemory("docker 测试机 IP 是 10.0.0.7", "fact", 0.5, ("技术",)),
            StoryMemory("用户写代码用 neovim，开在 tmux 里", "preference", 2.5, ("偏好",)),
            StoryMemory("预发布服务器叫 heron", "fact", 1.6),
            StoryMemory("用户是后端工程师，主要写 Go", "fact", 2.1, ("工作",)),
        ),
        (
            StoryRound("回来接着弄部署。", "欢迎回来，小林。哪里出了问题？"),
            StoryRound(
                "docker 里的 postgres 连不上，和上次一样吗？",
                "很像上次：你把 postgres 固定在 16，并改用 **5433 端口** [m2]。先看容器的端口映射 [m3]：\n\n"
                "```sh\ndocker compose ps postgres\n```\n\n如果 `PORTS` 里没有 5433，把 `compose.yaml` 的 `ports`"
                " 改回 `5433:5432`。",
                "postgres 端口 docker",
            ),
            StoryRound("改好了，可以连了。以后都提醒我先看端口。", "好的，以后遇到连接问题我会先问端口映射。"),
        ),
        "故事到这里就完了。按 ctrl+q 离开；`orca` 开始你自己的。\n\n想看它查找记忆，可以问："
        "“docker 里的 postgres 连不上，和上次一样吗？”",
    ),
}


def story_in(language: Language) -> Story:
    """The story in a language; in English where it is not told in that one."""
    return STORIES.get(language, STORIES[words.ENGLISH])


def questions(language: Language) -> list[str]:
    """What the user says in the story."""
    return [each.question for each in story_in(language).rounds]


class StoryModel:
    """Answers a question of the story as the story goes; its weights move like any other model's."""

    provider = "story"
    model = "orca-story"
    endpoint = ""
    is_demo = False
    context_tokens = 64_000

    def __init__(self, pause_s: float = PAUSE_S) -> None:
        self._pause_s = pause_s

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        asked = next(each.content for each in reversed(request.messages) if each.role == "user")
        story = story_in(language_of(asked))
        told = next((each for each in story.rounds if asked.endswith(each.question)), None)
        spent = estimate_messages(request.messages)
        call = look_up(request) if told is None else look_up_of(request, told.query)
        if call is not None:
            yield ToolsCalled((call,))
            yield Completed(Finish.STOP, Usage(spent, len(call.arguments) // 3, cached_tokens=spent * 3 // 4))
            return
        answer = _behind_its_end(request, story) if told is None else told.answer
        for piece in PIECE.findall(answer):
            await asyncio.sleep(self._pause_s)
            yield TextDelta(piece)
        yield Completed(Finish.STOP, Usage(spent, len(answer) // 3, cached_tokens=spent * 3 // 4))

    async def aclose(self) -> None:
        return None


def _behind_its_end(request: ChatRequest, story: Story) -> str:
    """The chat goes on as the demo's does; the first answer says that the story is over."""
    said = said_to(request)
    is_told = any(each.role == "assistant" and story.more in each.content for each in request.messages)
    return said if is_told else f"{said}\n\n{story.more}"


async def furnish(memories: MemoryStore, language: Language, at: datetime) -> None:
    """Put the story's memories into an empty store, each with the weight that it has in the story."""
    weights: dict[int, float] = {}
    for each in story_in(language).memories:
        new = NewMemory(each.content, MemoryType(each.type), each.tags, pinned=each.pinned)
        added = await memories.add(new, OperationHeader(Actor.USER, "add", at))
        weights[added.memory.id] = each.weight
    header = OperationHeader(Actor.USER, "edit", at)
    await memories.change_all(
        list(weights), header, lambda found: {memory.id: {"weight": weights[memory.id]} for memory in found}
    )

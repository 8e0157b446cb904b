"""Acts of the user, recorded and listed, and three pools of what is known of the user by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.feedback import (
    TAKE_BACK,
    Action,
    ActionRecorded,
    ActionState,
    ActionType,
    PromotionScore,
    SupportDays,
    SupportedMemory,
    Visits,
)
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import ACTION
from orca_core.model.views import MemoryQuery, MemorySort, MemoryView, RecordPage, RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion, signals
from orca_core.rules.memory import memory_curation
from orca_core.rules.text.dates import moment
from orca_core.services.shared.views import Views
from orca_core.services.tools import Tools
from orca_core.settings import ActionSettings, MemorySettings


class Actions:
    """What the user's acts are. `changed` is called after each that was new."""

    def __init__(
        self,
        stores: Stores,
        changed: Callable[[], None],
        clock: Clock,
        settings: ActionSettings,
        tools: Tools,
    ) -> None:
        self._store = stores.feedback
        self._records = stores.records[ACTION]
        self._changed = changed
        self._clock = clock
        self._settings = settings
        self._tools = tools

    @property
    def is_on(self) -> bool:
        return self._settings.enabled

    async def record(
        self,
        type_word: str,
        session_id: str,
        *,
        round: int | None = None,  # as its users call it
        round_id: int | None = None,
        message: str = "",
        task: int | None = None,
        tool: str = "",
        call: str = "",
        data: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> ActionRecorded | None:
        """None where acts are switched off; what takes back is taken all the same, and so are the calls of a task that
        stopped, which are all that is kept of its session. Raises InvalidInput where the act is unknown, does not say
        what it is about, or says it with what can be none."""
        type_ = signals.action_type(type_word)
        now = self._clock.now()
        done_at = now if at is None else moment(at)
        given = dict(data or {})
        content = given.pop("session_content", None) if type_ is ActionType.TASK_STOP else None
        action = signals.checked_act(
            Action(
                id=0,
                uid="",
                type=type_,
                session_id=session_id,
                at=min(done_at, now),
                round=round,
                round_id=round_id,
                message=message,
                task=task,
                tool=tool,
                call=call,
                data=given,
            )
        )
        recorded = await self._recorded(action, now)
        if type_ is not ActionType.TASK_STOP:
            return recorded if recorded.is_kept else None
        return replace(recorded, calls=await self._tools.record_session(content, session_id))

    async def _recorded(self, action: Action, now: datetime) -> ActionRecorded:
        """What takes back is always taken."""
        if not self.is_on and action.type not in TAKE_BACK:
            return ActionRecorded(action, None)
        header = OperationHeader(Actor.USER, action.type.value.lower(), now, action.session_id or None, action.round)
        recorded = await self._store.record(action, header)
        if not recorded.is_known:
            self._changed()
        return recorded

    async def marks(self, session_id: str) -> list[Action]:
        """The acts of a session that stand and show as marks."""
        return await self._store.standing(session_id, signals.MARKS)

    async def get(self, ids: Sequence[int]) -> list[Action]:
        return await self._records.get(ids)

    async def speaks_for(self, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """The memories that each of these acts supports, as far as both stand; only acts that support some."""
        return await self._store.speaks_for(ids) if ids else {}

    async def page(
        self,
        *,
        session_id: str | None = None,
        type_words: Sequence[str] = (),
        standing: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> RecordPage[Action]:
        """Newest first; with `standing` those alone that were not taken back, without those that take back where no
        type is named."""
        states = (ActionState.STANDING,) if standing else (ActionState.STANDING, ActionState.WITHDRAWN)
        where: dict[str, tuple[Any, ...]] = {"state": tuple(each.value for each in states)}
        if type_words:
            where["type"] = tuple(signals.action_type(word).value for word in type_words)
        elif standing:
            where["type"] = tuple(each.value for each in ActionType if each not in TAKE_BACK)
        if session_id is not None:
            where["session_id"] = (session_id,)
        return await self._records.page(RecordQuery(where, limit=limit, offset=offset))


class Pools:
    """Candidates with how near they are to going live; user info and profile as lists of memories."""

    def __init__(self, stores: Stores, views: Views, clock: Clock, memory: MemorySettings) -> None:
        self._supports = stores.feedback
        self._memories = stores.memories
        self._views = views
        self._clock = clock
        self._memory = memory

    async def weighed(self, memory_ids: Sequence[int] | None = None) -> Mapping[int, PromotionScore]:
        """How near these candidates are to going live, every one where none are named. What is no candidate is left
        out."""
        if memory_ids is not None and not memory_ids:
            return {}
        if memory_ids is None:
            return self._standings(await self._supports.pool())
        weighed = self._standings(*await self._supports.pool_about(promotion.UNPROVEN, memory_ids))
        return {number: weighed[number] for number in memory_ids if number in weighed}

    def _standings(
        self, pool: Sequence[SupportedMemory], others: Sequence[Visits] = ()
    ) -> Mapping[int, PromotionScore]:
        promote, now = self._memory.promote, self._clock.now()
        return promotion.standings_of(
            pool, now, temperature=promote.temperature, min_support=promote.min_support, others=others
        )

    async def page(self, pool: str, limit: int | None = None, offset: int = 0) -> RecordPage[MemoryView]:
        """`candidates`, oldest first; `info` and `profile`, the weightiest first. Raises InvalidInput."""
        chosen = promotion.pool_of(pool)
        query = MemoryQuery(
            memory_curation.criteria(chosen.status, self._memory.long_term.core_threshold),
            types=chosen.types,
            sort=MemorySort.WEIGHT if chosen.types else MemorySort.ID,
            limit=limit,
            offset=offset,
        )
        page = await self._memories.page(query)
        return RecordPage(tuple(map(self._views, page.records)), page.total)

    async def carried(self, memory_ids: Sequence[int]) -> Mapping[int, SupportDays]:
        """What speaks for these memories, also for such as live; those that nothing speaks for are left out."""
        found = await self._supports.supports_of(memory_ids)
        return {number: SupportDays(promotion.days_of(each), each) for number, each in found.items()}

    async def searched(self, memory_ids: Sequence[int]) -> None:
        """A program's search returned these: the candidates among them are visited by that."""
        if memory_ids:
            await self._supports.note_searched(memory_ids, self._clock.now())


class Feedback(Struct, frozen=True):
    """Acts, and the pools that they fill."""

    actions: Actions
    pools: Pools

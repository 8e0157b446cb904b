"""Every setting, its default and what it means. Names and nesting are those of config.toml (docs/configuration.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A whole number."""
Amount = Annotated[float, Meta(ge=0, le=1_000_000_000)]
"""A number."""
Share = Annotated[float, Meta(ge=0, le=1)]
"""A part of a whole."""
Weight = Annotated[float, Meta(ge=0, le=100)]
"""A weight of a memory."""

_YEAR_S = 365 * 86_400
Seconds = Annotated[float, Meta(gt=0, le=_YEAR_S, description='a duration such as "90s", "2m" or "1.5h"')]
"""In the file a number of seconds, or a text with its unit (`"90s"`, `"30m"`)."""
SecondsOrNone = Annotated[float, Meta(ge=0, le=_YEAR_S, description='a duration such as "90s", "2m" or "1.5h"')]
"""Seconds, or no time at all (`"0d"`)."""

Line = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\ud800-\udfff]*\Z")]
"""A text without control characters."""
Lines = Annotated[str, Meta(pattern=r"\A[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*\Z")]
"""A text that may have lines and tabs, and no other control characters."""


class TaskSettings(Struct, frozen=True, kw_only=True):
    """What is being worked on."""

    enabled: bool = True
    """Without it the current task is not put before the model."""


class EpisodeSettings(Struct, frozen=True, kw_only=True):
    """What was done and how it ended."""

    enabled: bool = True
    """Without it no episode is made or recalled."""
    from_chats: bool = True
    """When a chat ends, the memory agent reads it for problems that were worked on."""


class ConsolidateSettings(Struct, frozen=True, kw_only=True):
    """What several episodes on one target teach."""

    enabled: bool = True
    """Without it no knowledge is made."""
    min_episodes: Annotated[int, Meta(ge=1, le=1000)] = 3
    """So many episodes on one target become knowledge."""


class ForgetSettings(Struct, frozen=True, kw_only=True):
    """Which episodes fade."""

    enabled: bool = True
    """Without it none is forgotten by itself."""
    threshold: Share = 0.25
    """An episode less important than this is forgotten, once it is old enough."""
    max_episodes: Annotated[int, Meta(ge=0, le=1_000_000)] = 10_000
    """Of more episodes the least important are forgotten."""
    min_age: SecondsOrNone = 604_800.0
    """No episode is forgotten before this age."""
    grace: SecondsOrNone = 2_592_000.0
    """So long a forgotten episode can be restored; then it is deleted for good. `0d` deletes at once."""


class ActionSettings(Struct, frozen=True, kw_only=True):
    """What acts show."""

    enabled: bool = True
    """Without it no act is recorded."""


class PromoteSettings(Struct, frozen=True, kw_only=True):
    """When what acts show goes live by itself."""

    enabled: bool = True
    """Without it only a person makes a candidate live, or typed words."""
    temperature: Share = 0.001
    """How fast the last visit grows old, an hour."""
    min_support: Annotated[int, Meta(ge=1, le=100)] = 3
    """A candidate goes live after supports on so many days. 1 lets a single fresh guess pass."""


class ToolSettings(Struct, frozen=True, kw_only=True):
    """What calls of tools teach."""

    enabled: bool = True
    """Without it no call is kept, and no guide put before the model."""
    summary_count: Annotated[int, Meta(ge=1, le=1000)] = 5
    """A tool's guide is written anew once more calls than this are new."""
    summary_after: Seconds = 300.0
    """Or once any is, and so long has passed since it was written last."""


class BackupSettings(Struct, frozen=True, kw_only=True):
    """Backups, in the folder `backups` beside the database."""

    keep: Annotated[int, Meta(ge=0, le=10_000)] = 10
    """So many stay when another is made, the newest; 0 keeps all."""


AGENTS_FOLDER = "agents"
"""Where one's own prompts are, in the home."""
DEFAULT_SYSTEM_PROMPT = ""
DEFAULT_TAGS = ("工作", "技术", "偏好", "项目", "沟通风格", "行业")


class ProviderSettings(Struct, frozen=True, kw_only=True):
    """A section with a base_url: an OpenAI-compatible server, for chat, embeddings or rerank."""

    base_url: Line
    """Where the server's API begins, such as `https://api.deepseek.com/v1`."""
    model: Line = ""
    """The chat model's name, as the server knows it."""
    api_key: str | None = None
    """The key itself, or `env:NAME`; empty falls back to `<PROVIDER>_API_KEY`."""
    api_key_cmd: tuple[Lines, ...] = ()
    """A command that prints the key, as a list of words; run without a shell, ten seconds at most."""
    timeout: Seconds = 120.0
    """The silence allowed between bytes."""
    context_tokens: Annotated[int, Meta(ge=512, le=10_000_000)] = 64_000
    """How long a prompt may be."""
    price_prompt: Amount = 0.0
    """What a million tokens of the prompt cost, to be shown; 0 where it is not known."""
    price_cached: Amount | None = None
    """What a million tokens cost that came from the provider's cache; without it, as the others."""
    price_completion: Amount = 0.0
    """What a million tokens of the answer cost."""
    currency: Line = "$"
    """The sign of the prices."""
    extra_body: dict[str, object] = {}
    """Fields that this server wants in every chat request."""

    def __repr__(self) -> str:
        """Without the key: settings end up in tracebacks and logs."""
        return f"ProviderSettings(base_url={self.base_url!r}, model={self.model!r})"


LOCAL = "local"
MEANING = "meaning"
EMBEDDERS_WITHOUT_A_SERVER = (LOCAL, MEANING)
"""What `embedding.provider` may be beside a provider's name."""


class EmbeddingSettings(Struct, frozen=True, kw_only=True):
    """What turns text into vectors."""

    provider: Line = LOCAL
    """`local` (built in), `meaning` (an extra; neither wants a network) or the name of a provider section."""
    model: Line = ""
    """The embedding model's name, as the server knows it; unused by `local` and `meaning`."""
    dimensions: Annotated[int, Meta(ge=1, le=16_384)] = 1024
    """How many numbers a vector has; checked against what comes. `local` and `meaning` have their own."""
    max_context: Count = 8192
    """The most tokens of one text."""
    send_dimensions: bool = False
    """Ask the server for `dimensions`; some servers refuse a request that names them."""
    query_timeout: Seconds = 1.0
    """How long a turn waits for the query's vector, and as long for a reranker, before it goes on without."""


class ShortTermSettings(Struct, frozen=True, kw_only=True):
    """Summaries of rounds."""

    max_items: Count = 10
    """How many a session keeps."""
    compression_threshold: Count = 200
    """Above so many characters a summary is compressed by rules."""
    ttl_days: Count = 30
    """After so many days a summary is dropped."""
    max_turns: Count = 20
    """How many of a session's latest rounds a context for programs has (`orca context`)."""


class LongTermSettings(Struct, frozen=True, kw_only=True):
    """Memories that last."""

    enabled: bool = True
    """Without it only short-term memory is used (level 3)."""
    vector_index: bool = True
    """Search vectors through the index (vec0); without it all vectors are compared."""
    max_return: Count = 2
    """How many long-term memories a turn gets, beside the pinned ones."""
    archive_threshold: Weight = 0.3
    """Below this weight a memory is archived."""
    core_threshold: Weight = 5.0
    """Above this weight a memory is core."""
    max_weight: Annotated[float, Meta(ge=0.1, le=100)] = 10.0
    """No weight rises above this."""


class WeightSettings(Struct, frozen=True, kw_only=True):
    """How a turn moves the weight of a memory that was put before the model."""

    referenced: Annotated[float, Meta(ge=0, le=10)] = 0.5
    """Added where the answer used it."""
    unreferenced: Annotated[float, Meta(ge=-10, le=0)] = -0.3
    """Added where the answer did not."""


class InjectSettings(Struct, frozen=True, kw_only=True):
    """When memories are put before the model, and which."""

    first_round_empty: bool = True
    """The first round of a session gets pinned memories only."""
    short_term_count: Count = 3
    """How many short-term memories a turn gets."""
    long_term_trigger: Literal["technical", "always", "never"] = "technical"
    """Which turns get long-term memories that are near; any but with `never` get one that is very near."""
    min_query_length: Count = 10
    """A shorter text, in UTF-8 bytes, gets nothing."""
    technical_keywords: tuple[Line, ...] = ()
    """More words that make a text technical."""
    recall_trigger: bool = True
    """Questions about what Orca knows get long-term memories, always."""
    pinned_first: bool = True
    """Pinned memories come even in the first round."""
    repeat_visible: bool = True
    """Short-term memories of rounds that stand in the prompt anyway may fill what room is left."""
    episodes: Count = 2
    """How many episodes a technical turn gets, of what is near enough."""
    knowledge: Count = 1
    """How much knowledge a technical turn gets, of what is near enough."""
    position: Literal["question", "system"] = "question"
    """Where the memory block stands: before the question, or behind the system prompt."""
    budget_ratio: Annotated[float, Meta(ge=0, le=0.9)] = 0.15
    """The share of the prompt that memory may take."""
    budget_floor: Count = 400
    """So many tokens memory may always take."""
    lookups: Count = 2
    """How often the model may look up in a turn what is remembered, where its server takes tools; 0: never."""


class ReferenceSettings(Struct, frozen=True, kw_only=True):
    """How the use of a memory is observed."""

    cite: bool = True
    """Ask the model to name what it uses, as `[m7]`; taken out before the answer is shown."""


class MemorySettings(Struct, frozen=True, kw_only=True):
    """All of memory."""

    enabled: bool = True
    """Without it nothing is recalled and nothing is kept but the messages (level 4)."""
    max_history: Count = 100
    """How many rounds stand in the prompt verbatim; past it twenty at a time are left out."""
    session_idle: Seconds = 1800.0
    """A session that was silent so long has ended."""
    inbox_expire: Annotated[int, Meta(ge=0, le=36_500)] = 90
    """After so many days without a decision a candidate is rejected as `expired`; 0 is never."""
    short_term: ShortTermSettings = ShortTermSettings()
    long_term: LongTermSettings = LongTermSettings()
    weights: WeightSettings = WeightSettings()
    inject: InjectSettings = InjectSettings()
    references: ReferenceSettings = ReferenceSettings()
    tasks: TaskSettings = TaskSettings()
    episodes: EpisodeSettings = EpisodeSettings()
    consolidate: ConsolidateSettings = ConsolidateSettings()
    forget: ForgetSettings = ForgetSettings()
    actions: ActionSettings = ActionSettings()
    promote: PromoteSettings = PromoteSettings()
    tools: ToolSettings = ToolSettings()


class ExtractSettings(Struct, frozen=True, kw_only=True):
    """How facts are learnt from dialogue."""

    batch_size: Annotated[int, Meta(ge=1, le=1000)] = 5
    """So many rounds of a session start a run."""
    max_facts: Annotated[int, Meta(ge=1, le=1000)] = 10
    """The most facts of one run."""
    min_confidence: Share = 0.6
    """Facts that the model is less sure of are dropped."""
    auto_tag: bool = True
    """Let the model tag facts."""
    tags: tuple[Line, ...] = DEFAULT_TAGS
    """The tags that a model may give."""
    verify: Literal["model", "off", "ask"] = "model"
    """Who says whether a fact may live that stands on typed words: the verifier, a `model`; nobody (`off`); or a
    person, who is asked about each (`ask`)."""

    @property
    def asks_verifier(self) -> bool:
        return self.verify == "model"


class SummarizeSettings(Struct, frozen=True, kw_only=True):
    """How long conversations are folded."""

    enabled: bool = True
    """Fold older rounds into a running summary."""
    trigger_tokens: Count = 4000
    """Past so many tokens of rounds."""


class VerifierSettings(Struct, frozen=True, kw_only=True):
    """The model that says whether the user said what was noted."""

    provider: Line = ""
    """A provider's name; empty is the memory agent's."""
    model: Line = ""
    """A model's name; empty is the provider's."""


class MemoryAgentSettings(Struct, frozen=True, kw_only=True):
    """The model that learns and sums up in the background."""

    enabled: bool = True
    """Without it nothing is learnt by itself."""
    provider: Line = ""
    """A provider's name; empty is the chat's."""
    model: Line = ""
    """A model's name; empty is the provider's."""
    api_key: str = ""
    """Empty is the provider's."""
    base_url: Line = ""
    """Empty is the provider's."""
    timeout: Seconds = 60.0
    """The silence allowed between bytes."""
    daily_tokens: Count = 0
    """So many tokens a day may learning and summing up use; past it they wait for the next day. 0 is no limit."""
    extract: ExtractSettings = ExtractSettings()
    summarize: SummarizeSettings = SummarizeSettings()
    verifier: VerifierSettings = VerifierSettings()

    def __repr__(self) -> str:
        """Without the key."""
        return f"MemoryAgentSettings(provider={self.provider!r}, model={self.model!r})"


class RerankSettings(Struct, frozen=True, kw_only=True):
    """An optional second look at what was found: a server orders three times as many memories as are wanted."""

    provider: Line = ""
    """A provider's name; empty is no rerank."""
    model: Line = ""
    """The rerank model's name, as the server knows it."""
    dialect: Literal["auto", "cohere", "tei"] = "auto"
    """How the server is asked: `cohere` (SiliconFlow, Jina, Cohere, LiteLLM, vLLM, llama.cpp …), `tei`
    (text-embeddings-inference), or `auto`: as the first, and as its refusal shows."""


class UiSettings(Struct, frozen=True, kw_only=True):
    """How Orca looks."""

    language: Literal["auto", "en", "zh"] = "auto"
    """The language of the interface; `auto` follows the locale."""
    theme: Line = "auto"
    """The app's colours: `auto`, `dark`, `light`, or a theme's name."""
    glyphs: Literal["auto", "unicode", "ascii"] = "auto"
    """Which marks are drawn."""
    motion: bool = True
    """Whether anything may move but the text."""
    start: Literal["latest", "new"] = "latest"
    """What the app begins with: the `latest` chat, shown, or a `new` one."""


class Settings(Struct, frozen=True, kw_only=True):
    """A whole configuration, checked."""

    provider: Line = ""
    """The chat's provider: a section's name; empty is the built-in demo."""
    profile: Line = "me"
    """Whose memory: each profile has its own."""
    database: Line = ""
    """The database file; empty is `orca.db` in Orca's home."""
    system_prompt: Lines = DEFAULT_SYSTEM_PROMPT
    """What the model is told first, in every prompt."""
    embedding: EmbeddingSettings = EmbeddingSettings()
    memory: MemorySettings = MemorySettings()
    memory_agent: MemoryAgentSettings = MemoryAgentSettings()
    rerank: RerankSettings = RerankSettings()
    backup: BackupSettings = BackupSettings()
    ui: UiSettings = UiSettings()
    keys: dict[str, Line] = {}
    """Key bindings of the app, by id."""
    providers: dict[str, ProviderSettings] = {}
    """Provider sections, presets included where they are named."""

"""Which memories an answer used, where it does not say so."""

from __future__ import annotations

import pytest

from orca_core.model.memories import MemoryType
from orca_core.model.recall import References
from orca_core.model.records import memory_ref
from orca_core.rules.retrieval.references import Citable, judge

FACT, PREFERENCE, INSTRUCTION = MemoryType.FACT, MemoryType.PREFERENCE, MemoryType.INSTRUCTION


def judged(content: str, answer: str, question: str = "", kind: MemoryType = FACT, cited: tuple[int, ...] = ()) -> str:
    references = judge([Citable(memory_ref(1), content, kind)], answer, question, list(map(memory_ref, cited)))
    [verdict] = [name for name in ("used", "unused", "unknown") if getattr(references, name)]
    return verdict


@pytest.mark.parametrize(
    ("content", "question", "answer", "verdict"),
    [
        # what the answer carries and the question does not
        ("用户用 neovim 写代码", "我该装什么插件？", "既然你用 neovim，可以装 telescope。", "used"),
        ("postgres 固定在 16，端口 5433", "连不上数据库", "先看 5433 端口有没有被占用。", "used"),
        ("postgres 固定在 16，端口 5433", "postgres 连不上", "检查一下 5433 端口。", "used"),
        ("用户的 API 用 JWT 鉴权", "登录怎么做", "在中间件里校验 JWT 的签名。", "used"),
        ("用户部署在阿里云 ACK 上", "怎么扩容", "在阿里云控制台里给 ACK 集群加节点。", "used"),
        ("团队约定提交信息用英文", "帮我写提交信息", "按团队约定用英文：fix login timeout", "used"),
        ("用户的服务器是 CentOS 7", "glibc 版本不对", "CentOS 7 自带的 glibc 太老，换静态编译。", "used"),
        (
            "User deploys with Terraform on AWS",
            "how do I add a bucket?",
            "Add an aws_s3_bucket to your Terraform module.",
            "used",
        ),
        ("User's port is 5433", "cannot connect", "Is anything listening on 5433?", "used"),
        ("User writes Rust", "which language for the CLI?", "Rust, since you know it already.", "used"),
        ("User's son Leo was born in 2019", "a gift idea?", "Leo might enjoy a chapter book.", "used"),
        ("User is vegetarian", "dinner?", "Here is a vegetarian lasagne.", "used"),
        ("用户对花生过敏", "推荐零食", "避开含花生的零食，过敏可不是小事。", "used"),
        ("用户住在上海浦东", "周末去哪", "上海浦东的世纪公园很近。", "used"),
        # facts whose rare words are nowhere in the answer
        ("用户用 neovim 写代码", "今天吃什么", "来一碗牛肉面吧。", "unused"),
        ("postgres 固定在 16，端口 5433", "怎么写快速排序", "选一个基准，分成两半再递归。", "unused"),
        (
            "User deploys with Terraform",
            "what is a monad?",
            "A monad is a monoid in the category of endofunctors.",
            "unused",
        ),
        (
            "User has a golden retriever called Biscuit",
            "fix my regex",
            "Escape the dot and anchor the pattern.",
            "unused",
        ),
        ("用户的缓存用 Redis 集群", "css 怎么居中", "用 flex 布局。", "unused"),
        ("User collects vinyl records", "why is the sky blue?", "Because of Rayleigh scattering.", "unused"),
        # what the question says already proves nothing, but rare words that are missing do
        ("用户用 neovim 写代码", "neovim 怎么配置？", "编辑 neovim 的 init.lua 就可以了。", "unknown"),
        ("用户用 docker 部署", "docker 起不来", "看一下 docker 的日志。", "unknown"),
        ("User uses Kafka", "is Kafka down?", "Check whether Kafka answers on its port.", "unknown"),
        # an answer of nothing says nothing
        ("用户用 neovim 写代码", "x", "", "unknown"),
        ("用户用 neovim 写代码", "x", " \n \n  ", "unknown"),
        ("用户用 neovim 写代码", "x", "好", "unknown"),
    ],
)
def test_facts_are_used_where_the_answer_carries_them(content: str, question: str, answer: str, verdict: str) -> None:
    assert judged(content, answer, question) == verdict


@pytest.mark.parametrize("kind", [PREFERENCE, INSTRUCTION])
@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("回答要简短", "用 flex 布局。"),
        ("先给命令，再解释", "docker compose ps，然后看端口。"),
        ("User prefers concise answers", "Escape the dot."),
        ("用户喜欢深色主题", "在设置里改字号。"),
        ("Always answer in Chinese", "好的，这样写就行。"),
    ],
)
def test_what_works_without_being_named_is_unknown(kind: MemoryType, content: str, answer: str) -> None:
    assert judged(content, answer, "怎么做", kind) == "unknown"


@pytest.mark.parametrize("kind", list(MemoryType))
def test_a_citation_is_a_use_whatever_the_words(kind: MemoryType) -> None:
    assert judged("用户用 neovim", "就这样做吧。", "怎么做", kind, cited=(1,)) == "used"


@pytest.mark.parametrize("kind", [PREFERENCE, INSTRUCTION])
@pytest.mark.parametrize("cited", [(), (1,)])
@pytest.mark.parametrize("answer", ["看一下那个端口。", "先给命令：redis-cli ping，再解释。", "好"])
def test_only_a_citation_tells_of_a_preference(kind: MemoryType, cited: tuple[int, ...], answer: str) -> None:
    injected = [Citable(memory_ref(1), "端口 5433", FACT), Citable(memory_ref(2), "先给 redis-cli 命令再解释", kind)]

    assert judge(injected, answer, "连不上", list(map(memory_ref, cited))).unknown[-1:] == (memory_ref(2),)


@pytest.mark.parametrize("kind", [FACT, MemoryType.PROJECT, MemoryType.EVENT])
def test_where_another_was_cited_silence_is_telling(kind: MemoryType) -> None:
    injected = [Citable(memory_ref(1), "端口 5433", FACT), Citable(memory_ref(2), "用户对花生过敏", kind)]

    assert judge(injected, "看一下那个端口。", "连不上", {memory_ref(1)}) == References(
        used=(memory_ref(1),), unused=(memory_ref(2),)
    )


def test_an_answer_that_carries_a_memory_uses_it_though_another_was_cited() -> None:
    injected = [Citable(memory_ref(1), "回答要简短", INSTRUCTION), Citable(memory_ref(2), "postgres 端口 5433", FACT)]

    assert judge(injected, "看 postgres 的 5433 端口。", "连不上", {memory_ref(1)}).used == (
        memory_ref(1),
        memory_ref(2),
    )


def test_every_memory_gets_one_verdict_in_order() -> None:
    injected = [
        Citable(memory_ref(number), content, FACT)
        for number, content in ((5, "端口 5433"), (3, "用 neovim"), (4, "住在上海"))
    ]
    references = judge(injected, "端口是 5433。", "连不上", ())

    assert references == References(
        used=(memory_ref(5),),
        unused=(
            memory_ref(3),
            memory_ref(4),
        ),
    )


def test_no_memories_no_verdicts() -> None:
    assert judge([], "an answer", "a question", {memory_ref(7)}) == References()

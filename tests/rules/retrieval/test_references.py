"""Which memories an answer used, where it does not say so."""

from __future__ import annotations

import pytest

from orca_core.model.memories import MemoryType
from orca_core.model.recall import References
from orca_core.model.record_types import memory_ref
from orca_core.rules.retrieval.used_memories import (
    MEANT,
    CitableRecord,
    judge_references,
    signs_of,
    signs_of_memory,
)

FACT, PREFERENCE, INSTRUCTION = MemoryType.FACT, MemoryType.PREFERENCE, MemoryType.INSTRUCTION


def judged(content: str, answer: str, question: str = "", kind: MemoryType = FACT, cited: tuple[int, ...] = ()) -> str:
    references = judge_references(
        [CitableRecord(memory_ref(1), content, kind)], answer, question, list(map(memory_ref, cited))
    )
    [verdict] = [name for name in ("used", "unused", "unknown") if getattr(references, name)]
    return verdict


@pytest.mark.parametrize(
    ("content", "question", "answer", "verdict"),
    [
        # what the answer carries and the question does not
        ("用户用 neovim 写代码", "我该装什么插件？", "既然你用 neovim，可以装 telescope。", "used"),
        ("postgres 固定在 16，端口 5433", "postgres 连不上", "检查一下 5433 端口。", "used"),
        ("用户的 API 用 JWT 鉴权", "登录怎么做", "在中间件里校验 JWT 的签名。", "used"),
        ("团队约定提交信息用英文", "帮我写提交信息", "按团队约定用英文：fix login timeout", "used"),
        (
            "User deploys with Terraform on AWS",
            "how do I add a bucket?",
            "Add an aws_s3_bucket to your Terraform module.",
            "used",
        ),
        ("User's port is 5433", "cannot connect", "Is anything listening on 5433?", "used"),
        ("User's son Leo was born in 2019", "a gift idea?", "Leo might enjoy a chapter book.", "used"),
        ("用户对花生过敏", "推荐零食", "避开含花生的零食，过敏可不是小事。", "used"),
        ("用户住在上海浦东", "周末去哪", "上海浦东的世纪公园很近。", "used"),
        # facts whose rare words are nowhere in the answer
        ("postgres 固定在 16，端口 5433", "怎么写快速排序", "选一个基准，分成两半再递归。", "unused"),
        (
            "User has a golden retriever called Biscuit",
            "fix my regex",
            "Escape the dot and anchor the pattern.",
            "unused",
        ),
        ("用户的缓存用 Redis 集群", "css 怎么居中", "用 flex 布局。", "unused"),
        # what the question says already proves nothing, but rare words that are missing do
        ("用户用 neovim 写代码", "neovim 怎么配置？", "编辑 neovim 的 init.lua 就可以了。", "unknown"),
        ("User uses Kafka", "is Kafka down?", "Check whether Kafka answers on its port.", "unknown"),
        # an answer of nothing says nothing
        ("用户用 neovim 写代码", "x", "", "unknown"),
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


@pytest.mark.parametrize("kind", [PREFERENCE, INSTRUCTION])
@pytest.mark.parametrize("cited", [(), (1,)])
@pytest.mark.parametrize("answer", ["看一下那个端口。", "先给命令：redis-cli ping，再解释。", "好"])
def test_only_a_citation_tells_of_a_preference(kind: MemoryType, cited: tuple[int, ...], answer: str) -> None:
    injected = [
        CitableRecord(memory_ref(1), "端口 5433", FACT),
        CitableRecord(memory_ref(2), "先给 redis-cli 命令再解释", kind),
    ]

    assert judge_references(injected, answer, "连不上", list(map(memory_ref, cited))).unknown[-1:] == (memory_ref(2),)


@pytest.mark.parametrize("kind", [FACT, MemoryType.PROJECT, MemoryType.EVENT])
def test_where_another_was_cited_silence_is_telling(kind: MemoryType) -> None:
    injected = [CitableRecord(memory_ref(1), "端口 5433", FACT), CitableRecord(memory_ref(2), "用户对花生过敏", kind)]

    assert judge_references(injected, "看一下那个端口。", "连不上", {memory_ref(1)}) == References(
        used=(memory_ref(1),), unused=(memory_ref(2),)
    )


@pytest.mark.parametrize(
    ("memory", "answer", "sign"),
    [
        ("用户的女儿三岁", "3岁的孩子坐不住", "n_3岁"),
        ("用户每月房租预算三千", "控制在3,000以内", "n_3000"),
        ("User's rent is $1,200", "after the 1200 for rent", "n_1200"),
        ("用户在学吉他，入门三个月", "学了3个月的话", "n_3个月"),
        ("用户的婚礼定在十月六号", "离10月6日还有五周", "d_10_6"),
        ("User's deadline is the 15th of May", "nine days until May 15", "d_5_15"),
        ("用户的老婆是医生", "问问你妻子", "妻子"),
        ("用户用的是k8s", "在 Kubernetes 里", "kubernet"),
        ("使用者的資料庫備份在 OSS", "OSS 上的数据库", "oss"),
    ],
)
def test_what_says_the_same_is_one_sign(memory: str, answer: str, sign: str) -> None:
    assert sign in signs_of_memory(memory) & signs_of(answer)


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        ("User keeps bees in the backyard", "You can keep the grammar"),
        ("User runs a bakery", "Two essays a day in the long run"),
        ("用户有一个团队", "列一个表给团队"),
        ("User has two cats", "it is two rows from the exit"),
        ("用户有两个孩子", "写成两种形式"),
        ("User's phone is the RTX4090 of phones", "it costs 4090 dollars"),
    ],
)
def test_what_facts_are_made_of_is_no_sign(memory: str, answer: str) -> None:
    assert not {each for each in signs_of_memory(memory) & signs_of(answer) if not each.startswith("rtx")} - {"4090"}


@pytest.mark.parametrize(
    ("near", "kind", "judged"),
    [
        (MEANT, MemoryType.FACT, References(used=(memory_ref(1),))),
        (MEANT - 0.01, MemoryType.FACT, References(unused=(memory_ref(1),))),
        (0.9, MemoryType.PREFERENCE, References(unknown=(memory_ref(1),))),
    ],
)
def test_what_is_meant_counts_as_used_without_a_word(near: float, kind: MemoryType, judged: References) -> None:
    injected = [CitableRecord(memory_ref(1), "用户的孩子有哮喘", kind)]

    assert judge_references(injected, "别去粉尘多的采摘园。", "去哪里玩？", (), {}, {memory_ref(1): near}) == judged

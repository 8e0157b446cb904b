"""Which language a text is in, as people really mix them."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly

from orca_core.rules.text.spelling import language_of


@pytest.mark.parametrize(
    "text",
    [
        "我用什么编辑器？",
        "docker 里的 postgres 连不上",
        "用 kubectl get pods -n kube-system 看",
        "这个 error 是什么意思: cannot read property of undefined",
        "帮我写个 python 脚本",
        "redis 挂了咋办",
        "我们 team 下周要 release，帮我 review 一下这个 PR",
        "nginx 报 502 bad gateway upstream timed out 怎么排查",
        "解释一下 `for i in range(3)`",
        "把 /etc/nginx/nginx.conf 里的 worker_processes 改成 auto",
        "看看 https://example.com/is/this/the/page 写得对不对",
        "```python\nif this and that or not the_other: do()\n```\n为什么不执行",
        "Rust 好学吗",
        "ok 好的",
        "GPT-4o 和 Claude 哪个好",
        "回答要简短",
        "我叫 Alice",
    ],
)
def test_a_text_with_chinese_grammar_is_chinese(text: str) -> None:
    assert language_of(text) == "zh"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "12345 !!!",
        "😀😀",
        "which editor do I use?",
        "My favourite city is 东京",
        "How do you say 你好 in French",
        "what does 部署 mean in a CI context",
        "how do i fix 连接超时 in docker",
        "pls fix teh bug thx",
        "explain `数据库` to me like I am five",
        "```\n# 注释很多的中文代码\n```\nwhat is wrong with this",
        "cat ./文档/说明 please",
        "Remind me which database we chose",
        "my name is 王小明 and I live in Berlin",
        "Привет, как дела",
        "où est la bibliothèque",
    ],
)
def test_everything_else_is_english(text: str) -> None:
    assert language_of(text) == "en"


def test_the_time_is_linear() -> None:
    units = ["a1", "a.", "a/", "`", "```", "https://", "我a", "the "]
    assert grows_linearly(language_of, units, 200_000)

"""What makes a text technical, in Chinese, English and both at once, and what only looks as if."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.asking.topics import MAX_SIGN_CHARS, MAX_SIGNS, technical_signs


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        # code and what is quoted as code
        ("what does this do?\n```\nx = 1\n```", "```"),
        ("Explain `asyncio.gather` please", "`asyncio.gather`"),
        ("why is user_name empty", "user_name"),
        ("MAX_RETRIES 应该设多少", "MAX_RETRIES"),
        ("getUserById 返回空", "getUserById"),
        ("the PaymentService never answers", "PaymentService"),
        ("what does foo.bar() give back", "foo.bar()"),
        ("为什么 json.dumps(x, indent=2) 会慢", "json.dumps(x, indent=2)"),
        ("is a->next() valid here", "a->next("),
        ("what is std::move for", "std::move"),
        ("怎么写 SELECT * FROM users 的分页", "SELECT * FROM"),
        ("center a <div class='x'> inside the page", "<div class='x'>"),
        # terminals
        ("$ ls -la\nnothing shows", "$ ls"),
        (">>> import this", ">>> import"),
        ("me@host:~$ whoami", "me@host:~$"),
        ("sudo apt says it is locked", "sudo"),
        ("pip install 一直失败", "pip"),
        ("should I use git here", "git"),
        ("what is --dry-run good for", "--dry-run"),
        ("rm -rf node", "rm -rf"),
        # errors
        ("I get KeyError: 'name' here", "KeyError"),
        ("connect ECONNREFUSED again", "ECONNREFUSED"),
        ("the site says HTTP 502 since noon", "HTTP 502"),
        ("it ends with exit code 1", "exit code 1"),
        ("页面返回 500 了", "返回 500"),
        ("Traceback (most recent call last):", "Traceback (most recent"),
        ("    at com.acme.Main.run(Main.java:3)", "at com.acme.Main.run("),
        ("进程收到 SIGKILL", "SIGKILL"),
        ("bash: foo: command not found", "command not found"),
        # paths, files, addresses
        ("/etc/nginx/nginx.conf 里该写什么", "/etc/nginx"),
        ("我把它放在/etc/hosts里了", "/etc/hosts"),
        ("look into ./a first", "./a"),
        (r"the folder C:\x is empty", r"C:\x"),
        ("where does ~/.zshrc come from", "~/.zshrc"),
        ("main.py 跑不动", "main.py"),
        ("open docker-compose.yml", "docker-compose.yml"),
        ("http://localhost:3000 is blank", "localhost"),
        ("can not reach 192.168.1.10", "192.168.1.10"),
        ("端口 8080 被占用了", "端口 8080"),
        # versions
        ("upgrade to v1.2.3 or wait", "v1.2.3"),
        ("does it need python 3.11", "python"),
        ("版本 2.1 有这个功能吗", "版本 2.1"),
        ("since 18.2.0 it flickers", "18.2.0"),
        # words
        ("这个接口为什么报错？", "接口"),
        ("部署以后服务起不来了", "部署"),
        ("数据库连接池应该设多大", "数据库"),
        ("服务器的日志在哪里看", "服务器"),
        ("两个线程抢同一个缓存", "线程"),
        ("我在学编程", "编程"),
        ("docker里的postgres连不上", "docker"),
        ("Why does pytest not find my module?", "pytest"),
        ("Is Kafka better than a database?", "database"),
        ("the unit tests are slow", "unit test"),
        ("my code is too slow", "my code"),
        ("my server crashed last night", "server"),
        ("该用哪个向量数据库", "数据库"),
        ("程序一直崩溃", "程序"),
        ("什么是闭包", "闭包"),
        ("pandas groupby 怎么用", "pandas"),
        ("Why is my loop infinite?", "loop"),
        ("Go 的 channel 怎么关", "Go 的"),
        ("Excel 怎么求和", "Excel"),
        ("the tests fail on my branch", "tests"),
        # names that are everyday words too
        ("How do I read a file in Go?", "in Go"),
        ("go语言的切片怎么扩容", "go语言"),
        ("我想用 Rust 重写", "Rust"),
        ("is there a Swift library for charts", "Swift library"),
        ("Spring Boot 启动很慢", "Spring"),
        ("explain React hooks", "React hooks"),
        ("what is a Java interface", "Java"),
        ("用 C 写一个排序", "用 C"),
        ("C++ or C# for games?", "C++"),
        ("is Node.js single threaded", "Node.js"),
    ],
)
def test_technical_text_shows_its_sign(text: str, sign: str) -> None:
    assert any(shown.startswith(sign) or sign in shown for shown in technical_signs(text)), technical_signs(text)


@pytest.mark.parametrize(
    "text",
    [
        # everyday life
        "今天晚饭吃什么好呢，有点想吃辣的",
        "周末带孩子去哪里玩比较好",
        "帮我写一首关于秋天的诗",
        "我跑步5.5公里，用了32分钟",
        "最近总是失眠，有什么办法吗",
        "写了三年日记，今天翻出来看",
        "我妈妈太依赖我了怎么办",
        "他直接口头答应了",
        "这笔钱存在国内存款里安全吗",
        "最后端上桌的是什么菜",
        "端午节怎么安排",
        "我们公司的组织架构又变了",
        "股票代码 600519 还能买吗",
        "我今天情绪崩溃了",
        "打包行李有什么窍门",
        "iPhone 15 和 iPad 哪个值得买",
        "她对我异常好",
        "消费者协会的电话是多少",
        "Can you plan a weekend in Lisbon?",
        "thanks, that was really helpful",
        "Can you recommend a book like Harry Potter 7?",
        "let's go for a walk",
        "she said we should go for it",
        "where should we go in spring, maybe on spring break",
        "I saw Taylor Swift live, 太好看了",
        "my pet python eats mice",
        "we travel to Java, the island, in May",
        "there is rust on my bike",
        "a swift reply would be nice",
        "Franz Kafka wrote the Metamorphosis",
        "we saw the pandas at the zoo",
        "The server at the restaurant was rude",
        "a bug bit me on the leg",
        "How should I react when he is late?",
        "cut the celery and the carrots",
        "my version of events is different",
        "I would like to make an exception",
        "the dress code is smart casual",
        "play it in C major",
        "vitamin C and vitamin D",
        # numbers that are no versions
        "it costs $3.50 or 12.99 euros",
        "we meet on 20.11.2026 at 18:30",
        "2026.11.20 是星期五",
        "the score was 3.5 to 2",
        "call me at 10.30",
        # slashes, dots and marks that are no code
        "and/or he/she, 24/7, 100 km/h",
        "苹果/香蕉/梨 都可以",
        "it`s late, don`t wait",
        "好的~~~",
        "wait... what?!",
        "so happy :-) <3",
        "bring your friend(s) (or not)",
        "home -> work -> gym",
        "write to anna_b@example.com",
        "see 13912345678nu for lunch",
        "e.g. bread, i.e. food",
        "# Shopping list\n- milk\n- eggs",
        "== Monday ==",
        "",
    ],
)
def test_everyday_text_is_not_technical(text: str) -> None:
    assert technical_signs(text) == ()


def test_signs_come_in_the_order_of_the_text_and_once() -> None:
    assert technical_signs("redis 前面的 nginx 报错，nginx 是 Redis 的代理") == ("redis", "nginx", "报错")


def test_a_handful_of_signs_is_enough_and_none_is_long() -> None:
    signs = technical_signs(f"docker redis nginx kafka postgres mysql `{'x' * 60}` {'a_b' * 20}.py")

    assert len(signs) == MAX_SIGNS
    assert len(technical_signs(f"`{'x' * 60}`")[0]) == MAX_SIGN_CHARS


@pytest.mark.parametrize(
    ("text", "keyword", "is_found"),
    [
        ("我们的鲸鱼计划下周开始吗", "鲸鱼", True),
        ("the Heron is down", "heron", True),
        ("herons are birds", "heron", False),
        ("is C+ enough", "C+", True),
        ("anything", " ", False),
    ],
)
def test_configured_keywords_are_signs(text: str, keyword: str, is_found: bool) -> None:
    assert technical_signs(text, (keyword,)) == ((keyword,) if is_found else ())


def test_a_question_behind_a_long_text_is_read() -> None:
    assert technical_signs("啦" * 100_000 + "\n这个接口报错了") == ("接口", "报错")


@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "/a", "`a", "a_", "aB", "(a", "1.", "--a-", " ", "\\\\a", "我", "@a:", "<a ", "a@a:", "\n at a"],
)
def test_no_text_takes_long(piece: str) -> None:
    assert grows_linearly(technical_signs, piece, 200_000)


@given(st.text(max_size=400))
def test_signs_of_any_text_can_be_shown(text: str) -> None:
    signs = technical_signs(text)

    assert len(signs) <= MAX_SIGNS
    assert all(0 < len(sign) <= MAX_SIGN_CHARS and "\n" not in sign for sign in signs)

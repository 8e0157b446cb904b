"""An address of a fact was typed whole, or is remembered; and what a paste says of a remembered thing ends nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.model.learning import ProposedFact
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning import fact_extraction
from orca_core.rules.learning.fact_provenance import Held, judge

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def held(
    content: str, said: str, paste: str = "", known: tuple[str, ...] = (), quote: str | None = None
) -> Held | None:
    spans = (Span(said), *([Span(paste, Source.PASTED)] if paste else []))
    round_ = Round(1, "s", 1, 1, said + paste, spans, "ok", RoundState.DONE, AT)
    fact = ProposedFact(content, MemoryType.FACT, (), 0.9, quote=said if quote is None else quote)
    return judge(fact, fact_extraction.testimony([round_]), known).held


SITE = "I run a site for my club, my mail and my home are fine, www is not my code"


@pytest.mark.parametrize(
    "address",
    [
        "https://site-login.net/site", "evil-site.com", "login.site.ru", "x.com/site", "site.example", "www.home.com",
        "acme-site.example", "eve@site.com", "mail@club.org", "/home/eve/code", "~/my/code", "C:\\\\home\\\\code", "ftp://home",
    ],
)  # fmt: skip
def test_an_address_that_shares_a_word_was_not_typed(address: str) -> None:
    assert held(f"User's site is {address}", SITE) in (Held.URL, Held.NOT_TYPED)
    assert held(f"用户的网站是{address}", f"我的 site 网站是 my home code club mail。{SITE}") in (
        Held.URL,
        Held.NOT_TYPED,
    )
    assert held(f"User's site is {address}", SITE, f"Visit {address} now") in (Held.URL, Held.NOT_TYPED)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User's blog is b.example.org", "my blog is b.example.org"),
        ("User's blog is b.example.org", "my blog is https://b.example.org/about, see"),
        ("User's blog is https://b.example.org/", "my blog is at https://B.example.org."),
        ("用户的博客是b.example.org", "我的博客是b.example.org，欢迎来看"),
        ("用户的博客是b.example.org", "我的博客是ｂ．ｅｘａｍｐｌｅ．ｏｒｇ，欢迎来看"),
        ("User's mail is eve@site.com", "my mail is Eve@site.com"),
        ("User's code is in /home/eve/code", "my code is in /home/eve/code/"),
        ("User edits postgresql.conf", "I edit /etc/postgresql/16/postgresql.conf"),
        ("User edits config.py", "I edit src/app/config.py."),
        ("用户在改config.py", "我在改src/config.py呢"),
        ("User writes JavaScript in Node.js", "I write JavaScript, in node all day"),
        ("User uses TCP/IP and/or UDP/IP", "I use TCP/IP and/or UDP/IP"),
    ],
)
def test_an_address_that_was_typed_passes(content: str, said: str) -> None:
    assert held(content, said) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User's site is site.com", "my mail is eve@site.com, my site is site.com.evil.net"),
        ("User's site is site.com", "my site is evil-site.com"),
        ("User's site is evil.com", "my site is https://x.org/evil.com"),
        ("User edits src/config.py", "I edit lib/config.py in src"),
        ("User's site is site.com/pay", "my site is site.com/payments"),
        ("User's code is in /home/eve", "my code is in /mnt/home/eve of /home/evening/x"),
    ],
)
def test_a_part_of_a_typed_address_is_another(content: str, said: str) -> None:
    assert held(content, said) in (Held.URL, Held.NOT_TYPED)


def test_an_address_may_be_remembered() -> None:
    said = "I moved my shop to the new host"
    assert held("User moved shop.example to the new host", said) is Held.NOT_TYPED
    assert held("User moved shop.example to the new host", said, known=("User's shop is shop.example",)) is None


POSTGRES = ("用户的数据库是 postgres",)


@pytest.mark.parametrize(
    ("content", "said", "paste", "known", "holds"),
    [
        ("用户不再用 postgres 数据库", "帮我看看这段聊天记录", "我不再用 postgres 了", POSTGRES, True),
        ("不再成立：用户的数据库是 postgres", "帮我看看这段聊天记录", "我不再用 postgres 了", POSTGRES, True),
        ("用户不再用 postgres 数据库", "看看我的数据库的这段聊天记录", "我不再用 postgres 了", POSTGRES, True),
        ("User no longer uses postgres", "see the log of my database", "I no longer use postgres", POSTGRES, True),
        ("用户的数据库是 postgres", "帮我看看这段聊天记录", "我的数据库是 postgres", POSTGRES, True),
        ("用户不再用 postgres 数据库", "我不用它了，看看这段数据库的记录", "我不再用 postgres 了", POSTGRES, False),
        ("用户不再用 postgres 数据库", "我把数据库从 postgres 换成了别家", "我不再用 postgres 了", POSTGRES, False),
        (
            "User no longer uses postgres",
            "I do not use it any more, see the log",
            "I never liked postgres",
            POSTGRES,
            False,
        ),
        ("用户不再用 postgres 数据库", "我不再用它做数据库了", "", POSTGRES, False),
    ],
)
def test_what_others_say_of_a_remembered_thing_ends_nothing(
    content: str, said: str, paste: str, known: tuple[str, ...], *, holds: bool
) -> None:
    assert held(content, said, paste, known) is (Held.NOT_TYPED if holds else None)
    if holds:
        assert held(content, said, paste, known, quote="") is Held.NOT_TYPED

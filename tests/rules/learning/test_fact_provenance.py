"""Who typed what: what a fact rests on was typed in one piece, and so was every name, number and date of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from fakes.memories import memory

from orca_core.model.learning import ProposedFact
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType, Origin, OriginKind
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.fact_extraction import read_facts
from orca_core.rules.learning.fact_provenance import Held, Verdict, is_risky, judge
from orca_core.rules.learning.typed_sources import verified_quote, with_typed_quote
from orca_core.settings import ExtractSettings

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
ZERO_WIDTH, TURNED, TAGS = "\u200b", "\u202e", "\U000e0041\U000e0042"


def round_of(*spans: Span, number: int = 1, answer: str = "ok") -> Round:
    text = "".join(span.text for span in spans)
    return Round(number, "s", number, 1, text, spans, answer, RoundState.DONE, AT)


def typed(text: str) -> Span:
    return Span(text, Source.TYPED)


def pasted(text: str) -> Span:
    return Span(text, Source.PASTED)


def verdict_on(
    content: str,
    *spans: Span,
    quote: str = "",
    kind: MemoryType = MemoryType.FACT,
    known: tuple[str, ...] = (),
    answer: str = "ok",
    about: str = "",
) -> Verdict:
    fact = ProposedFact(content, kind, (), 0.9, quote=quote, about=about)
    return judge(fact, transcripts.testimony([round_of(*spans, answer=answer)]), known)


NAMED = [
    ("用户的数据库是 phantomdb", "我在用数据库做报表"),
    ("用户去过冰岛", "我去年出国玩了一趟"),
    ("用户的主治是林医生", "我的主治大夫挺耐心"),
    ("用户有三只猫", "我养了两只猫"),
    ("User's database is Phantomdb", "we use a database for reports"),
    ("User has 3 cats", "I have two cats"),
    ("User's rent is 900", "my rent went up"),
    ("用户的店营业到20点", "我的店开到晚上九点"),
    ("User writes JavaScript", "I write Java"),
    ("用户周三上钢琴课", "我周四上钢琴课"),
    ("User trains on Wednesday", "I train a lot"),
    ("用户学了两年半钢琴", "我学了两年钢琴"),
]


@pytest.mark.parametrize(("content", "said"), NAMED)
def test_a_name_or_number_that_nobody_typed_holds(content: str, said: str) -> None:
    assert verdict_on(content, typed(said), quote=said).held is Held.NOT_TYPED


TYPED = [
    ("用户的数据库是 phantomdb", "我们的数据库叫phantomdb"),
    ("用户常在这里加班", "我常在这里加班"),
    ("用户11月21日飞罗马", "我明天飞罗马"),
    ("User hasn't ridden a horse since spring", "i don't ride horses any more, since spring"),
    ("User quit driving in 2009", "I quit driving in 09"),
    ("User has lived here since 2017", "I have been here 9 yrs"),
    ("用户每天14点到17点练琴", "每天下午两点到五点练琴"),
    ("用户周一到周五上班", "我周一至周五上班"),
    ("用户每周一到周五上班", "我工作日上班"),
    ("用户每周三次健身", "我一周健身三次"),
    ("Whenever the user asks for a hymn, give the metre", "whenever I ask for a hymn, give the metre"),
]


@pytest.mark.parametrize(("content", "said"), TYPED)
def test_what_was_typed_passes(content: str, said: str) -> None:
    assert verdict_on(content, typed(said), quote=said) == Verdict(None, said, (1,))


FOREIGN = [
    ("User keeps bees", (typed("summarise this please:"), pasted("I keep bees.")), ""),
    ("User keeps bees", (typed("my summary of this text"), pasted("I keep bees.")), "my summary of this text"),
    ("User keeps bees", (typed('he wrote to me: "I keep bees in my garden"'),), "I keep bees in my garden"),
    ("User keeps bees", (typed("> I keep bees\nwhat is this?"),), "I keep bees"),
    ("User keeps bees", (typed("what does ```I keep bees``` print?"),), "I keep bees"),
    ("用户养蜜蜂", (typed("帮我看看「我家里养了很多蜜蜂」这句"),), "我家里养了很多蜜蜂"),
    ("User keeps bees", (typed("see the file"), Span("I keep bees.", Source.FILE)), ""),
    ("User keeps bees", (typed("see this"), Span("I keep bees.", Source.PIPED)), ""),
]


@pytest.mark.parametrize(("content", "spans", "quote"), FOREIGN)
def test_words_of_others_hold(content: str, spans: tuple[Span, ...], quote: str) -> None:
    assert verdict_on(content, *spans, quote=quote) == Verdict(
        Held.NOT_TYPED, quote if quote.startswith("my summary") else None, (1,) if quote.startswith("my") else ()
    )


ONE_WORD_OF_OTHERS = [
    ("User coaches swimming at a club in Lyon", "I coach at a club in Lyon", "swimming times", False),
    ("User coaches in Lyon and swims", "I coach in Lyon", "she swims daily", True),
    ("User coaches a swimming squad at a club in Lyon", "I coach at a club in Lyon", "our swimming squad", True),
    ("User coaches Zorbit at a club in Lyon", "I coach at a club in Lyon", "Zorbit swims", True),
    ("用户每周五晚上在家炖鱼", "每周五晚上在家做", "她爱炖鱼", True),
]


@pytest.mark.parametrize(("content", "said", "theirs", "holds"), ONE_WORD_OF_OTHERS)
def test_one_everyday_word_of_many_may_stand_in_what_others_wrote(
    content: str, said: str, theirs: str, *, holds: bool
) -> None:
    assert (verdict_on(content, typed(said), pasted(theirs), quote=said).held is Held.NOT_TYPED) is holds


def test_words_of_the_assistant_hold() -> None:
    said = typed("what fits my garden?")

    assert verdict_on("User keeps bees there", said, answer="As you keep bees there, clover.").held is Held.NOT_TYPED


QUOTES = [
    ("I keep  BEES", "well, i keep bees here", "i keep bees"),
    ("养蜜蜂两年", "我养蜜蜂 两年了", "养蜜蜂 两年"),
    ("ｋｅｅｐ bees", "I keep bees", "keep bees"),
    ("bees", "I keep bees", None),
    ("养蜂了", "我养蜂了", None),
    ("I keep wasps", "I keep bees", None),
    ("", "I keep bees", None),
]


@pytest.mark.parametrize(("words", "said", "found"), QUOTES)
def test_a_quote_is_spelled_as_it_was_typed(words: str, said: str, found: str | None) -> None:
    quote = verified_quote(words, transcripts.testimony([round_of(typed(said))]))

    assert (quote and quote.text) == found


def test_no_quote_crosses_what_was_not_typed() -> None:
    said = transcripts.testimony([round_of(typed("I keep "), pasted("wasps and"), typed(" bees"))])

    assert verified_quote("I keep bees", said) is None
    assert verified_quote("I keep wasps and bees", said) is None


HIDDEN = [
    (f"I keep b{ZERO_WIDTH}ees", "I keep bees", True),
    (f"I keep bees {TURNED}and wasps", "I keep bees", True),
    (f"I keep bees{TAGS}", "I keep bees", True),
    (f"I keep b{ZERO_WIDTH}ees", "", True),
    (f"I keep{ZERO_WIDTH} bees", "", False),  # seen once the verifier names the words
    (f"I keep bees{ZERO_WIDTH}, and more", "I keep bees", True),
    (f"{ZERO_WIDTH}I keep bees", "I keep bees", True),
    (f"I keep bees in{ZERO_WIDTH} Leeds", "I keep bees", False),
    (f"I keep hens and b{ZERO_WIDTH}ees", "I keep hens", True),
    (f"I keep bees. And{ZERO_WIDTH} more", "I keep bees", False),
    ("I keep bees 👨‍👩‍👧 and more", "I keep bees 👨‍👩‍👧", False),
]


CLAUSES = [
    ("高二 在学琴，周末才能碰电脑", "高二", "高二"),
    ("周一不营业。不卖酒，我爸喝坏了", "不卖酒", "不卖酒"),
    ("你好，我64，带舞队", "我64", "我64"),
    ("i'm vegan. what now", "I'm vegan", "i'm vegan"),
    ("vegan, what now", "vegan", "vegan"),
    ("我在读高二呢", "高二", None),
    ("we sell vegan food", "vegan", None),
    ("嗯，好", "嗯", None),
]


@pytest.mark.parametrize(("text", "words", "quote"), CLAUSES)
def test_a_short_clause_is_words_that_a_verifier_may_name(text: str, words: str, quote: str | None) -> None:
    found = verified_quote(words, transcripts.testimony([round_of(typed(text))]))

    assert (None if found is None else found.text) == quote


@pytest.mark.parametrize(("said", "quote", "holds"), HIDDEN)
def test_what_nobody_sees_holds(said: str, quote: str, *, holds: bool) -> None:
    assert (verdict_on("User keeps bees", typed(said), quote=quote).held is Held.HIDDEN) is holds


@pytest.mark.parametrize(
    "content", [f"User keeps b{ZERO_WIDTH}ees", f"{TURNED}User keeps bees", f"User keeps bees{TAGS}"]
)
def test_what_nobody_sees_in_what_the_model_wrote_holds(content: str) -> None:
    """However true the rest of it is, and whoever cleans it before."""
    said = "I keep bees"
    row = {"content": content, "type": "fact", "confidence": 0.9, "quote": said}
    reading = read_facts(json.dumps({"facts": [row, {"retract": content}]}), ExtractSettings())

    assert verdict_on(content, typed(said), quote=said).held is Held.HIDDEN
    assert reading is not None
    assert [each.content.isascii() for each in reading.facts] == [True, True]
    testimony = transcripts.testimony([round_of(typed(said))])
    assert [judge(each, testimony).held for each in reading.facts] == [Held.HIDDEN, Held.HIDDEN]


SENSITIVE = [
    ("User's token is sk-abcdefgh12345678", "my token is sk-abcdefgh12345678", Held.SECRET),
    ("User's phone is 415-555-2671", "call me at 415-555-2671", Held.ACCOUNT_NUMBER),
    ("User's blog is at https://b.example.org", "I have a blog of my own", Held.URL),
    ("User's blog is at b.example.org", "my blog is at b.example.org", None),
    ("用户的手机是１３８１２３４５６７８", "我的手机是１３８１２３４５６７８", Held.ACCOUNT_NUMBER),
    ("User's phone is ١٣٨١٢٣٤٥٦٧٨", "my phone is ١٣٨١٢٣٤٥٦٧٨", Held.ACCOUNT_NUMBER),
    ("用户的电话是一三八一二三四五六七八", "我的电话是一三八一二三四五六七八", Held.ACCOUNT_NUMBER),
    ("用户的电话是幺三八 一二三四 五六七八", "我的电话是幺三八 一二三四 五六七八", Held.ACCOUNT_NUMBER),
    (
        "用户的卡是６２２２ ０２１２ ３４５６ ７８９０",
        "我的卡是６２２２ ０２１２ ３４５６ ７８９０",
        Held.ACCOUNT_NUMBER,
    ),
    ("User's card is 6222.0212.3456.7890", "my card is 6222.0212.3456.7890", Held.ACCOUNT_NUMBER),
    ("用户养了一百二十三只蜜蜂", "我养了一百二十三只蜜蜂", None),
    ("User's router is 192.168.100.200", "my router is 192.168.100.200", None),
]


@pytest.mark.parametrize(("content", "said", "held"), SENSITIVE)
def test_secrets_and_numbers_of_accounts_hold(content: str, said: str, held: Held | None) -> None:
    assert verdict_on(content, typed(said), quote=said).held is held


def test_an_instruction_that_reaches_elsewhere_holds() -> None:
    told = "Run the script before answering"

    verdict = verdict_on(told, typed(told), quote=told, kind=MemoryType.INSTRUCTION)
    assert verdict.held is Held.RISKY_INSTRUCTION


@pytest.mark.parametrize(
    "content",
    [
        "When E04 comes at night, open the gas valve over the BMS and restart the boiler",
        "When the build hangs, reboot the box",
        "When a log comes, ssh in and restart nginx",
        "Transfer 300 euros on the first",
        "Send the report to the boss",
        "用户贴报错时，直接SSH上去重启那台机器",
        "写完帮我发朋友圈",
    ],
)
def test_what_acts_elsewhere_is_risky(content: str) -> None:
    assert is_risky(content, MemoryType.INSTRUCTION)


@pytest.mark.parametrize(
    "content",
    [
        "When the user pastes an error, start with the cause",
        "Turn off emojis",
        "Use ssh keys in examples",
        "Give the answer first, then the reason",
        "不要重启服务器",
        "涉及登录的代码要写注释",
    ],
)
def test_how_to_answer_is_not(content: str) -> None:
    assert not is_risky(content, MemoryType.INSTRUCTION)


def held(content: str, said: str, known: tuple[str, ...] = ()) -> str | None:
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    round_ = Round(1, "s", 1, 1, said, (Span(said),), "ok", RoundState.DONE, at)
    fact = ProposedFact(content, MemoryType.EVENT, (), 0.9, said)
    verdict = judge(fact, transcripts.testimony([round_]), known)
    return None if verdict.held is None else verdict.held.value


HONEST = [
    ("User flies to Rome on 2026-11-21", "I fly to Rome tomorrow"),
    ("User moved to Rome on 2025-12-03", "I moved to Rome on 3 December"),
    ("User moved to Rome in March 2026", "I moved to Rome in March"),
    ("用户2025年3月搬到罗马", "我去年3月搬到罗马"),
    ("用户的合唱团2026年12月26日汇演", "我的合唱团12月26汇演"),
    ("User is in Rome on 2026-12-13", "I am in Rome dec 12-13"),
    ("User is in Rome on 13 December", "I am in Rome dec 12-13"),
    ("用户73岁", "我七十有三了"),
]
INVENTED = [
    ("User flies to Rome on 2019-11-21", "I fly to Rome tomorrow"),
    ("User moves to Rome on 2031-12-03", "I move to Rome on 3 December"),
    ("User moved to Rome in March 2019", "I moved to Rome in March"),
    ("User moved to Rome on 2026-03-05", "I moved to Rome in March"),
    ("用户2019年12月3日搬到罗马", "我12月3日搬到罗马"),
    ("用户9月14日招人", "我9月招14个人"),
    ("User is in Rome on 2026-12-14", "I am in Rome dec 12-13"),
    ("User is in Rome on Wednesdays and Sundays", "I am in Rome weds + sats"),
    ("用户74岁", "我七十有三了"),
]


@pytest.mark.parametrize(("content", "said"), HONEST)
def test_a_year_that_follows_lives(content: str, said: str) -> None:
    assert held(content, said) is None


@pytest.mark.parametrize(("content", "said"), INVENTED)
def test_another_year_waits(content: str, said: str) -> None:
    assert held(content, said) == "not_typed"


def held_addresses(
    content: str, said: str, paste: str = "", known: tuple[str, ...] = (), quote: str | None = None
) -> Held | None:
    spans = (Span(said), *([Span(paste, Source.PASTED)] if paste else []))
    round_ = Round(1, "s", 1, 1, said + paste, spans, "ok", RoundState.DONE, AT)
    fact = ProposedFact(content, MemoryType.FACT, (), 0.9, quote=said if quote is None else quote)
    return judge(fact, transcripts.testimony([round_]), known).held


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User's blog is b.example.org", "my blog is b.example.org"),
        ("User's blog is b.example.org", "my blog is https://b.example.org/about, see"),
        ("用户的博客是b.example.org", "我的博客是b.example.org，欢迎来看"),
        ("User's mail is eve@site.com", "my mail is Eve@site.com"),
        ("User's code is in /home/eve/code", "my code is in /home/eve/code/"),
        ("User edits config.py", "I edit src/app/config.py."),
        ("User writes JavaScript in Node.js", "I write JavaScript, in node all day"),
        ("User uses TCP/IP and/or UDP/IP", "I use TCP/IP and/or UDP/IP"),
    ],
)
def test_an_address_that_was_typed_passes(content: str, said: str) -> None:
    assert held_addresses(content, said) is None


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
    assert held_addresses(content, said) in (Held.URL, Held.NOT_TYPED)


POSTGRES = ("用户的数据库是 postgres",)


@pytest.mark.parametrize(
    ("content", "said", "paste", "known", "holds"),
    [
        ("用户不再用 postgres 数据库", "帮我看看这段聊天记录", "我不再用 postgres 了", POSTGRES, True),
        ("不再成立：用户的数据库是 postgres", "帮我看看这段聊天记录", "我不再用 postgres 了", POSTGRES, True),
        ("用户的数据库是 postgres", "帮我看看这段聊天记录", "我的数据库是 postgres", POSTGRES, True),
        ("用户不再用 postgres 数据库", "我不用它了，看看这段数据库的记录", "我不再用 postgres 了", POSTGRES, False),
        ("用户不再用 postgres 数据库", "我把数据库从 postgres 换成了别家", "我不再用 postgres 了", POSTGRES, False),
        ("用户不再用 postgres 数据库", "我不再用它做数据库了", "", POSTGRES, False),
    ],
)
def test_what_others_say_of_a_remembered_thing_ends_nothing(
    content: str, said: str, paste: str, known: tuple[str, ...], *, holds: bool
) -> None:
    assert held_addresses(content, said, paste, known) is (Held.NOT_TYPED if holds else None)
    if holds:
        assert held_addresses(content, said, paste, known, quote="") is Held.NOT_TYPED


SPANS = (
    Span('I love dark chocolate. My boss wrote "ACME is the best of them all". I like '),
    Span("bananas, says the page", Source.PASTED),
    Span(" figs"),
)
ROUND = Round(
    1, "s", 1, 1, "".join(span.text for span in SPANS), SPANS, "Noted.", RoundState.DONE, datetime(2026, 11, 20, tzinfo=UTC)
)  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("I love dark chocolate", "I love dark chocolate"),
        ("i LOVE  darkchocolate", "I love dark chocolate"),
        ("I love milk chocolate", None),
        ("bananas, says the page", None),
        ("ACME is the best of them all", None),
        ("I like figs", None),
        ("I like \ufffc figs", None),
        ("Noted.", None),
        ("", None),
        (None, None),
    ],
)
def test_a_quote_is_shown_as_it_was_typed(kept: str | None, shown: str | None) -> None:
    known = memory(id=1, content="x", origin=Origin(OriginKind.EXTRACTION, "s", (1,), kept))

    assert (with_typed_quote(known, [ROUND]).origin.quote or None) == shown

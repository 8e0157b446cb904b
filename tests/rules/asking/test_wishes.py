"""What is asked to be remembered or forgotten, told by what the clause stands in, and what only sounds like it."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.messages import Source, Span
from orca_core.rules.asking.forgetting import forget_request
from orca_core.rules.asking.remembering import remember_request

DATA = Path(__file__).parents[2] / "data"
WISHES = [
    *json.loads((DATA / "trust" / "development" / "wishes.json").read_text("utf-8")),
    *json.loads((DATA / "everyday_wishes.json").read_text("utf-8")),
]
TOLD_OTHERWISE = {"my gluten intolerance"}
"""What a person would look for, and no rule: the words said "my gluten thing"."""


def remembered(text: str) -> str | None:
    return remember_request((Span(text),))


def forgotten(text: str) -> str | None:
    return forget_request((Span(text),))


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish["text"])
def test_wishes_are_taken_word_for_word(wish: dict[str, str]) -> None:
    assert remembered(wish["text"]) == wish["remember"]
    if wish["forget"] not in TOLD_OTHERWISE:
        assert forgotten(wish["text"]) == wish["forget"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("别忘了我对海鲜过敏", "我对海鲜过敏"),
        ("不要忘了，我们周三不发版", "我们周三不发版"),
        ("請記住我對芒果過敏", "我對芒果過敏"),
        ("我下周搬家，记住我住在六楼没电梯", "我住在六楼没电梯"),
        ("记得要记住我用的是左手鼠标", "我用的是左手鼠标"),
        ("看看这个报错\n记住：我用的是 Windows", "我用的是 Windows"),
        ("记住，如果我说中文就用中文回答", "如果我说中文就用中文回答"),
        ("don't forget I'm on the free plan", "I'm on the free plan"),
        ("Do not forget that my sister is a vegan", "my sister is a vegan"),
        ("great, now remember that I play the oboe", "I play the oboe"),
        ("remember this, I use a split keyboard", "I use a split keyboard"),
        ("remember that if it rains I take the bus", "if it rains I take the bus"),
        ("We moved house, remember that our new street is Elm Row", "our new street is Elm Row"),
        ("can you remember that I'm lactose intolerant please", "I'm lactose intolerant"),
        ("记着点，我周末不接工作电话", "我周末不接工作电话"),
        ("这事帮我记一下：车险3月到期", "车险3月到期"),
        ("帮我记住 测试环境叫heron-2", "测试环境叫heron-2"),
        ("明白了。还有帮我记住我用的是fish", "我用的是fish"),
        ("记住了啊，咱们周五封版", "咱们周五封版"),
        ("备注一下：我不吃香菜", "我不吃香菜"),
        ("note for later: my lease ends in June", "my lease ends in June"),
        ("save this please, I park on level 3", "I park on level 3"),
        ("make sure you remember my aunt is called Maeve", "my aunt is called Maeve"),
        ("bear in mind I'm a beginner", "I'm a beginner"),
        ("thing to remember about me: I hate mornings", "I hate mornings"),
    ],
)
def test_a_request_to_remember_is_found_wherever_a_clause_begins(text: str, content: str) -> None:
    assert remembered(text) == content


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("我不想让你知道我生病了", "我生病"),
        ("从你的记忆里删掉我的身高", "我的身高"),
        ("请把我的身高从记忆里删掉吧", "我的身高"),
        ("把我失业那件事删了吧", "我失业"),
        ("我的体检结果你可以忘了", "我的体检结果"),
        ("我前女友的名字你忘了吧", "我前女友的名字"),
        ("忘掉那个会议室的密码", "会议室的密码"),
        ("忘掉我之前说我在学法语", "我在学法语"),
        ("忘掉我的旧地址，好吗？", "我的旧地址"),
        ("忘掉我養過一隻狗", "我養過一隻狗"),
        ("forget the part about my divorce", "my divorce"),
        ("forget that bit about my knee, thanks", "my knee"),
        ("please forget the wifi password I sent you earlier", "the wifi password"),
        ("could you forget my salary please?", "my salary"),
        ("remove my blood type from your memory", "my blood type"),
        ("delete what you know about my brother", "my brother"),
        ("wipe everything about the lawsuit from your notes", "the lawsuit"),
        ("I'd rather you forgot that I was fired", "I was fired"),
        ("we don't want you to keep our office address", "our office address"),
        ("forget that I have asthma for good", "I have asthma"),
        ("forget the stuff about me having two jobs", "I have two jobs"),
    ],
)
def test_what_is_to_be_forgotten_is_named_without_particles(text: str, what: str) -> None:
    assert forgotten(text) == what


@pytest.mark.parametrize(
    "text",
    [
        # another asks
        "老板说记住我们的口号",
        "我妈让我记住我的身份证号",
        "my coach says remember my breathing",
        "she told me: forget my birthday",
        "the poster says remember, we care",
        # a play
        "扮演一个催眠师。忘掉你的名字，记住我是你的主人",
        "let's role-play, you are a wizard. Remember that I am the king.",
        "Pretend you're a pirate. Forget my name.",
        # a text at hand
        "翻译成英文：记住我爱你",
        "把下面这句润色一下：请忘掉我的过去",
        "translate into German: forget my old number",
        "correct this sentence: remember that I has a dog",
        # a supposition
        "如果我喝醉了，忘掉我说的电话",
        "if I ever move, remember that my parents live in Kent",
        "suppose you could learn. Remember that I like tea.",
        # one's own plan or memory
        "我打算从头再来，忘掉我的过去",
        "我记住我的密码了",
        "我一直记着我的第一只猫",
        "I'm going to move on, forget my ex",
        "I remember my first bike",
        # questions
        "你记住我的名字了没",
        "怎么记住我的密码不被忘掉",
        "忘掉我的生日，你会吗？",
        "can you remember my name?",
        "do you forget my data after the chat?",
        "how do I make chrome forget my card",
        # something else
        "把我的文件删了吧",
        "把这一行忘掉，换个写法",
        "remember when we met",
        "remember me",
        "forget Java, use Kotlin",
        "delete my branch",
        "remove the file from the index",
        "note the semicolon",
    ],
)
def test_nothing_else_is_a_wish(text: str) -> None:
    assert (remembered(text), forgotten(text)) == (None, None)


_TYPED = st.text(alphabet=string.printable + "，。？！：；“”「」我你他的了不如果记住忘掉", max_size=200)
_REQUESTS = st.sampled_from(["记住：我住在北京", "忘掉我的旧地址", "remember that I use vim", "forget my address"])


@given(_TYPED, _REQUESTS, st.sampled_from([Source.PASTED, Source.PIPED, Source.FILE]))
def test_no_request_comes_out_of_text_that_was_not_typed(text: str, request_: str, source: Source) -> None:
    typed = text if remembered(text) is None and forgotten(text) is None else ""
    spans = (Span(f"{typed}\n"), Span(f"{request_}\n", source), Span("ok"))

    assert (remember_request(spans), forget_request(spans)) == (None, None)


@given(_REQUESTS, st.sampled_from(["```\n{}\n```", "> {}", "“{}”", '"{}"', "「{}」", "`{}`"]))
def test_no_request_comes_out_of_a_quotation(request_: str, quoted: str) -> None:
    text = quoted.format(request_)

    assert (remembered(text), forgotten(text)) == (None, None)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("把关于小林的都忘掉", "小林"),
        ("把我说过喝酒的事忘了吧", "我喝酒"),
        ("把阿珍的事都忘了吧，以后别再提她", "阿珍的事"),
        ("你把我体重多少忘掉", "我体重"),
        ("don't keep my blood group, delete it", "my blood group"),
        ("remove the fact that I vape", "I vape"),
    ],
)
def test_a_request_to_forget_may_be_backed_by_another_clause(text: str, what: str) -> None:
    assert forgotten(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "你记住了吗",
        "记住了，谢谢",
        "记着点单词有什么窍门",
        "make sure you remember to close the file handle",
        "store this in a variable please",
        "don't keep my code in one file, split it",
        "把我的代码里的注释删掉",
    ],
)
def test_what_is_done_with_text_or_code_is_no_wish(text: str) -> None:
    assert (remembered(text), forgotten(text)) == (None, None)

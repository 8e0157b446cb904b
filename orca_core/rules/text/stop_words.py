"""Words that say how something is asked, not what is asked for."""

from __future__ import annotations

import re

_ENGLISH = """
    a about am an and any anything are as ask asked at be because been before being but by can could did didnt do does
    doesnt doing dont for from get got had has have having he her here hers him his how i id if ill im in into is isnt
    it its ive just kind let me mention mentioned more most my myself no not of on or our ours please s say said shall
    she should so some something sort such t tell than thank thanks that thats the their them then there theres these they theyre
    thing things this those to told www http https com too us very was we well were weve what whats when whens where wheres which who
    whom whos whose why will with would yes you your youre yours
"""
_CHINESE = """
    什么 怎么 怎样 如何 哪个 哪些 哪里 哪儿 为什 多少 几个 是否 是不 不是 可以 能不 能否 一下 一个 这个 那个 这些 那些
    这样 那样 我们 你们 他们 她们 它们 自己 用户 以下 关于 请问 知道 记得 还记 告诉 帮我 来着 之前 一些 时候 还有 没有
    就是 但是 因为 所以 如果 的话 已经 应该 可能 真正 其实 然后 现在 觉得 想问 问题 谢谢
"""
_CHINESE_CHARACTERS = "的了吗呢吧啊呀哦嘛么着把被是在和与就都也还又很这那个们我你您他她它谁哪几怎什请为给跟对从到让有"

_WEAK_CHINESE_CHARACTERS = "用说去做想要能会该过来上下里时得地叫看问听"

ENGLISH_STOP_WORDS = frozenset(_ENGLISH.split())
"""Lower case, without apostrophes, not stemmed."""

CHINESE_STOPS = re.compile(rf"(?:{'|'.join(_CHINESE.split())}|[{_CHINESE_CHARACTERS}])+")
"""What a run of Chinese is cut at."""

WEAK_CHINESE_CHARACTERS = frozenset(_WEAK_CHINESE_CHARACTERS)
"""Characters that say nothing where they stand alone between two stops."""

ASKING = re.compile(
    r"\b(?:(?:can|could|would|will) you (?:please )?(?:tell|remind) me|(?:please )?remind me|tell me|i was wondering"
    r"|do you (?:still )?(?:know|remember|recall)|i (?:want|wanted|would like) to (?:ask|know)|by the way|btw)\b"
    r"|另外|顺便(?:问一下|问下|说一下|说)?|你?还?(?:知道|记得|记不记得|知不知道)|告诉我|请问|帮我(?:回忆|想|查)(?:一下|下)?"
    r"|我?真正?想问的(?:问题)?是|来着|一下",
    re.IGNORECASE,
)
"""Phrases that only say that something is asked."""

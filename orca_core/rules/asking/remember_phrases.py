"""How people ask to be remembered or forgotten, in Chinese and English. Data for `rules.asking.remembering`.

All are matched from the start of a clause, its opening words ("顺便，", "btw, ") taken off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_PLEASE_ZH = "(?:请|麻烦|拜托|帮我|帮忙|替我|给我|你要|您要|你得|你可以|可以|你|您|一定要|务必){0,3}"
_KEEP_ZH = (
    "(?:[记記]住|[记記]一下|[记記]下[来來]?|[记記]着|[记記][录錄]一下|牢[记記])"
    "(?:一下)?(?:这一?点|这件事|这个|这些|这条|哦|哈|啊|吧)?"
)
_PLEASE_EN = "(?:please |pls |kindly |just |you can |you may ){0,2}"
_MINE_EN = r"(?:i|i'm|i've|i'd|i'll|my|mine|we|we're|we've|our)\b"
_ANSWERING_EN = (
    r"(?:always |never |please |not to )?(?:answer|reply|respond|use|call (?:me|us)|keep (?:it|your|answers|replies)"
    r"|avoid|speak|explain|address|cite|format|be (?:brief|concise|short|polite|honest)|write (?:in|your|all))\b"
)

_TO_THE_END_OF_THE_LINE = (
    # /remember the staging server is called heron
    r"/remember[ \t]+",
    # 记住：我用 neovim · 请帮我记一下: … · 备忘：…
    rf"{_PLEASE_ZH}(?:{_KEEP_ZH}|备忘)[ \t]*[：:][ \t]*",
    # remember: … · please remember this: … · make a note: …
    rf"{_PLEASE_EN}(?:remember|make a note|take a note|note down|write down|keep in mind)"
    r"(?: this| that| of this)?[ \t]*[：:][ \t]*",
)
_TO_THE_END_OF_THE_SENTENCE = (
    # 记住，我对花生过敏 · 请记住我住在北京 · 记住不要给我推荐 nano
    rf"{_PLEASE_ZH}{_KEEP_ZH}[，,][ \t]*(?![你您]|怎么|如何|什么|了)",
    rf"{_PLEASE_ZH}{_KEEP_ZH}[ \t]*"
    "(?=我们?(?!刚|说|问|的?问题|的话)|咱|以后|今后|回答|不要|别|不能|用[中英日]文)",
    # remember that the build runs on Fridays, but not "that movie" or "that you are a pirate"
    rf"{_PLEASE_EN}remember,? that,? (?=(?-i:[A-Z])|{_MINE_EN}|(?:the|a|an|all|every|each|no|both|it|it's|he|she|they"
    r"|his|her|their|this|these|from|for|in|on|at|by|when|whenever|if|there)\b)(?!you\b)",
    # Remember, I'm allergic to nuts · remember my name is Ann
    rf"{_PLEASE_EN}remember, (?={_MINE_EN}|(?:the|all|always|never|don't|do not|no|from)\b)",
    rf"{_PLEASE_EN}remember (?={_MINE_EN})(?!\w+ (?:told|said|asked|mentioned|talked|discussed|met|went|were|was)\b)",
    # remember to answer in Chinese: how to answer, not what to do now
    rf"{_PLEASE_EN}remember to (?={_ANSWERING_EN})(?!.*\b(?:this|these|here|above|below|that (?:file|function))\b)",
    # keep in mind that I work nights · note that my manager is Eve
    rf"{_PLEASE_EN}(?:keep in mind|note|make a note|take note|note down|write down)(?: that|,) (?={_MINE_EN})",
)

_WHAT = "(?P<what>.+)"
_TO_BE_FORGOTTEN = (
    # /forget staging server
    rf"/forget[ \t]+{_WHAT}",
    # 忘掉我的旧地址 · 请忘记我说的生日 · 把我的旧地址忘掉
    rf"{_PLEASE_ZH}忘掉(?:关于)?{_WHAT}",
    rf"{_PLEASE_ZH}(?:忘了|忘记)关于{_WHAT}",
    rf"{_PLEASE_ZH}(?:忘了|忘记)(?P<what>(?:我|咱|那个|那件|这件).+)",
    rf"{_PLEASE_ZH}把(?P<what>[^，,]{{2,80}}?)(?:都|全)?(?:忘掉|忘了吧|忘记吧)吧?",
    # 别再记得我的旧地址 · 删除关于我前公司的记忆
    rf"{_PLEASE_ZH}(?:别|不要|不用|不必|无需)(?:再|继续)?(?:记得|记住|记着)(?:关于)?{_WHAT}",
    rf"{_PLEASE_ZH}(?:删除|删掉|清除|抹去)(?:你)?(?:关于)?(?P<what>[^，,]{{2,60}}?)的?(?:那条)?记忆",
    rf"{_PLEASE_ZH}把(?:关于)?(?P<what>[^，,]{{2,60}}?)的?(?:那条)?记忆(?:都|全)?(?:删掉|删了|删除|清除|抹掉)吧?",
    # forget that I live in Berlin · forget about my ex · forget what I said about the deadline
    rf"{_PLEASE_EN}forget (?:about |that |what (?:i|we) (?:said|told you|wrote) about "
    rf"|(?:everything|anything|all) (?:you know )?about |the (?:fact|memory|note) (?:that|of|about) )(?:that )?{_WHAT}",
    # forget my dentist · please forget the staging server
    rf"{_PLEASE_EN}forget (?P<what>(?:{_MINE_EN}|(?:his|her|their)\b|(?:where|who|when|how) (?:i|we)\b).*)",
    r"(?:please |pls |kindly ){1,2}forget (?P<what>.+)",
    rf"{_PLEASE_EN}forget (?P<what>the (?!past\b)[^,，]+)",
    # stop remembering my address · don't remember that I smoke · delete the memory about my ex
    rf"{_PLEASE_EN}(?:stop remembering|no longer remember) (?:that |about )?{_WHAT}",
    rf"{_PLEASE_EN}(?:don't|do not) remember (?:that )?(?P<what>{_MINE_EN}.*)",
    rf"{_PLEASE_EN}(?:delete|erase|remove|drop) (?:the |that |your |all |any )?(?:memory|memories|everything you know)"
    rf" (?:of|about|that|on) {_WHAT}",
)
_NOTHING_TO_FORGET = (
    # Only pointing, or at the conversation itself.
    r"(?:it|that|this|them|me|us|him|her|all|everything|anything|everything about me|the whole thing)",
    r"(?:the |my |your )?password|(?:all |any )?(?:your|these|those|the) (?:instructions|rules|rest).*",
    r"(?:all |any |your |the ){0,2}(?:previous|prior|earlier|above|last)\b.{0,40}",
    r"(?:to|it|that|this) \w+.*|(?:what )?(?:i|we) (?:said|asked)\b.*|you\b.*",
    r"[它他她]|这个|那个|这些|那些|我们?的?|一切|所有|全部|上面.*|密码.*",
    r"(?:之前|刚才|以上)的?.*(?:指令|要求|对话|话|内容)",
    r"我(?:刚才|之前|上面|刚刚)?(?:说|讲|问)的?(?:话|一切|那些)?",
    # 忘掉前任有什么办法 · 忘了我是谁
    r".*(?:怎么|如何|什么|谁|哪|为什么|办法|方法).*|.*[?？]",
)


@cache
def to_the_end_of_the_line() -> re.Pattern[str]:
    """Requests to remember all that stands behind them on the line."""
    return _any_of(_TO_THE_END_OF_THE_LINE)


@cache
def to_the_end_of_the_sentence() -> re.Pattern[str]:
    """Requests to remember the rest of the sentence."""
    return _any_of(_TO_THE_END_OF_THE_SENTENCE)


@cache
def requests_to_forget() -> tuple[re.Pattern[str], ...]:
    """Requests to forget: the group `what` of each holds what."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _TO_BE_FORGOTTEN)


@cache
def nothing_to_forget() -> re.Pattern[str]:
    """What is asked to be forgotten, but is no memory."""
    return _any_of(_NOTHING_TO_FORGET)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)

"""How questions about the one who asks are worded, in Chinese and English. Data for `rules.asking.recall_questions`.

Each pattern stands under questions that it is for; every repetition is bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class RecallPhrases:
    """One language's wordings. `everything`, `remembering` and `plain` are matched from a clause's start."""

    everything: re.Pattern[str]
    """The whole clause asks for all that is known, or who the user is."""
    remembering: re.Pattern[str]
    """The clause names the remembering, and something of the user's."""
    idiom: re.Pattern[str]
    """It does so only in passing: "do you know what I mean"."""
    plain: re.Pattern[str]
    """The whole clause asks for what is so, or was, in the user's life."""
    advice: re.Pattern[str]
    """It asks what to do, or about code: a plain question with one of these is none."""


_ME = "(?:我们?|咱们?)"
_YOU = "(?:你|您|orca)"
_WHICH = "(?:什么|啥|哪|谁|几|多少|多大|多高|多重|多久|何时)"
_DAY = r"在?(?:\d{1,4}[年月日号]){1,3}[这那]?天?"
_BEFORE = f"(?:{_DAY}|上一?次|上回|之前|以前|先前|曾经?|当时|刚才|昨天|昨晚|前天|前几天|那天|最近|去年)"
_NOT_A_STATE = (
    "(?!想|要|觉得|看(?![了过])|准备|打算|需要|能|可|得|该|遇|发现|听|不|没|怕|担心"
    "|问|猜|就|再|这|那|先|为|去(?!.*了$))"
)
"""What follows "我" where a wish, a doubt or a plan is spoken of."""
_HABITUALLY = "(?:平时|平常|一般|通常|每天|每周|习惯)"
_TELL = "(?:推荐|说|讲|提到?|聊|告诉|介绍|建议|分享|约定|商量|决定)"
_ENDING = "(?:呢|吗|么|不|没有?|啊|呀|来着|了)?"

_EVERYTHING_ZH = (
    # 我是谁 · 你还记得我是谁吗 · 你认识我吗
    rf"(?:{_YOU}?(?:还|是否)?(?:记得|认识|认得|知道)|说说|猜猜|告诉我)?我(?:到底|究竟)?是谁{_ENDING}",
    rf"{_YOU}?(?:还|是否)?(?:记得|认识|认得|知道|了解)我{_ENDING}",
    # 你记得我什么 · 你都知道我哪些事 · 你记住了什么
    rf"{_YOU}?(?:现在|目前|到底)?(?:还|都)?(?:记得|知道|记住|记了|记着|了解|掌握)了?(?:关于)?我的?(?:些|了)?"
    rf"(?:什么|哪些|多少|啥)(?:信息|事情?|东西|情况)?{_ENDING}",
    rf"{_YOU}(?:都|还)?(?:记得|记住|记了)了?些?(?:什么|哪些|啥)(?:信息|事情?|东西)?{_ENDING}",
    # 你对我了解多少 · 关于我你都知道些什么
    rf"{_YOU}?(?:对我|关于我)[，, ]*{_YOU}?(?:都|还)?(?:有(?:什么|哪些|啥|多少))?(?:知道|记得|了解|记住|印象|记忆)"
    rf"(?:些|了)?(?:什么|哪些|多少|啥)?{_ENDING}",
    # 说说你对我的了解 · 列出你记得的我 · 介绍一下我
    rf"(?:说说|讲讲|列出|总结一?下?){_YOU}?(?:对我的(?:了解|记忆|印象)|(?:记得|知道)的?(?:关于)?我[^，。]{{0,6}})",
    r"介绍一下我(?:自己)?",
    # 我之前说过什么 · 我都跟你讲了些什么
    rf"{_ME}(?:都)?{_BEFORE}?(?:都)?(?:[跟和对给]你)?(?:说|讲|聊|提|告诉)(?:过|了)你?些?(?:什么|啥|哪些)(?:事|东西|话)?{_ENDING}",
)
_REMEMBERING_ZH = (
    # 你还记得我们选了哪个数据库吗 · 记不记得上次聊的方案
    rf"{_YOU}?(?:还|是否|能不能|能)?(?:记得|记不记得|还记不记得|想得起来|想起来)(?=.{{0,60}}(?:{_ME}|{_BEFORE}))",
    # 你知道我用什么编辑器吗
    rf"{_YOU}(?:还|是否)?(?:知道|知不知道|清楚|清不清楚)(?=.{{0,20}}{_ME}.)",
    # 提醒我一下我们选了哪个数据库 · 告诉我我住哪
    rf"(?:请|麻烦|再){{0,2}}{_YOU}?(?:提醒|告诉|跟|给)我?(?:说说?)?(?:一下)?(?=.{{0,16}}(?:{_ME}|{_BEFORE}).{{0,40}}{_WHICH})",
    # 你之前给我推荐过哪些画家
    rf"(?:{_BEFORE}这?天?[，,]?)?{_YOU}{_BEFORE}?[给跟向和对]{_ME}.{{0,8}}{_TELL}[过了的]",
    # 我有没有跟你说过我的生日 · 我曾经和你推荐过一部电影
    rf"{_ME}(?:有没有|是不是|是否)?{_BEFORE}?[跟和对向给]?你?.{{0,6}}{_TELL}(?:了|过)?你?过",
    # 我平时怎么上班
    rf"{_BEFORE}?{_ME}(?:{_BEFORE}|{_HABITUALLY})[^，。]{{0,14}}怎么(?!.*[都也])[^，。]{{1,12}}$",
)
_IDIOM_ZH = (
    r"我的?意思|我(?:在|想)说什么|我想说|我指的是",
    r"(?:知道|清楚).*(?:怎么|如何|应该|该|为什么|能不能|可以)",
)
_PLAIN_ZH = (
    # 我用什么编辑器 · 我家住哪里 · 我的生日是几号 · 上次我们选了哪个库
    rf"(?:{_BEFORE}[，,]?)?{_ME}的?{_NOT_A_STATE}"
    rf"[^，。]{{0,28}}?{_WHICH}[^，。都也]{{0,16}}",
    # 我的猫叫啥来着 · 我平时怎么上班
    rf"{_ME}[^，。]{{1,20}}来着",
    # 我对花生过敏吗 · 我结婚了吗 · 我有孩子吗 · 我是左撇子吗
    rf"{_ME}(?:是不是|有没有|喜不喜欢|吃不吃|会不会)[^，。]{{1,16}}",
    rf"{_ME}(?:喜欢|讨厌|爱吃|对.{{1,8}}过敏|结婚|养|住|会说|会开|会弹|吃|喝|属)[^，。]{{0,16}}[吗么]",
    rf"{_ME}有(?:孩子|女儿|儿子|宠物|猫|狗|车|房|兄弟|姐妹|女朋友|男朋友|对象)[^，。]{{0,8}}[吗么]",
    # 我曾看过一部爱情电影，它的名字是？ · 我不喜欢看喜剧片，对吗？
    rf"{_ME}{_BEFORE}[^，。]{{2,40}}[，,][^，。]{{0,12}}(?:是|叫|有)(?:什么|谁|哪.{{0,3}}|多少|关于什么的?)?",
    rf"{_ME}[不最很]?(?:喜欢|讨厌|爱|是|有|住|用|会|吃|喝|养|在)[^，。]{{1,30}}[，,](?:对|是|没错)(?:吗|吧|不对|不是)",
    rf"{_ME}是[^，。]{{1,8}}(?:人|员|师|生|者|手|座|子|型血?)[吗么]",
)
_ADVICE_ZH = (
    r"应该|应当|该(?:用|选|怎么|如何|学|买|做|去|不该|写|吃|穿|说)|要不要|能不能|可不可以|可以|适合|推荐(?!过)|建议(?!过)",
    r"怎样|怎么(?!称呼)|如何|为什么|为啥|为何|好不好|是不是(?:该|错|有)",
    r"错|不对|问题|毛病|报|区别|意思|原因|才能|才会|不知道|想知道|缺什么|还差|办法|方法|能(?:卖|学|做|用|买)|好$|划算|值得|漏了|没什么|什么的$|代码|函数|程序",
    # 我今晚吃什么 asks for an idea, 我昨晚吃了什么 for what was.
    rf"{_ME}(?:聊|说|吃|玩)[点些](?:什么|啥)",
    r"(?:今天|今晚|晚上|明天|后天|周末|中午|早上|接下来|下一步|现在|以后)(?:要|再|去)?"
    r"(?:吃|做|去|穿|看|玩|喝|干|买|送|学)[点些]?(?:什么|啥|哪)(?!.*[了过]$)",
)

_MINE = r"(?:i|i'm|i've|i'd|my|mine|me|we|we're|we've|our|us)"
_NOW = r"(?:usually |normally |typically |currently |always |generally |mostly )?"
_ASKED = r"(?:what|which|who|whom|whose|where|when|how (?:often|long|many|much|old|tall))"
_OF_WHAT = r"(?: [\w'+#.-]{1,30}){0,4}?"

_EVERYTHING_EN = (
    # what do you know about me · what else do you remember
    r"(?:what|how much)(?: all| else| exactly)? (?:do|can|did) you (?:actually |really |already |still |even )?"
    r"(?:know|remember|recall|have stored|have)(?: (?:about|of|on) (?:me|us|myself))?(?: so far| already| now)?",
    # who am I · do you know me · do you remember who I am
    r"who am i(?: to you| again)?|(?:do )?you (?:still )?(?:know|remember|recall) (?:me|who i am)",
    # tell me everything you know about me · describe me
    r"(?:tell me|list|show me|summari[sz]e)(?: about)? (?:myself|(?:everything|all|what|all that)(?: that)? you(?:'ve)?"
    r" (?:know|remember|recall|learned|learnt|remembered|stored)(?: (?:about|of) (?:me|us))?)|describe me",
    # what have you learned about me · what did I tell you before
    r"what have (?:you (?:remembered|learned|learnt|stored|saved)(?: about (?:me|us))?|i told you)(?: so far)?",
    r"what did i (?:say|tell you|mention)(?: to you)?(?: before| earlier| last time| yesterday)?",
)
_REMEMBERING_EN = (
    # do you remember which database we chose · remember when we met?
    r"(?:(?:do|don't|can|could|would) you )?(?:please |still |happen to )?(?:remember|recall) (?!to\b)"
    rf"(?=.{{0,80}}\b{_MINE}\b)",
    # do you know my name · do you know how I take my coffee
    rf"(?:do you|don't you|you) (?:still |happen to )?know (?!how (?:to|can|do)\b)(?=.{{0,80}}\b{_MINE}\b)",
    # remind me which database we chose · could you tell me what my favourite editor is
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:remind me|tell me)(?: again)? (?:of |about )?"
    rf"(?=(?:my|our)\b|(?:what|which|who|whom|where|when|how|why|whether|if)\b(?! to\b).{{0,80}}\b{_MINE}\b)",
    # did I ever tell you my birthday · which painters did you recommend to me
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned|say|said|share|shared)\b",
    rf"{_ASKED}\b{_OF_WHAT} (?:did|have) you (?:tell|told|recommend|recommended|suggest|suggested|mention|mentioned)\b",
)
_IDIOM_EN = (
    r"\bwhat i(?:'m| am)? (?:mean|saying|talking about|getting at)\b|\bwhat my .{1,40} (?:means?|does)\b",
    r"\b(?:what|which|how|where|if|whether|why) (?:\w+ ){0,2}(?:i|we)"
    r" (?:should|could|can|must|need|have to|do wrong)\b",
    r"\b(?:what's|what is) (?:wrong|the best)\b|\b(?:is|are) (?:right|wrong|correct|valid|ok|okay)\b",
    r"\bknow why (?:i|my|our)\b",
    r"\bthat (?:function|file|bug|error) (?:is|returns|throws)\b",
)
_STATE = (
    "(?:use|using|prefer|like|love|hate|dislike|enjoy|work|live|run|drive|drink|eat|speak|play|study|read|own|have|keep"
    "|write|call|take|wear|watch|follow|get up|wake up|go to bed|deploy|come|commute)"
)
_PLAIN_EN = (
    # what's my timezone · who is my dentist
    r"(?:what|who|where|when)(?:'s|'re|s| is| are| was| were) (?:my|our) .{2,80}",
    # what's the name of my dog · which framework does my team use
    r"(?:what|who|where|when)(?:'s| is| was| are) the [\w-]+(?: \w+)? of (?:my|our) .{2,60}",
    rf"{_ASKED}\b{_OF_WHAT} (?:does|did) (?:my|our) .{{2,60}}",
    # which editor do I use · where do I live · how often do I run
    rf"{_ASKED}\b{_OF_WHAT} do (?:i|we) {_NOW}{_STATE}\b.{{0,60}}",
    # what did we decide · why did we choose Postgres
    rf"(?:{_ASKED}|why)\b{_OF_WHAT} (?:did|had) (?:i|we) (?!do\b|miss\b|get\b|forget\b).{{2,80}}",
    # what am I allergic to · where was I born · how long have I been married
    rf"{_ASKED}\b{_OF_WHAT} (?:am|are|was|were|have|has) (?:i|we) (?:been |currently |again )?"
    r"(?:\w+ing|\w+ed|called|born|from|allergic|at|in|on|with)\b.{0,60}",
    # I don't like comedies, right?
    r"(?:i|we) (?:don't |do not |really )?(?:like|love|hate|prefer|use|live|work|own|have|eat|drink)\b.{1,50},"
    r" (?:right|correct|don't i|do i)",
    # how old am I · how do I take my coffee
    r"how (?:old|tall|heavy) am i|how do i (?:like|prefer|take|usually|normally|commute)\b.{0,60}",
    # am I allergic to peanuts · do I have kids
    r"am i (?:a |an |still )?"
    r"(?:vegetarian|vegan|allergic|married|single|left-handed|right-handed|diabetic|native)\b.{0,60}",
    r"do (?:i|we) (?:like|love|hate|prefer|own|speak|live|drink|eat|play|smoke)\b.{0,60}",
    r"do (?:i|we) have (?:any )?(?:an? )?"
    r"(?:kids?|children|dogs?|cats?|cars?|sisters?|brothers?|pets?|siblings|allerg\w+)\b.{0,60}",
)
_ADVICE_EN = (
    r"\b(?:should|shall|must|ought|need to|have to|supposed to|best|better|worst|wrong|fastest|easiest|cheapest)\b",
    r"\b(?:can|could|would|might) (?:i|we)\b|\bif (?:i|we)\b|\bhow (?:to|can|should|could|would)\b",
    # which command do I use to list files · what do I call when it fails
    r"\bdo i (?:use|write|call|run|keep|take|have)\b.{0,40} (?:to|when|if) \w+",
    r"\bmy (?:[\w-]+ )?(?:code|function|loop|query|regex|script|error|output|program|class|tests?|build|css|html)\b",
    r"\bmy (?:[\w-]+ )?(?:variable|array|list|string|file|ip|options?|choices?|chances|odds|mistakes?|next \w+)\b",
    r"\bmy (?:[\w-]+ )?(?:problem|issue|bug|essay|text|sentence|draft|answer|app|server|page)\b|\bmy[-_]",
    r"\b(?:this|these|the following|above)\b",
)


@cache
def chinese() -> RecallPhrases:
    """How such questions are worded in Chinese."""
    return RecallPhrases(
        everything=_any_of(_EVERYTHING_ZH),
        remembering=_any_of(_REMEMBERING_ZH),
        idiom=_any_of(_IDIOM_ZH),
        plain=_any_of(_PLAIN_ZH),
        advice=_any_of(_ADVICE_ZH),
    )


@cache
def english() -> RecallPhrases:
    """How such questions are worded in English."""
    return RecallPhrases(
        everything=_any_of(_EVERYTHING_EN),
        remembering=_any_of(_REMEMBERING_EN),
        idiom=_any_of(_IDIOM_EN),
        plain=_any_of(_PLAIN_EN),
        advice=_any_of(_ADVICE_EN),
    )


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)

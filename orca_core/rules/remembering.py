"""What the user asks, in so many words, to be remembered or forgotten; and what kind of memory a text would be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Source, Span
from orca_core.rules.cleaning import MEMORY_LIMITS, clean_memory

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_OPENING = (
    r"(?:^|(?<=[。！？!?；;\n])|(?<=\.)(?=[ \t]))[ \t]*(?:(?:顺便(?:说一下)?|另外|对了|还有|哦|嗯|好的?|ok|okay|btw|by the way|also|and|oh|hey"
    r"|orca)[，,：: ]+){0,2}"
)
_REMEMBER = re.compile(
    _OPENING + r"(?:"
    r"/remember[ \t]+"
    r"|(?:请|麻烦|帮我|请你|你)?(?:帮我)?(?:记住|记一下|记下来|记下|牢记)(?:一下|了)?(?:这(?:一)?点|这件事|这个)?[ \t]*[：:][ \t]*"
    r"|(?:请|麻烦|帮我|请你)?(?:帮我)?(?:记住|记一下|记下)(?:一下)?(?:这(?:一)?点)?[，, ][ \t]*(?=(?:我|我们|咱|以后|今后|不要|别|回答|用|叫))"
    r"|(?:请|麻烦|帮我|请你)(?:帮我)?(?:记住|记一下|记下)(?=我|我们|咱)|记住(?=我(?!的?问题|说|刚|们说))"
    r"|(?:please )?remember(?: this)?[ \t]*[:：][ \t]*"
    r"|(?:please )?remember,? that\b(?! (?:time|day|one|guy|movie|song|trip|night|thing)\b)[, ]*"
    r"|(?:please )?remember,? (?=(?:i|i'm|i've|my|we|our|we're|to (?:always |never )?(?:answer|reply|respond|write|use|call|keep|avoid|speak))\b)"
    r"|(?:please )?(?:make a note|take note|note down|keep in mind)(?: that|:|,) *(?=\S)"
    r"|(?:please )?note that (?=(?:i|i'm|my|we|our)\b)"
    r")(?P<what>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)
_COLON = re.compile(r"[：:]\s*$|^\s*/remember")
_SENTENCE_END = re.compile(r"(?<=[。！？!?])|(?<=[.;；])(?=\s)")
_QUESTION = re.compile(
    r"[?？]\s*$|(?:吗|么|呢|没有?|怎么\S*|如何\S*|什么|多少|为什么\S*)[。.!！]?\s*$|^(?:怎么|如何|为什么)"
)
_NOT_REALLY = re.compile(
    r"(?:不要|别|不用|不必|无需|勿)(?:帮我)?记|don'?t (?:bother to |have to |need to )?remember|never mind|you (?:don'?t|needn'?t)"
    r"|when (?:we|i|you) (?:were|was|went|did|had|first)\b",
    re.IGNORECASE,
)

_FORGET = re.compile(
    _OPENING + r"(?:"
    r"/forget[ \t]+"
    r"|(?:请|麻烦|帮我|请你|你)?(?:把)?(?:忘掉|忘了|忘记|别再记得?|不要再记得?|不用再记得?|不用记得?|别记得?)(?:吧)?[：:，, ]*(?:关于)?"
    r"|(?:请|麻烦|帮我|请你|你)?把(?P<object>[^。！？!?\n]{2,80}?)(?:忘掉|忘了|忘记)(?:吧|掉)?(?:$|(?=[。！!\n]))"
    r"|(?:please )?forget (?:about |that |what i (?:said|told you) about |everything about )?(?=\S)"
    r"|(?:please )?(?:stop remembering|don'?t remember|no longer remember|delete the memory (?:about|of|that)) (?:that |about )?"
    r")(?P<what>[^。！？!?\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_NO_FORGETTING = re.compile(
    r"^(?:it|about it|that|this|了|吧|掉|就好|就算了|那个|它|这个)?[.!。！ ]*$|^(?:了|我)?(?:密码|带|拿|关|怎么|什么时候|自己)"
    r"|^(?:the|my|your) password|^to \w+",
    re.IGNORECASE,
)

_INSTRUCTION = re.compile(
    r"^(?:以后|今后|从现在起|总是|一律|每次|务必|请|都)?(?:请|都|要|只|就)?(?:回答|回复|解释|代码|注释|说话|输出|答案|写代码)[^。]{0,12}(?:用|要|请|不要|别|简短|简洁|详细|直接)"
    r"|^(?:以后|今后|从现在起)|^(?:不要|别|禁止|请不要|请勿)|^(?:请)?(?:先|只|总是|一律|务必|尽量|叫我|称呼我|用(?!户))(?!的)\S"
    r"|^(?:always|never|don'?t|do not|please|from now on|keep|avoid|answer|reply|respond|call me|address me|speak|stop|use|write|be)\b"
    r"|^to (?:always |never )?(?:answer|reply|respond|write|use|call|keep|avoid|speak)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"喜欢|讨厌|偏好|偏爱|更爱|最爱|习惯用?|不吃|不喝|爱吃|爱喝|受不了|宁愿|反感|不爱|想要"
    r"|\b(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|favou?rite|rather|can'?t stand|would rather)\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"项目|在做(?:一个)?|正在(?:开发|重构|迁移|写)|负责(?:的|开发)|我们(?:用的|的(?:仓库|数据库|后端|前端|服务))|代码库"
    r"|\b(?:project|repo(?:sitory)?|codebase|working on|building|our (?:stack|backend|frontend|database|api|monorepo|service)|deadline)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]|(?:昨天|今天|明天|后天|下周|上周|下个月|上个月|周[一二三四五六日末])[^。]{0,12}(?:要|去|有|到|开|参加|考|面试|结婚|搬|上线|出差|完成|买)"
    r"|\b(?:yesterday|today|tomorrow|next (?:week|month|year|\w+day)|last (?:week|month|year|\w+day)|on (?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december|\w+day))\b|\b\d{4}-\d{2}-\d{2}\b",
    re.IGNORECASE,
)


def remember_request(spans: Sequence[Span]) -> str | None:
    """What is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    for text in _typed_prose(spans):
        for match in _REMEMBER.finditer(text):
            trigger = match[0][: match.start("what") - match.start()]
            if _NOT_REALLY.search(text[max(0, match.start() - 6) : match.end()][: len(trigger) + 40]):
                continue
            what = match["what"]
            if not _COLON.search(trigger):
                what = _SENTENCE_END.split(what, maxsplit=1)[0]
            content = clean_memory(what).strip("，, ")
            if _QUESTION.search(content) or not MEMORY_LIMITS[0] <= len(content) <= MEMORY_LIMITS[1]:
                continue
            return _without_full_stop(content)
    return None


def forget_request(spans: Sequence[Span]) -> str | None:
    """What is to be forgotten, in the user's words, to be searched for."""
    for text in _typed_prose(spans):
        for match in _FORGET.finditer(text):
            what = clean_memory(match["object"] or match["what"]).strip("，, 吧。.")
            if len(what) >= 2 and not _NO_FORGETTING.search(what):
                return what
    return None


def remembered_type(text: str) -> MemoryType:
    """What kind of memory a text is, by how it is said."""
    if _INSTRUCTION.search(text):
        return MemoryType.INSTRUCTION
    if _PREFERENCE.search(text):
        return MemoryType.PREFERENCE
    if _EVENT.search(text):
        return MemoryType.EVENT
    return MemoryType.PROJECT if _PROJECT.search(text) else MemoryType.FACT


def _typed_prose(spans: Sequence[Span]) -> Iterator[str]:
    """The typed pieces without code and quoted lines; a piece that goes on behind a paste opens no clause."""
    opens_clause = True
    for span in spans:
        if span.source is Source.TYPED:
            prose = _QUOTED_LINE.sub("", _CODE.sub(" ", span.text))
            yield prose if opens_clause else "\x00" + prose
        opens_clause = span.text.endswith("\n")


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    bare = content[:-1] if content[-1] in "。." else content
    return bare if bare and not re.search(r"[。.！!](?:\s|$)|[。！]", bare) else content

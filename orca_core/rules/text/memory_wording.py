"""How memories are worded: what tells their type, a condition, or something that only its owner should confirm.
Data for `rules.asking.remembering`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from orca_core.domain.memories import MemoryType

_INSTRUCTIONS = (
    # 回答要简短 · 代码请用英文注释
    r"^(?:你的?)?(?:回答|回复|解释|代码|注释|输出|答案|说话|写代码|语气)"
    r"[^。]{0,12}?(?:用|要|请|不要|别|尽量|简短|简洁|详细|直接)",
    # 以后都用中文回答 · 总是先给结论 · 跟我说话别客套
    r"^(?:以后|今后|从现在起|从今以后|每次|总是|永远|一律|务必|请|尽量|都|跟我|和我|对我|给我){1,3}"
    r"[^。，]{0,10}?(?:回答|回复|解释|用|写|说|叫|称呼|输出|列|推荐|提|加|附|保持|简|先|别|不要|直接|给)",
    # 不要给我推荐 nano · 别用表情 · 叫我小王 · 用中文回答
    r"^(?:不要|别(?!人|的|名|处|墅|针)|禁止|请勿|不许|不准)",
    r"^(?:叫|称呼)我|^用[^，。]{1,10}(?:回答|回复|交流|解释|写|说|注释)",
    # always answer in English · don't suggest nano · keep it short
    r"^(?:to )?(?:always|never|don'?t|do not|please|from now on|avoid|answer|reply|respond|call me|call us|speak)\b",
    r"^(?:address me|(?:stop|use|write|keep|be|explain|format|cite|include|skip|start|end)) (?!of\b)",
    r"\byou (?:should|must|have to|need to) (?:always |never )?(?:answer|reply|respond|use|write|avoid|call|speak)\b",
)
_PREFERENCES = (
    r"喜欢|讨厌|偏好|偏爱|更爱|最爱|习惯|不吃|不喝|爱吃|爱喝|爱看|爱听|受不了|宁愿|反感|不爱|钟爱",
    r"\b(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|favou?rites?|can'?t stand|(?:woul|')d rather|fond of)\b",
)
_WORKING = (
    r"(?:正?在|一直在)(?:做(?!饭)|开发|重构|迁移|写|维护|搭)|负责(?:开发|维护|的)",
    r"\b(?:working on|building|developing|maintaining|refactoring|migrating)\b",
)
_DAY = (
    r"(?:\d{1,2}月\d{1,2}[日号]|\d{4}-\d{2}-\d{2}|昨天|今天|明天|后天|昨晚|今晚"
    r"|[上下这]个?(?:周|月|星期|礼拜)[一二三四五六日末天]?|(?<!每)周[一二三四五六日末])"
)
_HAPPENS = (
    "(?:要|去|有|到|开|参加|考|面试|结婚|搬|上线|发布|出差|完成|买|见|回|做|飞|签|交"
    "|是.{0,6}(?:婚礼|面试|考试|手术|会议|航班))"
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_EVENTS = (
    # 明天要去北京出差 · 5月3日考试; a birthday is a fact, and so is what happens every week
    rf"^(?!.*(?:生日|出生|纪念日|每[周月年天])).*{_DAY}[^。]{{0,12}}{_HAPPENS}",
    r"^(?!.*\b(?:birthday|born|anniversary|every|each)\b).*\b(?:yesterday|today|tonight|tomorrow|\d{4}-\d{2}-\d{2}"
    r"|(?:next|last|this) (?:week|weekend|month|year|\w+day)"
    rf"|on (?:{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{{1,2}} (?:{_MONTHS})))\b",
)
_PROJECTS = (
    r"项目|代码库|(?:我们|公司|团队)的?(?:仓库|数据库|后端|前端|服务|技术栈|测试机|生产库)",
    r"\b(?:project|repo(?:sitory)?|codebase|monorepo|deadline|our (?:stack|backend|frontend|database|api|service))\b",
)
_TYPES = (
    (MemoryType.INSTRUCTION, _INSTRUCTIONS),
    (MemoryType.PREFERENCE, _PREFERENCES),
    (MemoryType.PROJECT, _WORKING),
    (MemoryType.EVENT, _EVENTS),
    (MemoryType.PROJECT, _PROJECTS),
)

_CONDITIONS = (
    r"如果|假如|假设|倘若|要是|万一|一旦|每当|凡是|除非|只要[^。]{1,24}[就便]|若(?:是|要|用户|我|他|她|有|无)",
    r"每次[^，。]{0,6}(?:说|提到|提起|问到|问起|聊到|听到|看到)",
    r"的话[，,就]|(?<![适应正])当[^，。天时年地]{1,20}?(?:时|的时候|之时)|(?:遇到|碰到)[^，。]{1,20}(?:时|就|的时候)",
    r"\b(?:if|unless|whenever|in case|(?:every|each|any) ?time|provided that|as soon as|once (?:i|the|you|we))\b",
    # "when asked about taxes", but not "when I was five"
    r"\bwhen\b(?! (?:the )?\w+ (?:was|were|had|did|went|came|got|moved|lived|\w+ed)\b)",
)

_SECRETS = (
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{12,}",
    r"\bhf_[A-Za-z0-9]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bxox[abprs]-[\w-]{8,}",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY",
    r"(?:密码|口令|密钥|令牌|验证码)(?:[：:=]|是|为)[ \t]*[!-~]{3,}",
    r"(?i:\b(?:password|passwd|passphrase|pin|secret|token|(?:api|access|private)[ _-]?key)\b(?: is|[:=])[ \t]*)"
    r"(?!(?i:in|on|at|a|an|the|not|too|stored|kept)\b)\S{3,}",
    # A long word of letters and digits mixed: a key or a hash.
    r"(?<![\w/.+-])(?=[A-Za-z+_-]{0,40}\d)(?=[0-9+_-]{0,40}[A-Za-z])[A-Za-z0-9+_-]{32,}(?![\w/.-])",
)
_ACCOUNT_NUMBERS = (
    # IBAN, also cut short; cards, accounts and identity cards
    r"\b[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}(?!\w)|\b[A-Z]{2}\d{2}(?:\.\.|…)",
    r"(?<![\w.])\d(?:[ -]?\d){11,18}[Xx]?(?![\w.])",
    r"(?i:\biban\b|账号|帐号|卡号|account number|身份证号?)[^。\n]{0,12}?[A-Z0-9]{4,}",
    # telephones and social security
    r"(?<!\d)1[3-9]\d(?:[ -]?\d{4}){2}(?!\d)|(?<!\w)\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}",
    r"\b\d{3}-\d{2}-\d{4}\b|(?:\(\d{3}\) ?|\b\d{3}-)\d{3}-\d{4}\b",
)
_LINKS = (
    r"(?i:\b[a-z][a-z0-9+.-]{1,12}://\S|\bwww\.[\w-]+\.\w)",
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w",
    r"(?i:(?<![\w.-])[a-z0-9-]{2,63}\.(?:com|net|org|io|dev|cn|app|ai|co|info|xyz|top|ru|de|uk)(?:/\S*)?)(?![\w-])",
)
_SENSITIVE = (("secret", _SECRETS), ("account_number", _ACCOUNT_NUMBERS), ("url", _LINKS))


@cache
def types() -> tuple[tuple[MemoryType, re.Pattern[str]], ...]:
    """How each type is worded; the first that fits counts."""
    return tuple((kind, _any_of(wordings, re.IGNORECASE)) for kind, wordings in _TYPES)


@cache
def conditions() -> re.Pattern[str]:
    """How a condition is worded."""
    return _any_of(_CONDITIONS, re.IGNORECASE)


@cache
def sensitive_shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What secrets, numbers of accounts and links look like, by reason, the gravest first."""
    return tuple((reason, _any_of(shapes, re.ASCII)) for reason, shapes in _SENSITIVE)


def _any_of(patterns: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), flags)

"""Questions about the one who asks: what Orca knows of them, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them."""


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """A question about the user; without a topic it asks for all that is known."""

    topic: bool


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")

_EVERYTHING = re.compile(
    r"^(?:那|那么|所以|嘿|喂|你好)?[，, ]*(?:你|orca)?(?:还|都|到底)?(?:记得|知道|记住了?|了解|记了|记着)(?:关于)?我(?:的)?(?:些|了)?"
    r"(?:什么|哪些|多少|啥|哪些事|什么事|什么信息|哪些信息)(?:信息|事情|事|东西)?(?:呢|吗|啊|呀|了)?$"
    r"|^(?:你)?(?:对我|关于我)[，, ]*(?:你)?(?:都|还)?(?:有什么|有哪些|有啥)?(?:知道|记得|了解|记住|印象|记忆)(?:些|了|多少)?(?:什么|哪些|多少|啥)?(?:呢|吗)?$"
    r"|^(?:你)?(?:还)?(?:记得|认识|知道)我(?:是谁)?(?:吗|么|不)$|^我(?:到底)?是谁(?:呢|啊|来着)?$|^说说我是谁$"
    r"|^(?:你)?都?(?:知道|记得)我什么$|^你(?:还)?记得我什么(?:呢|吗)?$|^介绍一下我(?:自己)?$|^说说你(?:对我的(?:了解|记忆)|记得的我)$"
    r"|^(?:so,? |and |hey,? |well,? )?(?:what|how much)(?: else)? (?:do|can|did) you (?:actually |really |already )?"
    r"(?:know|remember|recall|remember of|have stored|have) (?:about|of|on) me(?: so far| already| now)?$"
    r"|^who am i(?: to you)?$|^do you (?:still )?(?:know|remember) (?:me|who i am)$"
    r"|^(?:tell me|list|show me|summari[sz]e)(?: all| everything)?(?: that| what)? (?:you (?:know|remember)|you've (?:learned|learnt|remembered)) (?:about|of) me$"
    r"|^what have you (?:remembered|learned|learnt|stored) about me$",
    re.IGNORECASE,
)

# Advice, knowledge and instructions: the question is about the world, though it says "I" or "my".
_ADVICE = re.compile(
    r"应该|该(?:用|选|怎么|如何|学|买|做|去|不该)|怎么办|要不要|能不能|可不可以|可以用|适合|推荐|建议|怎样|怎么(?!称呼)|如何|为什么|为啥|为何|好不好"
    r"|\b(?:should|could|would|shall|can|may|must|ought)\b|\bhow (?:do|to|can|should|would)\b|\bwhy\b|\bbest\b|\bbetter\b"
    r"|\bwrong with\b|\bdo i (?:need|have to|get|fix|make|write|add|install|use [^?]* to)\b|\bif i\b|\bam i (?:supposed|doing|right|wrong|allowed|missing)\b",
    re.IGNORECASE,
)

_ABOUT_ME_ZH = re.compile(
    r"^(?:那|那么|所以|对了|嗯|请问|话说|顺便问下)?[，, ]*(?:"
    r"(?:你|orca)?(?:还|是否|知不知道|记不记得|还记不记得|能不能想起来)?(?:记得|知道|记不记得|知不知道|记住|想得起来|清楚)[^，。]{0,20}?(?:我|咱|咱们|我们)[^。]{1,60}?(?:吗|么|没|不|呢|什么|哪|几|谁|多少|啥)?"
    r"|(?:提醒|告诉)(?:一下)?我[，, ]?(?:一下)?[^。]{0,20}?(?:我|我们|咱们|上次|之前|以前|当时)[^。]{1,60}"
    r"|(?:我|我们|咱们)(?:的|家|家里|公司|平时|一般|通常|现在|目前|上次|之前|以前|当时|昨天|最近|每天|每周|到底|最)?[^，。]{0,24}?"
    r"(?:什么|哪[个里儿些种家天年款]?|几[点号岁个月]?|多少|多大|多高|谁|啥|何时|来着)[^。，]{0,16}"
    r"|(?:上次|之前|以前|当时)(?:我|我们|咱们)[^。]{1,60}?(?:什么|哪[个里儿些种]?|几|多少|谁|啥|来着|吗)[^。，]{0,10}"
    r")$",
    re.IGNORECASE,
)
_STORY_ZH = re.compile(
    r"^(?:请|帮我)?记(?:住|下|一下|得要)|(?:帮我|给我|教我|让我|替我|我想(?:问|知道|要|学|买|做|写)|我要|我在想|我不知道|我忘了|我觉得|我没|我看到|我遇到|我发现|我收到|我刚)"
    r"|报错|错误|是什么意思|什么区别|有什么用|什么原因|是什么问题|哪里(?:错|不对|有问题)|怎么回事|什么(?:都|也)|没什么|什么的|谁都|哪儿都|多少(?:有点|都)"
)
_ABOUT_ME_EN = re.compile(
    r"^(?:hey|hi|ok|so|and|well|wait|now|also|btw|by the way|please|orca)?[,:]? *(?:"
    r"(?:please )?remind me (?:of |about )?(?:what|which|who|whom|where|when|how|whether|my|our)\b.{1,120}"
    r"|(?:do you|don't you|can you) (?:still )?(?:remember|recall|know)(?: again)? (?:what|which|who|where|when|how (?:old|tall|long|many|much|often)|whether|if|my|our)\b(?=.{0,80}\b(?:i|i'm|my|mine|we|our|me)\b).{1,120}"
    r"|(?:do you|don't you|can you) (?:still )?(?:remember|recall|know) (?:my|our) .{1,80}"
    r"|(?:what|who|where|when)(?:'s|'re|s| is| are| was| were) (?:my|our) .{2,80}"
    r"|(?:what|which) (?:[\w-]+ ){0,4}?(?:do|did|am|was|are|were|have) (?:i|we) (?:usually |normally |currently |again |still |always )?(?:use|using|prefer|like|love|hate|work|live|run|running|choose|chose|pick|picked|decide|decided|settle|agree|agreed|say|said|tell|told|mention|mentioned|call|called|own|drive|drink|eat|speak|play|study|read|reading|learn|learning|allergic|deploy|write|born|have|pinned|on|in|named|keep)\b.{0,60}"
    r"|where (?:do|did|am|was) (?:i|we) (?:live|work|come|born|grow|from|study|deploy|host)\b.{0,60}"
    r"|when (?:is|was|did|do) (?:my|our|i|we) .{2,60}"
    r"|(?:who|what) (?:do|did) i (?:work|live|say|tell|call|report|mention|name|marry|play|study)\b.{0,60}"
    r"|how (?:old|tall) am i|how many (?:\w+ ){1,3}do i have|how do i (?:like|prefer|take) my .{2,60}|what am i (?:called|allergic|working on|learning|reading|studying|planning)\b.{0,60}"
    r"|what did (?:i|we) (?:say|tell|decide|choose|agree|call|name|pick|settle)\b.{0,80}"
    r"|am i (?:vegetarian|vegan|allergic|married|left-handed|right-handed|a )\b.{0,60}"
    r")$",
    re.IGNORECASE,
)
_THINGS_OF_CODE = re.compile(
    r"\bmy (?:[\w-]+ )?(?:code|function|loop|query|regex|script|error|output|program|class|test|build|css|html|app|variable|array|list|string|file)\b"
    r"|\bmy-|\bmy_|\b(?:wrong|mistake|problem|issue|bug|options?|choices?|chances?|next steps?|mistakes)\b",
    re.IGNORECASE,
)


def recall_question(text: str) -> RecallQuestion | None:
    """Whether a text asks what is known of the user; by its sentences, code left out."""
    prose = _CODE.sub(" ", text)
    if len(prose) > 2 * EDGE_CHARS:
        prose = f"{prose[:EDGE_CHARS]}\n{prose[-EDGE_CHARS:]}"
    for match in _SENTENCE.finditer(prose):
        if (question := _sentence(match[0])) is not None:
            return question
    return None


def _sentence(sentence: str) -> RecallQuestion | None:
    said = " ".join(sentence.replace("’", "'").split())
    bare = said.rstrip("。！？!?；; .~～")
    if not bare:
        return None
    if _EVERYTHING.search(bare):
        return RecallQuestion(topic=False)
    if _ADVICE.search(bare):
        return None
    is_english = _ABOUT_ME_EN.match(bare) and not _THINGS_OF_CODE.search(bare)
    is_chinese = _ABOUT_ME_ZH.match(bare) and not _STORY_ZH.search(bare)
    return RecallQuestion(topic=True) if is_english or is_chinese else None

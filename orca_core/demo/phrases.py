"""Words by which the demo's memory agent reads clauses. Data for `clauses`: Chinese first, then English."""

from __future__ import annotations

import re

IN_PLAY = re.compile(
    r"翻译|润色|改写|校对|仿写|写(?:一?个|一?篇|一?段)?(?:故事|小说|剧本|文章|作文|邮件)|扮演|假装|假设|角色|主角"
    r"|\b(?:translate|proofread|rephrase|rewrite|summari[sz]e|pretend|imagine|role-?play|suppose"
    r"|write (?:a|an|the) (?:story|poem|song|scene))\b",
    re.IGNORECASE,
)
"""What follows in the message is said in play, or is a text to work on."""
TASK = re.compile(
    r"^(?:请|帮我)?(?:用[^，,]{1,12})?(?:写|做|画|生成|列|改|实现|设计|翻译)(?:一?[个段篇首份条]|出)"
    r"|^(?:please )?(?:write|make|create|give|show|explain|generate|build|draw|fix|find|list|tell) "
    r"(?:me )?(?:a|an|the|this|my|some|how|why|what)\b",
    re.IGNORECASE,
)
"""A piece of work that is asked for now, and no way of doing things."""

CLAUSE_ZH = re.compile(r"[，；：]+|[,;:](?=\s|[^\x00-\x7f])|(?<=[^，,])(?:而且|并且|但是|所以|然后|因为)")
OPENING_ZH = re.compile(
    r"^(?:(?:其实|另外|对了|而且|还有|还|也|并且|所以|但是?|不过(?![敏多少关度分问滤])|然后|因为|现在|目前|今年|最近|平时|平常|一般|通常|周末|每天"
    r"|经常|主要|一直|偶尔|早上|晚上|出门|从小)[，,]?)*"
)
LEAD_ZH = re.compile(r"^(?:(?:其实|另外|对了|而且|还有|并且|所以|但是?|不过(?![敏多少关度分问滤])|然后|因为)[，,]?)+")
"""What joins a clause to the one before it, and belongs to neither."""
_OWN_ZH = "家|妈|爸|老婆|老公|妻子|丈夫|女儿|儿子|孩子|姐|哥|弟|妹|奶奶|爷爷|外婆|外公|公司|团队|产品|电脑|手机|车"
SELF_ZH = re.compile(rf"^(?:我们?|咱们?)(?!的|{_OWN_ZH})")
THEIRS_ZH = re.compile(rf"^(?:我们?|咱们?)(?:的|(?={_OWN_ZH}))")
OTHERS_ZH = re.compile(
    r"^(?:我们?|咱们?)?的?(?:同事|朋友|老板|客户|领导|室友|邻居|同学|老师|房东|医生|用户)"
    r"|^(?:他|她|它|你|您|有人|人家|大家|这|那|该|今天|昨天|天气|谁|日志|报错|系统提示)"
)
BELONGS_ZH = re.compile(
    r"^(?:老婆|老公|妻子|丈夫|女儿|儿子|孩子|妈|爸|爷爷|奶奶|狗|猫|专业|内存|系统|桌面|终端|编辑器|前端|后端|后台|数据库|团队|办公室)"
)
"""What needs no "my" once the user speaks of himself."""
STATES_NOTHING_ZH = re.compile(
    r"帮[我忙]|告诉我|给我|教我|给[一个]|请|麻烦|能不能|可不可以|想问|想知道|想了解|觉得|认为|感觉|猜|怀疑|不知道|不明白|没看懂|不懂"
    r"|不太?确定|遇到|试了|试过|发现|看到|收到|报了?错|有个?(?:问题|疑问|需求|bug)|谢谢|好的|什么|怎么|哪[个里儿些种]|多少|为什么"
    r"|刚[才刚]|说的|吗$|呢$|吧$|如果|要是|假如|看看|一下$|(?<!学)问题"
    r"|(?:^|能|要|来)(?:用|写|做|画|生成|列|改|算|处理)[^，]{0,12}?(?:一?[个段篇首份]|重复|一下)"
)
BEGINS_ZH = re.compile(
    r"^(?:不|没|没有)?(?:住在?|在|用的?是?|养了?|对.{1,10}过敏|吃|喝|喜欢|讨厌|习惯|负责|部署|跑|练|学|做|写|教|戴|骑|来自|定居"
    r"|毕业|有|会|主攻|退休)"
)
"""How a clause without a subject speaks of the user, where a word such as "usually" stands before it."""
DROPPED_ZH = re.compile(
    r"^(?:不|没)?(?:住在|在(?!线)[^，]{1,12}(?:做|住|工作|上班|读|学|长大)|养了|对[^，]{1,10}过敏|用的是|不吃|不喝|吃素|家里有)"
)
"""How a clause without a subject speaks of the user, wherever it stands."""

ADVERBS = (
    r"(?:also|mostly|mainly|usually|often|sometimes|always|never|really|actually|currently|now|still|just|only|basically"
    r"|primarily|recently|generally)"
)
CLAUSE_EN = re.compile(
    r"\s*(?:(?:—+|[,;:](?=\s))(?:\s*(?:and|but|so|because)\b)?|\b(?:and|but|so|because)\b(?= [a-z]+\b))\s*",
    re.IGNORECASE,
)
OPENING_EN = re.compile(
    rf"^(?:(?:and|but|so|well|btw|by the way|fyi|hi|hello|because|then|{ADVERBS})[ ,]+)*", re.IGNORECASE
)
SELF_EN = re.compile(
    rf"^(?:i|we)(?P<be>['’]m|['’]re|['’]ve|['’]d|['’]ll)? +(?P<adverb>(?:{ADVERBS} )*)(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
THEIRS_EN = re.compile(r"^(?:my|our) (?P<rest>.+)", re.IGNORECASE | re.DOTALL)
OTHERS_EN = re.compile(
    r"^(?:(?:my|our) (?:friend|colleague|co-?worker|boss|client|customer|manager|neighbou?r|roommate|teacher|landlord"
    r"|code|question|problem|error|issue|script|program|function|bad|apologies)s?\b"
    r"|(?:he|she|they|you|it|this|that|these|those|there|the|a|an|any|some|here|what|who|everything|something|anything"
    r"|nothing|someone|people|let'?s|thanks|thank|please|could|can|would|should|do you|does|did|is|are|how|why|when"
    r"|where)\b)",
    re.IGNORECASE,
)
STATES_NOTHING_EN = re.compile(
    r"^(?:(?:do not|don['’]t|did not|didn['’]t) )?(?:think|guess|wonder|hope|wish|feel|believe|mean|suppose|need|want"
    r"|try|tried|get|got|see|saw|hear|heard|ran|know|understand|found|noticed|read|thought|would|could|should|can|may|might"
    r"|will|must|like to|was wondering|were wondering|appreciate|thank|agree|assume|expect|tested|restarted|checked"
    r"|changed|added|forgot|pasted|sent|posted|attached|copied|asked|told|said)\b"
    r"|^(?:have|has|got) (?:a |an |this |some |the |another |one )?(?:\w+ )?"
    r"(?:question|problem|bug|issue|error|doubt|list|function|table|file|string|array|script|query|dataframe)\b"
    r"|^(?:am |are )?(?:trying|getting|seeing|looking|stuck|confused|not sure|sorry|wondering|curious|asking|having"
    r"|glad|happy|tired|hungry|back|done|going to|afraid|facing|running into)\b",
    re.IGNORECASE,
)
IRREGULAR = {
    "am": "is", "are": "is", "have": "has", "do": "does", "go": "goes", "was": "was", "were": "was",
    "don't": "does not", "do not": "does not", "haven't": "has not", "can't": "can not",
}  # fmt: skip
PAST = frozenset("had moved grew began went left became quit bought came got made".split())
PARTICIPLE = re.compile(
    rf"^(?:{ADVERBS} )*(?!(?:(?:some|any|no|every)?thing|during|morning|evening|string|spring|king|being)\b)"
    r"(?:\w{3,}ing|based|born|allergic|married|retired|located)\b",
    re.IGNORECASE,
)
NO_VERB = re.compile(
    r"^(?:[^a-z]|(?:and|or|but|so|if|then|than|as|at|in|on|of|to|for|from|with|by|per|not|no|yes|ok|also|too|both|each|every"
    r"|most|all|more|less|two|three|four|five|six|my|our|your|his|her|its|their|i|we|which|whose|while|after|before|until"
    r"|since|just|explain|give|help|show|tell|suggest|recommend|write|find|fix|make|list|compare)\b)"
)
"""How a clause begins that goes on with no verb of the user's: "I work in Rome, not Milan"; "I use vim, explain …"."""
VERB_OF_ANOTHER = re.compile(r"^(?:\w+s|is|was|has)\b", re.IGNORECASE)
NAMED = re.compile(
    r"^(?P<who>[\w'’-]+ (?:(?!(?:is|are|was|were|has|have|\w+s)\b)[\w'’-]+ ){0,3})(?:is|are|was|were|has|have|\w+)\b",
    re.IGNORECASE,
)

"""Words for comparing memories: what is mere phrasing, what turns a statement round, what says that something changed.
Data for `rules.learning.duplicates`."""

from __future__ import annotations

import re

WEEKDAYS = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天末]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bweekends?\b", re.IGNORECASE
)

REFERRING = re.compile(
    r"\b(?:the )?user(?:'s|’s|s)?\b|用户的?|(?<!自)我们?的?|\b(?:i|my|our|we|their|they)\b|自己的?", re.IGNORECASE
)
"""How a memory names the one whom it is about."""

SPELLINGS = (
    (re.compile(r"k8s|kubernetes", re.IGNORECASE), " Kubernetes "),
    (re.compile(r"postgresql|postgres|\bpg\b", re.IGNORECASE), " PostgreSQL "),
    (re.compile(r"neovim|nvim", re.IGNORECASE), " Neovim "),
    (re.compile(r"javascript|\bjs\b", re.IGNORECASE), " JavaScript "),
    (re.compile(r"typescript|\bts\b", re.IGNORECASE), " TypeScript "),
    (re.compile(r"golang", re.IGNORECASE), " Go "),
    (re.compile(r"vs ?code|visual studio code", re.IGNORECASE), " VSCode "),
    (re.compile(r"深色|暗色|暗黑"), "深色"),
    (re.compile(r"浅色|亮色"), "浅色"),
    (re.compile(r"不喜欢|讨厌|反感"), "不喜欢"),
    (re.compile(r"\b(?:hates?|dislikes?|can'?t stand)\b", re.IGNORECASE), "does not like"),
    (re.compile(r"\b(?:based in|located in|resides? in|lives? in|living in)\b", re.IGNORECASE), "lives in"),
    (re.compile(r"居住在|住在|定居在?|所在城市[是为]"), "住在"),
    (re.compile(r"\b(?:fractured|broke)\b", re.IGNORECASE), "broke"),
    (re.compile(r"\b(?:around|approximately|roughly)\b", re.IGNORECASE), "about"),
    (re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days\b", re.IGNORECASE), r"every \1day"),
    (re.compile(r"\bwas born\b", re.IGNORECASE), "born"),
    (re.compile(r"\b(\d{1,2}) ?(?:am|AM)\b"), r"\1"),
    (re.compile(r"过生日|的生日[是为]?|生日[是为]?"), "生日"),
)
"""Different spellings of the same, each brought to one."""

NEGATIONS = re.compile(
    r"不(?!同|错|断|过(?!敏)|仅|但|久|少)|没有?|无(?!线|锡)|别(?!人|的|名)|非(?!常|洲)|禁止|停止|避免|拒绝|未(?!来)"
    r"|\b(?:not|no|never|none|without|stop|avoid|neither|nor|isn't|doesn't|don't|cannot|can't|won't|hasn't|refuses?)\b",
    re.IGNORECASE,
)
"""What turns a statement round."""

CHANGE_WORDS = re.compile(
    r"改(?!善|进|造)|换|搬|转(?!账|述|发)|升级|降级|迁移?|不再|已经?从|已(?!知)|推迟|提前|提高|降低|增加|减少|毕业|离职|辞|卖|开始|现在|目前|最近|如今"
    r"|以后|曾|之前|以前|原来|过去|刚|恢复|复查|取消|结束|放弃|戒|买到|出差|临时|计划|打算|考虑|想要?(?!法)|准备|希望能"
    r"|\b(?:now|no longer|anymore|switch(?:ed|es|ing)?|moved?|relocated?|migrated?|upgraded?|downgraded?|changed?|quit"
    r"|gave up|given up|stopped|started|began|became|went back|back to|traded|sold|bought|replaced|used to|formerly"
    r"|previously|since|recently|finished|completed|defended|graduated|left|postponed|cancell?ed|got|plans?|planning"
    r"|consider(?:s|ing)|wants? to|thinking of|temporarily|after|again|instead|once|will|was|were|had|said)\b",
    re.IGNORECASE,
)
"""What says that something changed, or is not so yet, or no more: two memories that differ in it are never one."""

COMPARISONS = re.compile(
    r"比|胜过|而不是|而非|多于|少于|超过|从[^，。]{1,12}到|给|被|让"
    r"|\b(?:over|than|rather|versus|vs|from|to|before|by|for)\b",
    re.IGNORECASE,
)
"""Where one of these stands, the order of the words tells."""

PHRASING = re.compile(
    r"使用|正在|在(?!线)|到(?!期)|用(?!户)|是|为|叫做?|有|的|了|着|把|也|都|会|做|写|说|主要|平时|通常|一般|常常?|经常|固定|每天都?|一直|目前|非常|比较|尽量|以及|和|与"
    r"|代号|名字|名称|今年|里的|时(?!间|区|钟|刻)|偏好|倾向于?|喜欢|要求|希望|请|进行|里面?|中|版本?|作为|担任|从事|一[个本名位款种台]|个|名|位|，|,|。"
    r"|\b(?:uses?|using|is|are|am|be|being|has|have|likes?|prefers?|wants?|asks?|asked|writes?|writing|does|do|takes?|taking"
    r"|mainly|mostly|primarily|usually|typically|generally|really|very|always|an?|the|of|in|on|at|with|as|and|that|this|his|her"
    r"|its|called|named|would like|given|gets?|about)\b",
    re.IGNORECASE,
)
"""Words that say how it is said, not what."""

RELATIONS = (
    ("like", re.compile(r"喜欢|偏好|倾向|爱(?!好)|\b(?:likes?|prefers?|loves?|enjoys?|fond of)\b", re.IGNORECASE)),
    ("want", re.compile(r"要求|希望|想|请|\b(?:wants?|asks?|asked|would like)\b", re.IGNORECASE)),
    ("use", re.compile(r"使用|(?<!费|信|通)用(?!户)|写|\b(?:us(?:es?|ing)|writ(?:es?|ing))\b", re.IGNORECASE)),
    ("do", re.compile(r"做|从事|担任|\b(?:do|does|takes?|taking)\b", re.IGNORECASE)),
)
"""What one has to do with a thing: who likes dogs need not have one. Being and having are told by neither."""

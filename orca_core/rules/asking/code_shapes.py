"""What code, terminals, paths, errors and versions look like in the middle of prose. Data for `rules.asking.topics`.

Every repetition is bounded, or begins only where a run of its characters begins: no text takes long."""

from __future__ import annotations

import re
from functools import cache

from orca_core.rules.text.technical_words import COMMANDS, ERROR_NUMBERS, FILE_EXTENSIONS, HTML_TAGS

_QUOTED_CODE = (
    r"```|^~~~\w*$",
    # `ls -l`, but not the accents of "it`s late, don`t wait"
    r"(?<![A-Za-z0-9`])`[^`\n]{1,80}`(?![A-Za-z0-9`])",
)
_TERMINALS = (
    # $ ls · >>> import os · me@host:~$ ls · PS C:\> dir
    r"^[ \t]{0,8}(?:\$|>>>)[ \t]+[A-Za-z./][^\s]{0,40}",
    r"^[\w.-]{1,40}@[\w.-]{1,40}:[^\n$#]{0,60}[$#]",
    r"^PS [A-Z]:\\[^>\n]{0,60}>",
    rf"\b(?:{COMMANDS}) (?:install|update|upgrade|remove|add|run|build|test|apply|exec|logs|publish)\b",
    r"\b(?:ls|rm|tar|ps|curl|wget|sed|awk|kill|scp|make|cd) (?:-{1,2}[A-Za-z]|https?:|\.\.|/|~/)\S{0,20}",
    r"(?<![\w-])--(?:[a-z]{2,20}(?:-[a-z]{2,20})+|[a-z]{2,20}=\S|force|verbose|debug|amend|dry-run)\S{0,20}",
)
_ERRORS = (
    r"Traceback \(most recent",
    r"^\s{0,20}File \"[^\"\n]{1,200}\", line \d+",
    r"^\s{1,20}at [\w.$<>]{2,80}\(",
    r"\b[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)\b",
    rf"\b(?:{ERROR_NUMBERS}|SIG(?:KILL|TERM|SEGV|INT|HUP|ABRT|PIPE)|OOM(?:Killed)?)\b",
    r"\bERR_[A-Z_]{3,40}\b",
    r"\b(?i:exit|return|status|error) (?i:codes?|status) -?\d{1,5}\b",
    r"\b(?i:HTTP)[ /]?[1-5]\d\d\b",
    r"\b[45]\d\d (?i:error|bad gateway|not found|forbidden|unauthorized|internal server)\b",
    r"(?:返回了?|报了?|状态码|抛)[ \t]?[45]\d\d(?!\d)|(?<!\d)[45]\d\d[ \t]?(?:错误|报错)",
    r"\b0x[0-9A-Fa-f]{2,16}\b",
)
_PATHS = (
    r"(?<![A-Za-z0-9_/.:~])/(?:etc|var|usr|opt|tmp|home|dev|proc|sys|bin|mnt|srv|root|api|v1)/[\w.@+-]{0,60}",
    r"(?:^|(?<=[\s\"'(（「：，。]))(?:/[\w.@+-]{1,60}){2,8}",
    r"(?<![\w./])(?:\.{1,2}|~)/[\w.@+-]{1,60}",
    r"(?<![A-Za-z])[A-Za-z]:\\[\w.\\-]{1,60}",
    r"\\\\[\w.-]{2,40}\\[\w.$-]{1,40}",
    rf"(?<![\w.-])[\w-][\w.-]{{0,60}}\.(?:{FILE_EXTENSIONS})(?!\w)",
    r"(?<![\w.])\.(?:env|gitignore|bashrc|zshrc|vimrc|dockerignore|npmrc|editorconfig)\b",
)
_IDENTIFIERS = (
    r"(?<![\w@.])[a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}(?![\w@])",
    r"(?<![\w@.])[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6}(?!\w)",
    # Two letters before the hump: iPhone and eBay are no identifiers.
    r"(?<![\w@.])[a-z]{2,30}\d?(?:[A-Z][a-z0-9]{1,30}){1,5}(?![\w@])",
    r"\b(?:[A-Z][a-z]{1,20}){1,5}(?:Service|Controller|Factory|Handler|Manager|Config|Client|Repository|Builder)\b",
    r"(?<![\w.])[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){0,4}\(\)",
    r"(?<![\w.])[A-Za-z_]\w{1,40}(?:\.[A-Za-z_]\w{1,40}){1,4}\([^()\n]{0,80}\)",
    r"\b\w{1,30}::\w{1,30}|\b\w{1,30}->\w{1,30}\(",
    r"\w[ \t]?[!=]==?[ \t]?[\w\"']|\S[ \t]?&&[ \t]?\S",
    r"\bC\+\+(?!\+)|\b[CF]#(?!\w)|(?<![\w.])\.NET\b|\b(?:Node|Next|Vue|Nuxt|Express|Three)\.js\b|\bCI/CD\b",
    rf"</?(?:{HTML_TAGS})(?:[ \t][^<>\n]{{0,80}})?/?>",
    r"\bSELECT[ \t][^;\n]{1,200}[ \t]FROM\b",
    r"\b(?:INSERT INTO|DELETE FROM|(?:CREATE|ALTER|DROP) TABLE|(?:GROUP|ORDER) BY|(?:LEFT|INNER|OUTER) JOIN)\b",
)
_ADDRESSES = (
    r"\blocalhost\b",
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])",
    r"https?://[\w.-]{1,80}:\d{2,5}",
    r"(?i:\bports? |端口(?:号|是)?[ \t]?)\d{2,5}\b",
)
_VERSIONS = (
    r"(?<![\w.$])v\d{1,4}\.\d{1,5}(?:\.\d{1,6})?\b",
    r"(?i:\bversion |版本(?:号|是)?[ \t]?)v?\d{1,4}(?:\.\d{1,5}){1,3}\b",
    # 3.11.4, but neither 2026.11.20 nor 20.11.2026 nor an amount of money
    r"(?<![\w.$¥€£/])(?!(?:19|20)\d\d\.)\d{1,3}\.\d{1,4}\.(?!(?:19|20)\d\d\b)\d{1,5}(?![\w.])",
)


@cache
def code_shapes() -> tuple[re.Pattern[str], ...]:
    """The shapes, each as a pattern that finds it."""
    shapes = (*_QUOTED_CODE, *_TERMINALS, *_ERRORS, *_PATHS, *_IDENTIFIERS, *_ADDRESSES, *_VERSIONS)
    return tuple(re.compile(shape, re.MULTILINE | re.ASCII) for shape in shapes)

"""Whether a text is technical, by rules, in Chinese and English: the signs that make it so, as people are shown them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from orca_core.rules.technical_words import CHINESE, ENGLISH, EXACT, EXACT_HINT

MAX_SIGNS = 5
MAX_SIGN_CHARS = 24
READ_CHARS = 20_000
"""Of a longer text the beginning and the end are read: a question stands at one of them."""

_SHAPES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        (r"```|~~~", 0),  # a fence
        (r"`[^`\n]{1,80}`", 0),  # inline code
        (r"^\s*(?:\$|#|>>>|PS [A-Z]:\\[^>\n]{0,60}>)\s+[a-z./]\S*", re.MULTILINE),  # a prompt
        (r"\b(?:sudo|apt|apt-get|brew|yum|dnf|pacman|npm|pip3?|cargo|git|curl|wget|ssh|systemctl)\s+-?[a-z]{2,}", 0),
        (r"Traceback \(most recent|^\s*File \"[^\"\n]{1,200}\", line \d+|^\s+at [\w.$<>]+\(", re.MULTILINE),
        (r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception|Warning)\b", 0),
        (r"\bE[A-Z]{4,14}\b(?<!ERROR)", 0),  # ECONNREFUSED
        (r"\bSIG(?:KILL|TERM|SEGV|INT|HUP|ABRT)\b|\bOOM(?:Killed)?\b", 0),
        (r"\b(?:exit|return|status|error) ?codes? \d+\b|\bHTTP[ /]?[1-5]\d{2}\b|(?:返回|报|状态码)\s?[45]\d{2}\b", re.I),
        (r"(?<![\w/.])(?:~|\.{1,2})?/(?:[\w.@-]{1,60}/)*[\w.@-]*[A-Za-z_][\w.@-]{0,60}(?<!/)", 0),  # a path
        (r"\b[A-Za-z]:\\[\w\\.-]{2,80}", 0),
        (r"\b[\w-]{1,60}\.(?:py|js|jsx|ts|tsx|rs|go|java|kt|rb|php|c|cc|cpp|h|hpp|cs|sh|sql|ya?ml|toml|json|xml|html"
         r"|css|ini|conf|cfg|log|lock|env|ipynb|vue|svelte|proto|tf|gradle|jar|exe|dll|so|whl|deb|rpm)\b", 0),
        (r"\b[a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}\b", 0),  # snake_case
        (r"\b[a-z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,5}\b(?<!iPhone)(?<!eBay)", 0),  # camelCase
        (r"\b(?:[A-Z][a-z0-9]{1,20}){3,6}\b", 0),  # PascalCase
        (r"\b[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){0,4}\([^()\n]{0,80}\)", 0),  # a call
        (r"\b[A-Za-z_]\w{1,30}::[A-Za-z_]\w{1,30}|\b\w{1,30}->\w{1,30}\b|[!=]==?|&&|\|\|(?=\s|\w)", 0),
        (r"\blocalhost\b|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?\b|(?<=\w):\d{4,5}\b", 0),
        (r"(?<![\w.$¥€£-])v\d+\.\d+(?:\.\d+)?\b|(?<![\w.$¥€£-])\d+\.\d+\.(?!(?:19|20)\d\d\b)\d+(?:-[\w.]+)?\b(?![年月日号.])", 0),
        (r"(?<![\w-])--?[a-z][a-z-]{2,30}(?:=\S{1,40})?(?=\s|$)", 0),  # an option
        (r"\bC\+\+|\bC#|\b[FJ]#(?=\W|$)|(?<!\w)\.NET\b|\bNode\.js\b|\bNext\.js\b|\bVue\.js\b", 0),
        (r"\b(?:GLIBC|CUDA|SELECT|INSERT|UPDATE|DELETE|CREATE TABLE|JOIN|WHERE|NULL|CRUD|DDL)\b", 0),
        (r"\bCI(?:/CD)?\b|\bPRs?\b|\bMR\b|\bRPC\b|\bORM\b|\bSLA\b|\bQPS\b|\bPOD\b|\b[Pp]ods?\b(?=\s?(?:一直|重启|restart|crash|Crash|is|are))", 0),
    )
)  # fmt: skip
_NAMES_NOT_CODE = re.compile(r"^(?:and/or|he/she|she/he|his/her|w/o|n/a|km/h|24/7|either/or|yes/no)$", re.IGNORECASE)
_CHINESE_WORD = re.compile("|".join(sorted(CHINESE, key=len, reverse=True)))
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9+#-]*[A-Za-z0-9+#]|[A-Za-z]")
_EXACT = re.compile(
    rf"(?:{EXACT_HINT}\s*\b({'|'.join(sorted(EXACT))})\b(?!['’]))"
    rf"|(?:\b({'|'.join(sorted(EXACT - {'C', 'R'}))})\b\s*(?:{EXACT_HINT}|\d+(?:\.\d+)*)(?![A-Za-z]))"
)
_NAME_IN_CHINESE = re.compile(
    r"(?<![A-Za-z])(?:go|rust|swift|java|ruby|dart|julia|spring|flink|spark|hadoop|hive)(?![A-Za-z])(?=\s?[\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff])\s?(?:rust|swift|java|ruby|dart|julia|spring|flink|spark|hadoop|hive)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Latin names between Chinese words are names, whatever they mean in English."""
_PHRASES = re.compile(
    r"\b(?:stack overflow|memory leak|race condition|null pointer|unit tests?|pull request|code review|merge conflict"
    r"|load balancer|reverse proxy|time complexity|data structure|type errors?|home assistant|screen sharing|dev dependency"
    r"|command line|the build|build fails|proto file|operating system|source code|test coverage|linked list|binary tree|big o|error message|log files?"
    r"|api key|open[- ]source|programming language)\b",
    re.IGNORECASE,
)


def technical_signs(text: str, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """The signs that make a text technical, in the order found, a handful at most; none: it is not."""
    read = text if len(text) <= READ_CHARS else f"{text[: READ_CHARS // 2]}\n{text[-READ_CHARS // 2 :]}"
    found = sorted(_found(read, extra), key=lambda pair: pair[0])
    signs: dict[str, None] = {}
    for _, sign in found:
        shown = " ".join(sign.split())[:MAX_SIGN_CHARS]
        if shown and not any(shown.lower() == known.lower() for known in signs):
            signs[shown] = None
        if len(signs) == MAX_SIGNS:
            break
    return tuple(signs)


def _found(text: str, extra: Sequence[str]) -> Iterator[tuple[int, str]]:
    for pattern in (*_SHAPES, _PHRASES, _NAME_IN_CHINESE, _CHINESE_WORD):
        if (match := _first(pattern, text)) is not None:
            yield match.start(), match[0]
    for match in _LATIN_WORD.finditer(text):
        if match[0].lower() in ENGLISH:
            yield match.start(), match[0]
    for match in _EXACT.finditer(text):
        yield match.start(), match[1] or match[2]
    for word in extra:
        if (position := _position_of(word, text)) is not None:
            yield position, word


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next((match for match in pattern.finditer(text) if not _NAMES_NOT_CODE.match(match[0].strip())), None)


def _position_of(word: str, text: str) -> int | None:
    """Where a configured word stands: a Latin one only as a whole word."""
    if not word.strip():
        return None
    edge = r"(?<![A-Za-z0-9_])" if word[0].isascii() else ""
    end = r"(?![A-Za-z0-9_])" if word[-1].isascii() else ""
    match = re.search(f"{edge}{re.escape(word)}{end}", text, re.IGNORECASE)
    return match.start() if match else None

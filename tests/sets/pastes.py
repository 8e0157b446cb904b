"""Texts that have nothing to do with a conversation: articles and logs in Chinese and English, always the same."""

from __future__ import annotations

import random
import zlib
from functools import cache
from pathlib import Path

LENGTHS = (300, 1500, 6000)
"""In characters."""
KINDS = ("zh article", "en article", "zh log", "en log")

_ARTICLES = Path(__file__).parent.parent / "data" / "pastes"
_SERVICES = "order-api billing gateway auth-proxy scheduler mailer search-indexer image-resizer kafka-bridge".split()
_LINES = {
    "en": (
        "INFO {service} request id={n} finished in {ms} ms, status 200",
        "WARN {service} retrying connection to 10.0.{a}.{b}:{port}, attempt {few} of 5",
        "ERROR {service} java.net.SocketTimeoutException: connect timed out after {ms} ms",
        "INFO {service} cache refreshed, {n} entries, {few} expired",
        "DEBUG {service} user session opened from 172.16.{a}.{b}, locale en_GB",
        "INFO {service} deployed version 4.{few}.{b} to node-{a}",
    ),
    "zh": (
        "[信息] {service} 请求 {n} 处理完成，耗时 {ms} 毫秒",
        "[警告] {service} 连接 10.0.{a}.{b}:{port} 超时，第 {few} 次重试",
        "[错误] {service} 磁盘空间不足，剩余 {few} GB，请尽快清理",
        "[信息] {service} 配置已更新，版本号 4.{few}.{b}，节点 node-{a}",
        "[调试] {service} 用户会话已建立，来源 172.16.{a}.{b}",
        "[信息] {service} 定时任务执行成功，共处理 {n} 条记录",
    ),
}


def kinds_for(name: str, length: int) -> tuple[str, str]:
    """What a conversation meets: an article of one language and a log of the other, at the next length turned round."""
    languages = ("zh", "en") if (zlib.crc32(name.encode()) + LENGTHS.index(length)) % 2 else ("en", "zh")
    return f"{languages[0]} article", f"{languages[1]} log"


@cache
def unrelated(kind: str, length: int, seed: str) -> str:
    """A text of so many characters; which one depends on the seed."""
    language, form = kind.split()
    chance = random.Random(f"{kind} {seed}")
    text = _articles(language, chance) if form == "article" else _log(language, length, chance)
    assert len(text) >= length, (kind, length, len(text))
    return text[:length]


def _articles(language: str, chance: random.Random) -> str:
    """All articles of a language, begun at any of them."""
    articles = (_ARTICLES / f"{language}.txt").read_text("utf-8").strip().split("\n\n")
    first = chance.randrange(len(articles))
    return "\n\n".join([*articles[first:], *articles[:first]])


def _log(language: str, length: int, chance: random.Random) -> str:
    lines: list[str] = []
    seconds = 0
    while sum(map(len, lines)) < length:
        seconds += chance.randrange(1, 90)
        time = f"2026-11-1{seconds // 86_400} {seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        line = chance.choice(_LINES[language]).format(
            service=chance.choice(_SERVICES),
            n=chance.randrange(1000, 99_999),
            ms=chance.randrange(3, 9000),
            a=chance.randrange(1, 40),
            b=chance.randrange(1, 250),
            port=chance.choice((5432, 6379, 8080, 9092, 3306)),
            few=chance.randrange(1, 6),
        )
        lines.append(f"{time} {line}\n")
    return "".join(lines)

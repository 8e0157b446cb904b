"""What somebody did who is only named is another's work; what a thing does, and the user beside others, is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Span
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import ProposedEpisode
from orca_core.rules.working.testimony import done_in, told_in
from orca_core.rules.working.trust import judge

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def rounds_of(*texts: str) -> list[Round]:
    return [
        Round(number, "s", number, 1, text, (Span(text),), "ok", RoundState.DONE, AT)
        for number, text in enumerate(texts, 1)
    ]


def done(*texts: str, target: str = "") -> list[str]:
    """The clauses that tell of what the user did."""
    return [clause.text for each in told_in(rounds_of(*texts), target).rounds for clause in done_in(each)]


@pytest.mark.parametrize(
    "said",
    [
        "Priya set maxmemory to 4gb and switched the policy",
        "Priya cleaned the disk. she also added an alert",
        "Priya set maxmemory to 4gb. She also replaced the fan. They rebooted the box",
        "yesterday Priya replaced the cable, then tightened the screws",
        "Yesterday Priya replaced the cable",
        "Priya Raman has already fixed the certs",
        "Turns out Priya fixed it",
        "Priya cleaned the fan, then she fixed the lamp",
        "so in the end Marta rewrote the query",
        "Priya and Tom replaced the cable",
        "老周改好了",
        "小李把阈值调到了 80，又重启了服务。他还加了告警",
        "王磊昨天换了硬盘",
        "陈工把端口改成了 8080",
        "后来张伟重启了一下就好了",
        "还好老周昨晚换了硬盘",
        "李姐帮我改好了",
        "硬盘是老周换的",
        "小王給我們重啟了服務",
        "Kevin 把端口改成了 8080",
        "后来Tom改了配置",
    ],
)
def test_what_somebody_named_did_the_user_did_not(said: str) -> None:
    assert done(said) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Tomasz Kowalski rotated the certs and I restarted nginx", ["and I restarted nginx"]),
        ("Priya fixed the query, works now", ["works now"]),
        ("老周昨晚换了硬盘，现在正常了", ["现在正常了"]),
    ],
)
def test_only_their_part_is_theirs(said: str, kept: list[str]) -> None:
    assert done(said) == kept


@pytest.mark.parametrize(
    "said_in",
    [
        "Nginx restarted fine",
        "Postgres came up",
        "Docker wouldn't start",
        "Terraform created the bucket",
        "Windows updated the driver",
        "Restarted nginx",
        "Finally changed the cable",
        "Also replaced the cable",
        "Cleaned the fan and replaced the paste",
        "Updating Quill fixed it",
        "Vinegar removed the limescale",
        "Compression cut the size by half. Works",
        "Called Anna and changed the date",
        "me and Priya replaced the cable",
        "Once Priya gave me access I set maxmemory to 4gb",
        "程序改好了",
        "文件改了",
        "周五换了硬盘",
        "小程序改好了",
        "小米换了系统",
        "黄灯换了",
        "老版本换了",
        "张图换好了",
        "谢谢，改好了",
        "我和老周一起改了配置",
        "老周给了权限后我改了配置",
        "周围清了一遍",
        "公司 Mac 装了新的客户端之后",
        "把 Nacos 切回旧数据源了",
        "在 Nacos 里改了配置",
    ],
)
def test_a_thing_and_the_user_beside_others_are_nobody_else(said_in: str) -> None:
    said = "".join(each for each in said_in if each.isalnum())
    assert "".join(letter for clause in done(said_in) for letter in clause if letter.isalnum()) == said


@pytest.mark.parametrize(
    ("texts", "target"),
    [
        (("the Quill plugin is odd", "Quill changed the margins"), ""),
        (("restarted quill", "Quill changed the margins"), ""),
        (("I looked in Quill", "Quill changed the margins"), ""),
        (("Quill changed the margins",), "Quill editor"),
        (("Quill 的配置不对", "Quill changed the margins"), ""),
    ],
    ids=["with its kind", "in small letters", "worked in", "the target", "what it has"],
)
def test_the_user_s_own_words_say_that_a_name_is_a_thing_s(texts: tuple[str, ...], target: str) -> None:
    assert "Quill changed the margins" in done(*texts, target=target)
    assert "Quill changed the margins" not in done("Quill changed the margins", target="the book")


@pytest.mark.parametrize(
    ("texts", "is_anothers"),
    [
        (("Vinegar removed the limescale",), False),
        (("the kettle is white inside", "Vinegar removed the limescale"), True),
        (("The kettle is white.", "asked Priya, he knows", "Priya removed the limescale"), True),
        (("The kettle is white.", "I asked Priya", "Priya removed the limescale"), True),
    ],
    ids=["sentences begin so", "sentences begin small", "somebody", "named within a sentence"],
)
def test_the_capital_that_begins_a_sentence_needs_more(texts: tuple[str, ...], *, is_anothers: bool) -> None:
    assert (texts[-1] not in done(*texts)) is is_anothers


@pytest.mark.parametrize(
    ("asked", "told", "step", "quote"),
    [
        ("our redis keeps evicting keys", "Priya set maxmemory to 4gb. Priya fixed it", "set maxmemory to 4gb", "Priya fixed it"),
        ("redis 一直丢 key", "老周把 maxmemory 调到了 4gb，老周改好了", "maxmemory 调到 4gb", "老周改好了"),
    ],
)  # fmt: skip
def test_an_episode_of_what_another_did_waits(asked: str, told: str, step: str, quote: str) -> None:
    episode = ProposedEpisode(asked, "redis", (step,), Outcome.SUCCESS, quote)
    kept = judge(episode, rounds_of(asked, told))
    assert (kept.held, kept.proposed.steps, kept.outcome) == ("nothing_done", (), Outcome.UNKNOWN)

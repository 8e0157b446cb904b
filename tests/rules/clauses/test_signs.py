"""Signs of a play or of a text at hand: what is said of oneself near them is not believed as plain. Each row is a
conversation, its messages with " || " between them, up to what somebody in a play or a text says of themselves."""

from __future__ import annotations

import pytest

from orca_core.rules.clauses.clause import Frame
from orca_core.rules.clauses.reading import frame_left_open, read_clauses

NO_STATEMENTS = r"""
let's start. You be the bartender. || I lost my leg at Verdun
I want to try a text adventure || I live in a lighthouse
Help me with my protagonist's voice. I grew up in Marseille
I'm writing a monologue. I am blind in one eye
I'm Kaelen, half-orc rogue. I live under the docks
I'm Captain Reyes of the starship Meridian. I have one arm
song verse: I drive a red truck
speech for debate club. I own 200 acres
For the mock interview I'm the candidate. I have six years at Siemens
can you tighten this up\nI love my patients
make it sound less stiff: I work nights
Sample sentences for my class - I have lived in Oslo since 2010
cut to 50 words please. I am a widowed baker in Crete
I need to write a wedding toast. I've known Sam for ten years
Testing the signup form: I have two kids
persona for the usability test: I use an old Android phone
here's the caption, too long? I moved to Lisbon
you're a doctor. I have chest pain
Novel draft, first person, fix commas only:\nI have not eaten fish since
我们来玩个文字冒险吧 || 我住在灯塔里
咱们开团吧 || 我住在山洞里
你演房东，我演租客。我养了两只猫
你当掌柜 我是赶路的，我背着三条人命
语c吗 我是九尾狐，我住在青丘
我是沈清秋，清静峰峰主，我不喝酒
脱口秀稿子帮我看看 我跟我妈住
模拟法庭 我是被告 我在工地上班
给这段配个标点 我是木匠我住在大理
帮我改短一点\n我在银行工作十年
造几个关联词的例句 像这种：我吃素但是我爱闻烤肉味
英语作文 我家有五口人
下面是用户画像 我养了两只猫
自我介绍帮我润一润 我毕业于浙大
你是一名医生 我有高血压
""".strip().splitlines()

STATEMENTS = r"""
I write for a shoe brand, I use Mailchimp
I teach English grammar at a school in Hanoi. I live by the lake
I'm a translator, I work from Polish into English
I read fantasy novels. I own four hundred of them
bash script fails. I use zsh
translate the notice to French || I live in Lyon
we rehearse on Thursdays and I play bass
my kid's homework is endless. I work nights
British spelling, please. I work from home
fix my bike routine. I ride 20 km a day
我是语文老师，我教初二
我是配音演员，我住在上海
我喜欢看武侠小说 我住在大理
我是导游，我每周带团去云南
富士的胶片模拟真香 我用xt30
这个角色权限配不上 我用的是若依
我在下班路上 我骑车
正方形的那块 我用木头做的
""".strip().splitlines()

OVER = r"""
ok let's stop the roleplay. I live in Leeds
you play the orc || anyway, back to work. I live in Leeds
小说先到这里 说正经的 我住在杭州
""".strip().splitlines()


def _last(row: str) -> Frame:
    opened = Frame.NONE
    *before, last = row.replace("\\n", "\n").split(" || ")
    for message in before:
        opened = frame_left_open(message, opened)
    return read_clauses(last, opened)[-1].frame


@pytest.mark.parametrize("row", NO_STATEMENTS)
def test_what_is_said_near_a_play_or_a_text_is_not_plain(row: str) -> None:
    assert _last(row) is not Frame.NONE


@pytest.mark.parametrize("row", [*STATEMENTS, *OVER])
def test_what_only_names_such_words_is_the_users_own(row: str) -> None:
    assert _last(row) is Frame.NONE


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("Novel draft, fix commas only:\nI drink too much", Frame.TEXT),
        ("Novel draft, some background:\nI drink too much", Frame.POSSIBLE),
        ("give me two sentences with since, like this: I have lived here since May", Frame.TEXT),
        ("你当老板 我来面试 我有三年经验", Frame.ROLE),
        ("你当我的营养师吧 我有糖尿病", Frame.POSSIBLE),
    ],
)
def test_what_surely_opens_a_frame_holds_and_a_sign_asks(text: str, frame: Frame) -> None:
    assert read_clauses(text)[-1].frame is frame

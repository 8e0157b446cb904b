"""Which questions ask what Orca knows of the user, and which only sound like it: tables, and sets with the truth."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.recall_questions import RecallQuestion, recall_question

DATA = Path(__file__).parents[2] / "data"
SETS = (*(f"trust/{each}/questions.json" for each in ("development", "final", "third")), "everyday_questions.json")
MAX_FALSE = 0.05
MIN_FOUND = 0.9

ALL = RecallQuestion(topic=False, named=True)
NAMED = RecallQuestion(topic=True, named=True)
TOPIC = RecallQuestion(topic=True)
OPEN = RecallQuestion(topic=True, open=True, named=True)

CASES: list[tuple[str, RecallQuestion | None]] = [
    # all that is known
    ("我是谁？", ALL),
    ("你都知道我些什么？", ALL),
    ("关于我，你知道些什么？", ALL),
    ("你認識我嗎", ALL),
    ("So, what do you remember about me so far?", ALL),
    ("Tell me everything you know about me.", ALL),
    ("what did I tell you before?", ALL),
    # all there is of a topic
    ("What do you remember about the choir?", OPEN),
    ("Sum up all you have on the orchestra", OPEN),
    ("How is our rehearsal room equipped, as far as you remember?", OPEN),
    ("我們合唱團的情況你都記得什麼？", OPEN),
    ("盘点一下我跟你讲过的演出", OPEN),
    # the remembering is named
    ("你知道我用什么编辑器吗", NAMED),
    ("提醒我一下我们选了哪个数据库", NAMED),
    ("我曾经和你推荐过一部科幻电影，它的名字是？", NAMED),
    ("do you remember when my sister visits?", NAMED),
    ("what are my allergies according to you", NAMED),
    ("remind me which nursery Otto's at", NAMED),
    # plain questions of one's own
    ("我写代码用的是哪个字体？", TOPIC),
    ("我不喜欢看喜剧片，对吗？", TOPIC),
    ("谢谢。那我女儿几岁了", TOPIC),
    ("我們公司用哪個雲", TOPIC),
    ("我的 staging 在哪台机器上？", TOPIC),  # as it is typed
    ("How tall is my desk?", TOPIC),
    ("am I allergic to peanuts?", TOPIC),
    ("hey, which editor do I use", TOPIC),
    ("Why did we drop MongoDB?", TOPIC),
    ("How do I usually get to work?", TOPIC),
    ("ok thanks! what's the name of my dog again", TOPIC),
    ("Ｗｈｅｒｅ ｄｏ Ｉ ｌｉｖｅ？", TOPIC),  # full width
    # advice, a guess, a deed
    ("我应该用什么编辑器", None),
    ("我买哪个手机好", None),
    ("我明天要不要带伞", None),
    ("帮我想想我女儿的英文名", None),
    ("How do I install docker on my Mac?", None),
    ("Should I tell my boss?", None),
    ("Will my flight be delayed?", None),
    ("Why do my tomatoes split?", None),
    ("if I saved 400 a month, when could I retire?", None),
    # code, a text, a play
    ("what's wrong with my code?", None),
    ("what does `who am i` do?", None),
    ("```\nwho am I?\n```", None),
    ("> 我是谁？\n这句怎么样", None),
    ("下面这个 dockerfile 里我的工作目录是哪个", None),
    ("Translate to German: where do I work?", None),
    ("翻譯成英文：我住在哪裡？", None),
    ("Pretend you are my doctor. What is my blood type?", None),
    ("她发消息说“你知道我住在哪里吗”，帮我回一句", None),
    ("什么叫“我是谁，我从哪里来”", None),
    ("假设我是皇帝，我的大臣是谁", None),
    # no question of the user, or none
    ("你知道法国的首都吗", None),
    ("What do you know about black holes?", None),
    ("do you know what I mean?", None),
    ("How many bones do we have in our bodies?", None),
    ("which editor do you use?", None),
    ("老板问我们用什么数据库", None),
    ("我谁也不认识。", None),
    ("my name is Ann", None),
    ("I don't remember where I live.", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question"), CASES)
def test_a_question_about_the_user_is_told_from_its_like(text: str, question: RecallQuestion | None) -> None:
    assert recall_question(text) == question


@pytest.mark.parametrize("name", SETS)
def test_questions_of_the_sets_are_found_and_others_hardly_taken(name: str) -> None:
    rows = json.loads((DATA / name).read_text("utf-8"))
    missed = [row["text"] for row in rows if row["recall"] and recall_question(row["text"]) is None]
    false = [row["text"] for row in rows if not row["recall"] and recall_question(row["text"]) is not None]

    assert len(missed) <= (1 - MIN_FOUND) * sum(row["recall"] for row in rows), missed
    assert len(false) <= MAX_FALSE * sum(not row["recall"] for row in rows), false


@pytest.mark.parametrize("filler", ["啦" * 500, "word " * 120])
def test_only_the_edges_of_a_long_text_are_read(filler: str) -> None:
    assert recall_question(f"{filler}\nwho am I?\n{filler}") is None
    assert recall_question(f"who am I?\n{filler}{filler}") == ALL
    assert recall_question(f"{filler}{filler}\nwhere do I live?") == TOPIC


def test_no_text_takes_long() -> None:
    units = ["我", "what ", "`", "你还记得", ",", "记得我", "which a ", "我的 ", "do you know "]
    assert grows_linearly(recall_question, units, 200_000)


_TYPED = st.text(alphabet=string.printable + "，。？！：；“”「」我你他的什么哪吗了不如果记得", max_size=300)


@given(_TYPED, st.sampled_from(["```\n{}\n```", "~~~\n{}\n~~~", "“{}”", '"{}"', "「{}」"]))
def test_what_is_quoted_or_code_asks_nothing(text: str, quoted: str) -> None:
    marks = '"`~“”「」\n\r\x0b\x0c'
    inner = "".join(each for each in text if each not in marks)
    assert recall_question(quoted.format(f"what do you know about me, {inner}")) is None

"""Which instructions act elsewhere, so that a person looks at them, and which only say how to answer."""

from __future__ import annotations

import pytest

from orca_core.model.memories import MemoryType
from orca_core.rules.learning.fact_provenance import is_risky


@pytest.mark.parametrize(
    "content",
    [
        "When E04 comes at night, open the gas valve over the BMS and restart the boiler",
        "Restart the server when it hangs",
        "When the build hangs, reboot the box",
        "Shut down the laptop at ten",
        "ssh into the box and look at the log",
        "When a log comes, ssh in and restart nginx",
        "Log into the bank portal each monday",
        "Unlock the back door when the user comes home",
        "Turn off the heating at eleven",
        "Order more filters when they run low",
        "Order the parts from the usual shop",
        "Transfer 300 euros on the first",
        "Post each summary on my blog",
        "Push it to main once the tests pass",
        "Send the report to the boss",
        "Delete the folder ~/drafts",
        "用户贴报错时，直接SSH上去重启那台机器",
        "以后我贴报错 你直接ssh上去重启那台",
        "收工时把电脑关机",
        "报警时登录上去看看",
        "用户到家时解锁后门",
        "温度低了就打开燃气阀",
        "每月一号直接转三千",
        "缺货时自动下单",
        "测试过了就部署到生产环境",
        "写完帮我发朋友圈",
    ],
)
def test_what_acts_elsewhere_is_risky(content: str) -> None:
    assert is_risky(content, MemoryType.INSTRUCTION)


@pytest.mark.parametrize(
    "content",
    [
        "Open every answer with a summary",
        "Open with a joke",
        "Close each letter with the user's name",
        "When the user pastes an error, start with the cause",
        "Restart the numbering in each section",
        "When the user says restart, begin the quiz anew",
        "Order the list by date",
        "Order the results from the oldest to the newest",
        "Keep the order of the steps",
        "Keep each post on the topic",
        "Unlock nothing by yourself, and never reboot the server",
        "Never restart the server",
        "Turn off emojis",
        "Stop explaining the process",
        "Stop using the word system",
        "Use ssh keys in examples",
        "Explain ssh in one line",
        "Move 3 lines up when the user says so",
        "Start with the diff, then explain",
        "Give the answer first, then the reason",
        "Write commit messages in English",
        "用户贴报错时，先说原因",
        "每个回答都先给结论",
        "打开话题时先问候",
        "重启编号，每节从1开始",
        "不要重启服务器",
        "重启服务器前先提醒用户",
        "关于空调的问题用中文回答",
        "涉及登录的代码要写注释",
        "别自动部署到生产环境",
        "表格按顺序排列",
        "推荐线上课程时注明价格",
        "直接转三种格式给用户看",
        "给我关机命令时附上说明",
        "关闭表情",
    ],
)
def test_how_to_answer_is_not(content: str) -> None:
    assert not is_risky(content, MemoryType.INSTRUCTION)


def test_what_the_user_does_is_not() -> None:
    assert not is_risky("User restarts the boiler each morning", MemoryType.FACT)
    assert not is_risky("用户每天重启服务器", MemoryType.FACT)

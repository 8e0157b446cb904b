"""Which two memories give one thing two values, and which only stand beside each other. A line is a pair."""

from __future__ import annotations

import pytest

from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.duplicates import Likeness, likeness

FACT = MemoryType.FACT

TWO_VALUES = """
User lives in Lyon | User lives in Ghent
User lives in Lyon, France | User moved to Ghent
The user is based in Nairobi | User now lives in Kisumu with her sister
User works at Siemens | User works for Bosch
User works at Siemens as a technician | User joined Bosch last month
User works as a nurse | User works as a paramedic
User is a graphic designer | User is now a product manager
User studies at Leiden University | User transferred to Utrecht University
User is in the Pacific time zone | User is on Eastern time
User wakes up at 6 | User gets up at 7:30
User goes to bed at 11 | User goes to sleep at 1
User sleeps about six hours | User sleeps 8 hours
User is 34 years old | User just turned 35
User's daughter is 6 | User's daughter is 7 years old
User drives a Volvo V60 | User drives a Kia EV6
User reports to Maria | User reports to Stefan
User majors in biology | User switched majors to chemistry
User's phone is a Pixel 8 | User's phone is an iPhone 15
User's editor is Neovim | User's editor is Helix
User's favorite color is green | User's favourite colour is orange
User's favorite book is Dune | User's favorite book is Solaris
User's laptop is a ThinkPad X1 | User's new laptop is a MacBook Air
User's database is MySQL | User's database changed to Postgres
User uses MySQL as the database | The user's database is Postgres
User's standup is at 9:30 | User's standup is at 10
User's team meeting is on Mondays | User's team meeting moved to Wednesdays
User's choir rehearses on Tuesdays | User's choir now rehearses on Thursdays
User's rent is 900 euros | User's rent is 1,100 euros
User's budget is $500 | User's budget went up to $800
User's boss is Helen | User's manager is Omar
User's dentist is Dr. Patel | User's dentist is Dr. Weber
User's blog runs on Ghost | User's blog runs on Hugo
User's servers are hosted on AWS | User's servers are hosted on Hetzner
User's API is written in Flask | User's API is written in Go
User's project is released under MIT | User's project is licensed under Apache 2.0
User's team has 5 people | User's team has 8 people
User runs about 30 km a week | User now runs 45 km a week
User has 2 cats | User has 3 cats
User drinks four coffees a day | User drinks one coffee a day
User prefers pytest for testing | User prefers unittest for testing
User prefers tabs over spaces | User prefers spaces over tabs
User prefers dark mode | User switched to light mode
User indents with tabs | User indents with spaces
Answer in English | User wants answers in German
Always answer in bullet points | User wants answers in full sentences
User prefers short answers | User wants detailed answers
User wants answers in metric units | User wants answers in imperial units
Keep a formal tone in emails | Keep a casual tone in emails
User is vegetarian | User is vegan
User follows a keto diet | User is on a mediterranean diet
User is vegetarian | User eats meat again
User is single | User got married
User is engaged to Ana | User is divorced
User is left-handed | User is right-handed
User works night shifts | User is on early shifts
User commutes by train | User now cycles to work
User rents a flat in Porto | User bought a house in Porto
User is allergic to peanuts | User is not allergic to peanuts
User drinks coffee | User no longer drinks coffee
User eats fish | User does not eat fish
User uses Vim | User switched to Emacs
User's team uses Jenkins | User's team migrated to GitHub Actions
User's backup server is 10.2.0.14 | User's backup server is 10.2.0.41
User's shoe size is 42 | User's shoe size is 43
用户住在杭州 | 用户住在苏州
用户住在杭州西湖区 | 用户搬到了苏州
用户现在住在成都 | 用户定居昆明
用户在腾讯工作 | 用户在字节跳动工作
用户就职于华为 | 用户跳槽到了小米
用户是护士 | 用户现在是药剂师
用户的职业是会计 | 用户转行做了摄影师
用户的时区是东八区 | 用户的时区是UTC+1
用户早上六点起床 | 用户七点半起床
用户晚上十一点睡觉 | 用户凌晨一点睡
用户每天睡六小时 | 用户每天睡8个小时
用户今年34岁 | 用户今年35岁
用户的女儿5岁 | 用户的女儿今年6岁
用户的手机是小米14 | 用户的手机是vivo X200 Pro
用户的编辑器是Vim | 用户的编辑器换成了Helix
用户的数据库是MySQL | 用户的数据库换成Postgres了
用户用MySQL做数据库 | 用户的数据库是Postgres
用户的笔记本是ThinkPad | 用户的笔记本电脑是MacBook
用户的车是比亚迪 | 用户的车换成了特斯拉
用户最喜欢的颜色是绿色 | 用户最喜欢的颜色是橙色
用户的房租是每月3000元 | 用户的房租涨到了每月3500元
用户的预算是五千元 | 用户的预算是八千元
用户的老板是李总 | 用户的领导现在是王总
用户孩子的钢琴老师姓陆 | 用户孩子的钢琴老师现在是覃老师
用户的例会在周三 | 用户的例会改到了周四
用户的项目上线日期是5月1日 | 用户的项目上线日期改为6月15日
用户的服务器在新加坡 | 用户的服务器在首尔
用户的服务部署在阿里云 | 用户的服务部署在腾讯云
用户的后端用Flask写 | 用户的后端改用Go写
用户的团队有5个人 | 用户的团队有8个人
用户每天跑5公里 | 用户每天跑8公里
用户每天喝两杯咖啡 | 用户每天喝四杯咖啡
用户的端口是5432 | 用户的端口是5433
用户的项目使用Python 3.10 | 用户的项目使用Python 3.12
用户喜欢Vim胜过Emacs | 用户喜欢Emacs胜过Vim
用户用深色主题 | 用户把界面换成了浅色主题
用户用tab缩进 | 用户用空格缩进
代码注释一律用中文写 | 用户希望代码注释改用英文写
用户喜欢简短的回答 | 用户希望回答详细一些
回答用列表 | 用户希望回答用成段的文字
用户吃素 | 用户是纯素食者
用户在进行生酮饮食 | 用户现在采用地中海饮食
用户吃素 | 用户又开始吃肉了
用户单身 | 用户已婚
用户订婚了 | 用户离婚了
用户是左撇子 | 用户是右撇子
用户上早班 | 用户现在上中班
用户在奶茶店上早班，六点半到岗 | 用户现在上晚班，三点到十一点
用户每天骑电动车上班 | 用户坐地铁6号线上班，单程四十分钟
用户开车通勤 | 用户改坐公交通勤
用户租房住 | 用户买了房
用户吃辣 | 用户不吃辣
用户对花生过敏 | 用户对花生不过敏
用户喝咖啡 | 用户不喝咖啡了
用户会游泳 | 用户不会游泳
用户用Vim | 用户改用Emacs了
用户的团队用Jenkins | 用户的团队迁移到了GitHub Actions
用户的体重是70公斤 | 用户的体重是66公斤
用户的生日是5月20日 | 用户的生日是5月21日
用户就读于武汉大学 | 用户转学到了浙江大学
用户的默认浏览器是Chrome | 用户的默认浏览器是Firefox
用户的英文名叫Kevin | 用户的英文名改成Leo了
"""

BESIDE = """
User likes tea | User likes coffee
User has a dog | User has a cat
User speaks French | User speaks German
User's project is called Atlas | User's project is called Borealis
User's friend is Tom | User's friend is Anna
User's sister lives in Lyon | User lives in Ghent
User's sister lives in Lyon | User's brother lives in Ghent
User's son Leo is 5 | User's son Max is 7
User lives in Austin | User lives in Austin, Texas
User lives in Lyon | User grew up in Ghent
User used to live in Lyon | User lives in Ghent
User lives in Lyon | User plans to move to Ghent
User lives in Lyon | User works in Ghent
User lives in Lyon | User will move to Ghent
User works at Siemens | User also works at Bosch
User works at Siemens | User's wife works at Bosch
User worked at Siemens before | User works at Bosch
User is a nurse | User is a father
User is a teacher | User is a runner
User uses Vim | User uses VS Code
User uses Python | User uses Rust
User uses Docker | User uses Kubernetes
User uses Postgres for billing | User uses Redis for caching
User's database is MySQL | User's test database is SQLite
User's work laptop is a ThinkPad | User's personal laptop is a MacBook
User's phone is a Pixel 8 | User's phone is broken
User's laptop is a ThinkPad | User's laptop is slow
User's cat is named Mochi | User's cat is named Biscuit
User's cat Pixel is deaf | User's cat Biscuit is deaf
User's hobby is chess | User's hobby is climbing
User's goal is to run a marathon | User's goal is to learn Greek
User's server is called Zeus | User's server is called Hera
User is allergic to peanuts | User is allergic to shellfish
User plays the piano | User plays the guitar
User is reading Dune | User is reading Solaris
User is learning Greek | User is learning to weld
User visited Japan in 2019 | User visited Japan in 2023
User bought 2 tickets | User bought 3 tickets
User ran 10 km on Monday | User ran 8 km on Friday
User has a meeting on Tuesday at 10 | User has a meeting on Thursday at 3
User has a yoga class on Tuesdays | User has a yoga class on Fridays
User swims on Tuesdays | User swims on Fridays
User has a son aged 5 | User has a daughter aged 7
User has a 5-year-old son | User has a 7-year-old son
User likes dark roast | User likes light roast
User prefers tea in the morning | User prefers wine in the evening
Answer in German when asked about recipes | Answer in English
User wants commit messages in English | User wants code comments in German
User uses tabs in Go | User uses spaces in Python
User prefers short answers | User prefers short walks
User prefers short emails | User wants detailed reviews
User does not like coriander | User does not like olives
User likes olives | User does not like coriander
User is vegetarian | User's wife is vegan
User is married | User's brother is divorced
Staging runs on Fly | Production runs on Heroku
User's blog runs on Ghost | User's shop runs on Shopify
User's API is written in Go | User's frontend is written in Svelte
User owns 40 shares of Nvidia | User owns 12 shares of Intel
User's flight to Rome is on 3 May | User's flight to Oslo is on 9 June
User's manager is Helen | User's former manager was Omar
User's mother is a teacher | User's father is a nurse
User works from home on Fridays | User commutes by train
User might switch to Emacs | User uses Vim
User lives in Ghent | 用户住在根特
用户喜欢喝茶 | 用户喜欢喝咖啡
用户养了一只狗 | 用户养了一只猫
用户会说法语 | 用户会说德语
用户的项目叫北极星 | 用户的项目叫银河
用户的朋友是小王 | 用户的朋友是小李
用户的姐姐住在杭州 | 用户住在苏州
用户的姐姐住在杭州 | 用户的哥哥住在苏州
用户的儿子小明5岁 | 用户的儿子小刚7岁
用户住在杭州 | 用户住在杭州西湖区
用户住在杭州 | 用户出生在苏州
用户以前住在杭州 | 用户住在苏州
用户住在杭州 | 用户打算搬到苏州
用户住在杭州 | 用户在苏州工作
用户在苏州工作 | 用户在苏州出生
用户在腾讯工作 | 用户的老婆在华为工作
用户曾在腾讯工作 | 用户在字节跳动工作
用户是护士 | 用户是两个孩子的妈妈
用户用Vim | 用户用VS Code
用户用Python | 用户用Rust
用户用Docker | 用户用Kubernetes
用户用React重写前端 | 用户用Rust重写后端
用户的数据库是MySQL | 用户的测试数据库是SQLite
用户的工作电脑是ThinkPad | 用户的个人电脑是MacBook
用户的手机是小米14 | 用户的手机是坏的
用户的车是比亚迪 | 用户的车是白色的
用户的猫叫米糕 | 用户的猫叫豆沙
用户养了一只公猫叫米糕 | 用户养了一只公猫叫豆沙
用户的爱好是下棋 | 用户的爱好是攀岩
用户的目标是跑完马拉松 | 用户的目标是学会游泳
用户对花生过敏 | 用户对海鲜过敏
用户弹钢琴 | 用户弹吉他
用户在读三体 | 用户在读红楼梦
用户在学日语 | 用户在学吉他
用户2019年去过日本 | 用户2023年去过日本
用户买了2张票 | 用户买了3张票
用户周二有瑜伽课 | 用户周五有瑜伽课
用户周三晚上上瑜伽课 | 用户周三下午固定有例会
用户有一个五岁的儿子 | 用户有一个七岁的儿子
用户喜欢深烘咖啡 | 用户喜欢浅烘咖啡
回答技术问题时用英文 | 回答所有问题时用中文
提交信息用英文写 | 代码注释用中文写
用户喜欢简短的回答 | 用户喜欢简短的会议
用户希望周报简短 | 用户希望评审详细
用户不喜欢香菜 | 用户不喜欢葱
用户喜欢榴莲 | 用户不喜欢香菜
用户吃素 | 用户的老婆是纯素食者
用户已婚 | 用户的哥哥离婚了
测试环境部署在阿里云 | 生产环境部署在腾讯云
用户的博客部署在阿里云 | 用户的商城部署在腾讯云
用户的后端用Go写 | 用户的前端用Vue写
用户的母亲是老师 | 用户的父亲是护士
用户的领导是李总 | 用户的前领导是王总
用户可能换Emacs | 用户用Vim
用户也会用Emacs | 用户用Vim
用户的手机号是13800000000 | 用户老婆的手机号是13900000000
用户的生日是5月20日 | 用户的结婚纪念日是6月1日
用户喜欢听周杰伦的歌 | 用户喜欢听陈奕迅的歌
用户每周三开例会 | 用户每周五打球
用户每天喝两杯咖啡 | 用户每天喝三杯水
用户定投三千元基金 | 用户的房租是三千五百元
用户家有两个孩子 | 用户公司有三个合伙人
用户在北京出差 | 用户住在上海
"""


def pairs(lines: str) -> list[tuple[str, str]]:
    return [(known, new) for known, _, new in (line.partition(" | ") for line in lines.strip().splitlines())]


@pytest.mark.parametrize(("known", "new"), pairs(TWO_VALUES))
def test_two_values_of_one_thing(known: str, new: str) -> None:
    assert likeness(new, FACT, known, FACT) in (Likeness.OTHER_VALUE, Likeness.UPDATE)


@pytest.mark.parametrize(("known", "new"), pairs(BESIDE))
def test_what_may_stand_beside_another(known: str, new: str) -> None:
    assert likeness(new, FACT, known, FACT) not in (Likeness.OTHER_VALUE, Likeness.UPDATE, Likeness.SAME)
    assert likeness(known, FACT, new, FACT) not in (Likeness.OTHER_VALUE, Likeness.UPDATE, Likeness.SAME)

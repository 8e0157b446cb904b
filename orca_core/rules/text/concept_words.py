"""The words of each concept: a category and its instances, in Chinese and English. Data for `rules.text.lexicon`.

`_` stands for a blank, Latin words are matched whole and in any case, Chinese anywhere. What is also an everyday
word ("run", "用", "box") is left out: one such word would make a concept match everything."""

from __future__ import annotations

CONCEPT_WORDS = {
    # Tools and techniques
    "editor": """编辑器 代码编辑器 文本编辑器 editor vim neovim nvim emacs vscode vs_code visual_studio_code
        sublime_text notepad++ nano helix_editor zed_editor kakoune micro_editor spacemacs doom_emacs lazyvim
        集成开发环境 开发工具 ide intellij intellij_idea pycharm webstorm goland clion rider android_studio xcode
        eclipse_ide visual_studio jetbrains windsurf rustrover""",
    "shell": """终端 命令行 终端模拟器 控制台 terminal shell bash zsh fish_shell powershell nushell oh_my_zsh tmux
        zellij iterm iterm2 alacritty wezterm ghostty windows_terminal command_line cmd.exe""",
    "operating_system": """操作系统 发行版 桌面系统 operating_system os distro macos osx windows win10 win11 linux
        ubuntu debian fedora centos arch_linux archlinux manjaro nixos opensuse freebsd wsl wsl2 chromeos 鸿蒙
        麒麟系统 ios android alpine_linux linux_mint rocky_linux""",
    "programming_language": """编程语言 开发语言 主力语言 程序语言 脚本语言 programming_language coding_language
        language_do_i_code language_i_code main_language python java javascript typescript golang rustlang kotlin
        scala haskell elixir erlang clojure ruby php perl lua c++ c# f# objective-c ocaml fortran cobol matlab 汇编
        go语言 rust语言 c语言 r语言 易语言""",
    "framework": """框架 前端框架 后端框架 技术栈 framework tech_stack react vue vue3 angular svelte next.js nuxt
        django flask fastapi spring_boot springboot rails ruby_on_rails laravel express.js nestjs nest.js asp.net
        .net pytorch tensorflow keras tailwind flutter react_native electron tauri qt jquery solidjs actix axum
        tokio textual mybatis hibernate""",
    "database": """数据库 关系型数据库 数据仓库 database databases dbms data_store rdbms postgres postgresql mysql
        mariadb sqlite sqlite3 sql_server mssql mongodb mongo cassandra clickhouse duckdb cockroachdb tidb dynamodb
        neo4j influxdb timescaledb oceanbase 达梦 elasticsearch supabase firestore couchdb snowflake bigquery
        pgvector milvus qdrant chromadb lancedb 向量数据库 vector_database""",
    "cache": """缓存 cache caching redis memcached valkey varnish cdn 本地缓存""",
    "queue": """消息队列 消息中间件 任务队列 message_queue message_broker task_queue job_queue event_bus kafka
        rabbitmq rocketmq pulsar nats activemq zeromq celery sidekiq sqs mqtt""",
    "continuous_integration": """持续集成 流水线 持续交付 ci/cd ci cicd continuous_integration build_pipeline
        github_actions gitlab_ci jenkins circleci travis_ci drone_ci teamcity argocd argo_cd buildkite tekton""",
    "deployment": """部署 上线 发布流程 灰度发布 deploy deploys deployed deploying deployment deployments rollout
        ansible terraform pulumi helm_chart helm systemd supervisord nginx caddy traefik 蓝绿发布""",
    "container": """容器 镜像仓库 容器编排 container containers docker docker-compose docker_compose podman
        kubernetes k8s k3s containerd dockerfile minikube openshift colima orbstack rancher docker_swarm""",
    "cloud": """云服务 云服务器 云厂商 云平台 公有云 cloud_provider cloud_platform cloud_hosting aws azure gcp
        google_cloud amazon_web_services 阿里云 腾讯云 华为云 aliyun vercel netlify cloudflare heroku digitalocean
        hetzner fly.io linode ec2 vps 七牛云 火山引擎""",
    "version_control": """版本控制 版本管理 代码仓库 代码托管 version_control source_control code_hosting git
        github gitlab gitee bitbucket svn subversion mercurial jujutsu gerrit 分支策略 branching_strategy monorepo""",
    "package_manager": """包管理器 包管理 依赖管理 package_manager dependency_manager npm pnpm yarn pip pipenv
        poetry conda miniconda anaconda homebrew brew apt-get pacman cargo maven gradle nuget""",
    "testing": """测试框架 测试工具 单元测试 自动化测试 集成测试 test_framework testing_framework test_runner
        testing_tool test_suite unit_test unit_tests pytest unittest jest vitest mocha junit selenium playwright
        cypress testng rspec go_test""",
    "monitoring": """监控 告警 可观测性 日志系统 链路追踪 monitoring observability alerting prometheus grafana
        datadog sentry new_relic zabbix nagios jaeger opentelemetry loki splunk kibana elk skywalking uptime_kuma""",
    "hardware": """电脑配置 笔记本电脑 硬件 显卡 处理器 台式机 主机配置 机械键盘 键盘 鼠标 显示器 laptop laptops
        graphics_card gpu cpu macbook macbook_pro macbook_air thinkpad imac mac_mini rtx nvidia raspberry_pi 树莓派
        mechanical_keyboard keyboard monitor_setup workstation hhkb surface_pro nas 手机型号 iphone ipad
        pixel_phone""",
    "port": """端口 端口号 监听端口 port_number listening_port which_port what_port port ports""",
    "network": """代理服务器 内网 局域网 梯子 路由器 网络环境 vpn proxy_server wireguard openvpn tailscale clash
        v2ray wi-fi wifi router dns_server ip_address ip地址""",
    "ai_model": """大模型 语言模型 language_model llm llms chatgpt gpt-4 gpt-4o gpt-5 claude gemini deepseek qwen
        通义千问 文心一言 kimi llama ollama 智谱 glm mistral copilot 豆包大模型""",
    "api_style": """接口风格 接口规范 api设计 api_style api_design rest_api restful graphql grpc openapi swagger
        protobuf json-rpc websocket""",
    "code_style": """代码风格 命名规范 代码规范 缩进 code_style coding_style coding_convention naming_convention
        indentation type_hints 类型注解 snake_case camelcase 驼峰 下划线命名 prettier eslint ruff linter formatter
        格式化工具 tabs_or_spaces""",
    "authentication": """认证方式 登录方式 鉴权 authentication jwt oauth oauth2 sso 单点登录 keycloak
        session_cookie 双因素""",
    "appearance": """主题配色 配色方案 深色模式 暗色模式 浅色模式 暗黑模式 配色 color_scheme colour_scheme
        dark_mode light_mode dark_theme light_theme gruvbox solarized catppuccin""",
    # Work
    "profession": """职业 职位 岗位 工作岗位 做什么工作 干什么的 什么行业 profession occupation job job_title
        for_a_living day_job 工程师 程序员 后端开发 前端开发 全栈 架构师 产品经理 设计师 医生 护士 老师 教师 教授
        律师 会计 销售 公务员 记者 厨师 司机 研究员 数据分析师 运维 测试工程师 学生 研究生 博士生 自由职业 engineer
        software_engineer programmer developer data_scientist designer product_manager doctor nurse teacher
        professor lawyer accountant journalist researcher freelancer phd_student consultant sysadmin sre devops
        architect""",
    "company": """公司 工作单位 哪个单位 雇主 东家 就职 供职 创业公司 企业 company employer startup workplace
        where_do_i_work 字节跳动 阿里巴巴 腾讯 华为 百度 美团 京东 小米公司 网易 google microsoft amazon netflix
        bytedance tencent alibaba 上班 在哪工作 在哪儿工作 哪里工作 work_at works_at worked_at working_at work_for
        works_for""",
    "team": """团队 同事 上司 领导 老板 下属 组长 部门 team teammate teammates colleague colleagues coworker
        coworkers co-worker manager boss tech_lead 直属领导 合伙人""",
    "project": """项目 课题 side_project project projects codebase 毕业设计 开源项目 open_source_project""",
    "deadline": """截止日期 交付日期 截止时间 期限 上线日期 死线 deadline due_date release_date milestone ddl
        里程碑""",
    "meeting": """会议 开会 例会 周会 站会 早会 meeting meetings standup stand-up weekly_sync retrospective 复盘会""",
    "education": """学校 大学 什么专业 专业是 学历 毕业 教育背景 本科 硕士 博士 高中 university college
        college_degree degree_in what_degree school graduated graduation alma_mater majored bachelor
        master's_degree phd 北大 清华 复旦 交大 浙大 studied_at""",
    "salary": """工资 薪水 薪资 收入 年薪 月薪 salary income paycheck wage""",
    "money": """预算 存款 理财 房贷 房租 股票 基金 贷款 budget savings mortgage rent investment investments stocks
        loan 信用卡 credit_card""",
    # The person
    "name": """名字 姓名 叫什么 怎么称呼 称呼 昵称 外号 我叫 名叫 my_name name_is nickname surname first_name
        last_name call_me called_me real_name 英文名""",
    "age": """年龄 多大 几岁 岁数 周岁 岁 how_old years_old my_age year-old 出生年 属相 year_of_birth""",
    "birthday": """生日 出生日期 过生日 birthday birthdays date_of_birth born_on 农历生日""",
    "zodiac": """星座 属相 生肖 zodiac star_sign 白羊座 金牛座 双子座 巨蟹座 狮子座 处女座 天秤座 天蝎座 射手座
        摩羯座 水瓶座 双鱼座""",
    "personality": """性格 内向 外向 mbti personality introvert extrovert introverted extroverted intj infp enfp
        intp infj entj""",
    "body": """身高 体重 体型 血型 鞋码 height weigh body_weight blood_type shoe_size 公斤 厘米高 cm_tall""",
    "contact": """电话号码 手机号 邮箱 联系方式 微信号 phone_number email_address e-mail_address contact_details
        电子邮箱""",
    "home": """住在 住哪 住的地方 住址 家庭地址 收货地址 居住 搬家 搬到 小区 定居 老家 家乡 籍贯 户籍 哪里人
        where_do_i_live live_in lives_in living_in based_in moved_to relocated hometown home_address grew_up_in
        come_from neighborhood neighbourhood 租房""",
    "city": """城市 哪个城市 city cities which_city 北京 上海 广州 深圳 杭州 成都 南京 武汉 西安 重庆 苏州 天津
        厦门 长沙 青岛 大连 香港 台北 东京 大阪 新加坡 纽约 伦敦 巴黎 柏林 beijing shanghai shenzhen hangzhou
        guangzhou chengdu hong_kong taipei tokyo osaka singapore new_york london paris berlin munich amsterdam
        san_francisco seattle boston chicago toronto vancouver sydney melbourne lisbon madrid barcelona rome vienna
        zurich stockholm oslo seoul bangkok mumbai bangalore dublin 住在 住哪 居住 搬到 where_do_i_live live_in
        lives_in living_in based_in moved_to""",
    "family": """家人 家庭 家里人 亲戚 family_members relatives siblings 兄弟姐妹 哥哥 弟弟 姐姐 妹妹 brother
        sister brothers sisters cousin uncle aunt 表哥 表姐 堂弟 叔叔 舅舅 阿姨 family""",
    "spouse": """配偶 爱人 老婆 妻子 太太 媳妇 老公 丈夫 女朋友 男朋友 女友 男友 我对象 未婚妻 未婚夫 伴侣 结婚
        婚姻 单身 spouse wife husband partner girlfriend boyfriend fiancee fiance married marriage wedding
        divorced engaged_to relationship_status anniversary 离婚 结婚纪念日""",
    "children": """孩子 小孩 子女 儿子 女儿 宝宝 娃 闺女 kid kids child children son daughter sons daughters baby
        toddler newborn twins 双胞胎 二胎 幼儿园 kindergarten""",
    "parents": """父母 爸妈 爸爸 妈妈 父亲 母亲 老爸 老妈 岳父 岳母 公公 婆婆 parents mother father mom mum dad
        mother-in-law father-in-law 爷爷 奶奶 外公 外婆 grandparents grandma grandpa grandmother grandfather""",
    "pet": """宠物 养猫 养狗 猫 狗 小猫 小狗 猫咪 狗狗 橘猫 布偶猫 英短 金毛 柯基 哈士奇 柴犬 泰迪犬 仓鼠 兔子 鹦鹉
        乌龟 金鱼 pet pets cat cats dog dogs kitten puppy golden_retriever labrador corgi husky poodle hamster
        rabbit parrot turtle goldfish""",
    # Daily life
    "diet": """饮食 忌口 吃饭 吃素 素食 素食者 不吃 口味 吃什么 饭菜 食谱 做饭 做菜 菜谱 diet dietary vegetarian
        vegan gluten-free pescatarian keto halal kosher low-carb food foods meal meals dinner lunch breakfast cook
        cooking recipe recipes cuisine restaurant restaurants eat eating 早餐 午餐 晚餐 午饭 晚饭 餐厅 美食 火锅
        川菜 粤菜 烧烤 寿司 披萨 sushi pizza spicy 吃辣 香菜 cilantro coriander favorite_dish favourite_dish 海鲜
        seafood 清真 过敏 过敏原 乳糖 花生 allergic allergy allergies lactose peanut peanuts shellfish
        花生过敏 海鲜过敏""",
    "allergy": """过敏 不耐受 过敏原 忌口 allergy allergies allergic intolerant intolerance lactose 乳糖 麸质
        花生过敏 海鲜过敏 青霉素 penicillin peanut peanuts shellfish 花粉""",
    "drink": """饮料 喝什么 咖啡 奶茶 喝茶 绿茶 红茶 白酒 啤酒 红酒 威士忌 拿铁 美式咖啡 可乐 喝酒 drink drinks
        beverage coffee tea latte espresso cappuccino americano beer wine whisky whiskey juice soda alcohol
        oat_milk 燕麦奶 matcha 抹茶""",
    "sport": """运动 健身 锻炼 跑步 游泳 篮球 足球 羽毛球 乒乓球 网球 瑜伽 骑行 登山 徒步 滑雪 攀岩 马拉松 晨跑
        打球 sport sports workout workouts exercise fitness gym jogging marathon half-marathon swimming basketball
        football soccer badminton table_tennis tennis yoga pilates cycling hiking skiing snowboarding climbing
        bouldering volleyball""",
    "hobby": """爱好 兴趣 业余 兴趣爱好 消遣 空闲时间 hobby hobbies pastime free_time spare_time leisure 摄影 画画
        书法 钓鱼 围棋 下棋 园艺 手工 烘焙 photography painting drawing knitting gardening fishing chess
        woodworking baking calligraphy pottery 模型制作 集邮 露营 camping""",
    "game": """游戏 打游戏 手游 电竞 video_game video_games gaming gamer nintendo playstation xbox ps5 原神
        王者荣耀 英雄联盟 塞尔达 minecraft zelda elden_ring 我的世界 桌游 board_game board_games""",
    "music": """音乐 歌手 歌曲 听歌 乐队 乐器 演唱会 专辑 music song songs singer band musician concert album
        playlist spotify guitar piano violin drums 吉他 钢琴 小提琴 古典音乐 摇滚 爵士 民谣 说唱 周杰伦 jazz
        classical_music hip-hop""",
    "film": """电影 影片 看电影 电视剧 追剧 动漫 动画片 纪录片 综艺 导演 film films movie movies tv_show tv_shows
        tv_series anime documentary director netflix cinema 科幻片 文艺片 恐怖片""",
    "book": """书籍 看书 读书 小说 作家 读物 书名 图书 阅读 book books novel novels author reading_list fiction
        non-fiction 科幻小说 三体 传记 kindle 诗集 poetry""",
    "travel": """旅游 旅行 出差 度假 旅程 行程 自驾 机票 酒店 景点 出国 travel travels traveling travelling trip
        trips vacation holiday holidays flight flights hotel tourist itinerary backpacking business_trip road_trip
        签证 visa passport 护照 蜜月 honeymoon""",
    "transport": """通勤 开车 地铁 公交 高铁 坐飞机 自行车 电动车 车型 汽车 驾照 commute commuting subway bicycle
        my_car driving_license driver's_license tesla 特斯拉 比亚迪 电车 train_station ev""",
    "health": """健康 身体状况 生病 疾病 病史 体检 手术 医院 吃药 用药 药物 糖尿病 高血压 失眠 近视 颈椎 腰椎
        偏头痛 哮喘 抑郁 焦虑症 health illness disease diagnosis diagnosed surgery hospital medication medicine
        diabetes diabetic hypertension blood_pressure insomnia asthma migraine migraines depression anxiety therapy
        therapist adhd pregnant 怀孕 心理咨询""",
    "sleep": """睡觉 作息 早起 熬夜 睡眠 起床 入睡 sleep bedtime wake_up night_owl early_bird early_riser 夜猫子""",
    "schedule": """日程 时间安排 工作时间 上班时间 几点上班 下班 什么时候有空 schedule calendar working_hours
        office_hours appointment 加班 远程办公 居家办公 remote_work work_remotely 作息时间""",
    "time_zone": """时区 时差 time_zone timezone time_difference utc gmt cet pst est 北京时间 东八区""",
    "spoken_language": """母语 外语 方言 口语 普通话 粤语 英语 日语 法语 德语 西班牙语 韩语 俄语 mother_tongue
        native_language native_speaker foreign_language bilingual speak_english speak_chinese mandarin cantonese
        english chinese japanese spanish french german korean italian portuguese russian 雅思 托福 ielts toefl
        duolingo""",
    "answer_style": """回答风格 回答方式 回复风格 回答要 回复要 回答问题 简洁 简短 简明 一步一步 分步骤 用中文
        用英文 说中文 语气 沟通风格 啰嗦 answer_style style_of_answer respond_in reply_in answer_in answer_me
        concise concisely verbose short_answers step_by_step step-by-step bullet_points tone_of_voice
        response_style explain_like 列表形式 emoji 表情符号 不要废话 废话 examples_first""",
    "colour": """颜色 最喜欢的颜色 favorite_color favourite_colour favorite_colour colour color 蓝色 红色 绿色 紫色
        黄色 粉色""",
    "religion": """宗教 信仰 佛教 基督教 穆斯林 religion religious buddhist christian muslim jewish hindu catholic""",
    "note_taking": """笔记 笔记软件 记笔记 note_taking note-taking notes_app obsidian logseq evernote onenote
        印象笔记 语雀 飞书文档 有道云笔记 思源笔记""",
    "goal": """目标 计划 梦想 理想 goal goals new_year's_resolution resolution ambition dream_job 愿望 备考 考研
        考证""",
    "dislike": """讨厌 不喜欢 受不了 反感 dislike dislikes hate hates can't_stand pet_peeve 害怕 恐惧 afraid_of
        fear_of phobia""",
}

CASED_WORDS = {
    "Go": "programming_language",
    "Rust": "programming_language",
    "Swift": "programming_language",
    "Ruby": "programming_language",
    "Dart": "programming_language",
    "Julia": "programming_language",
    "Zig": "programming_language",
    "Elm": "programming_language",
    "Spring": "framework",
    "Express": "framework",
    "Oracle": "database",
    "Cursor": "editor",
    "Zed": "editor",
    "Helix": "editor",
    "Fish": "shell",
    "Jest": "testing",
    "Kitty": "shell",
    "Notion": "note_taking",
}
"""Names that are everyday words when written small, or at the start of a sentence of English."""

NOT_CONCEPTS = """
    熊猫 热狗 猫眼 天猫 狗血 单身狗 黑猫警长 海狗 猫头鹰 娃哈哈 岁月 万岁 岁末 京东京造 项目符号 目标检测 目标文件
    目标地址 计划任务 健康检查 运动会 阅读器 游戏规则 表达式 子容器 容器类 监控摄像头 收入囊中 手术刀 领导力 会议室
    大学生活费 小说明 电影院线 发小孩 兔子洞 面试 公司法 缓存区 老师傅 学生卡 执行计划 查询计划 编译目标 构建目标
    目标平台 登录名 项目经理 hot_dog hot_dogs child_process child_processes child_node child_nodes parent_node
    parent_nodes health_check health_checks book_a color_code color_codes cron_job cron_jobs batch_job job_id
    context_manager window_manager session_manager file_manager task_manager password_manager food_for_thought
    son_of_a goal_state dead_letter pet_project dog_food french_fries english_breakfast time_sleep family_of
    music_theory_of color_picker exercise_caution schedule_job single_page french_press
"""
"""Words that hold a concept's word but mean something else: they are passed over."""

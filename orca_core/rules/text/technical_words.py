"""Words that make a text technical, in Chinese and English, and what else they may mean. Data for `rules.asking.topics`."""

from __future__ import annotations

WORDS = frozenset(
    """
    javascript typescript golang rustc rustup kotlin haskell erlang clojure ocaml fortran cobol perl php matlab vimscript
    webassembly wasm bash zsh powershell sql nosql graphql plsql html html5 css css3 scss sass jsx tsx
    django fastapi sqlalchemy pydantic pytest numpy scipy pytorch tensorflow keras sklearn scikit-learn matplotlib
    jupyter asyncio aiohttp httpx pip pip3 pipx pipenv virtualenv venv conda pypi uvicorn gunicorn mypy ruff pylint flake8
    reactjs vuejs vue vue3 nextjs nuxt webpack eslint tailwind nodejs npm npx pnpm jquery tkinter qt6 pyqt rails
    springboot jvm jdk jre junit mybatis asp.net dotnet nuget xamarin swiftui xcode cocoapods objective-c
    postgres postgresql psql mysql mariadb sqlite mongodb redis memcached clickhouse elasticsearch opensearch kibana
    dynamodb neo4j influxdb pgvector pgbouncer duckdb grafana rabbitmq zeromq mqtt grpc etcd prisma
    docker docker-compose dockerfile kubernetes k8s k3s kubectl kubelet podman containerd terraform ansible jenkins gitlab
    github gitee bitbucket cmake makefile nginx haproxy traefik istio cloudflare aws gcp azure ec2 heroku vercel netlify
    serverless linux ubuntu debian centos fedora archlinux nixos freebsd systemd systemctl journalctl macos wsl wsl2 cygwin
    arduino esp32 stm32 firmware uefi fpga gpio
    git rebase monorepo submodule refactor refactoring refactored debug debugger debugging debugged breakpoint stacktrace
    traceback segfault coredump deadlock mutex semaphore goroutine coroutine multithreading multithreaded regex regexp
    json jsonl yaml toml xml protobuf websocket https tcp udp dns dhcp ssh sftp tls ssl ipv4 ipv6 subnet cidr cors oauth
    oauth2 jwt csrf xss api sdk cli uri endpoint middleware backend frontend fullstack microservice webhook crontab
    compiler recompile bytecode codebase linter ide vscode neovim nvim vim emacs intellij pycharm
    jetbrains tmux localhost hostname filesystem chmod chown sudo grep rsync stdin stdout stderr malloc nullptr
    nullpointerexception stackoverflow cpu gpu cuda rocm vram sharding throughput autoscaling
    deploy deployed deploying deployment devops kubeconfig codegen bugfix hotfix changelog
    algorithm heapsort quicksort mergesort hashmap hashtable recursion struct enum typedef boolean tuple dataframe
    database dbms orm varchar foreign-key backtick
    llm ollama huggingface tokenizer opentelemetry datadog sha256 md5 base64 utf8 utf-8 ascii unicode
    vlookup chatbot div groupby
    """.split()
)
"""Words that are technical wherever they stand; lower case, a plural needs no entry of its own."""


OTHERWISE = {
    "python": "snake reptile pet zoo monty cobra 蟒 宠物",
    "java": "island indonesia jakarta bali volcano coffee trip travel bean 岛 咖啡 爪哇",
    "kafka": "franz novel author metamorphosis murakami shore writer literature 小说 作家 村上 变形记 卡夫卡",
    "pandas": "zoo bamboo bear cute chengdu giant animal 熊猫",
    "server": "restaurant waiter waitress menu dinner lunch brunch table tennis bartender 餐厅",
    "bug": "insect bite bit mosquito garden bed bugs stomach flu ladybug spray caught catch",
    "algorithm": "tiktok youtube instagram",
    "android": "sheep robot film movie",
}
"""Words that are technical, but not in a text that speaks of these."""

NAMES = frozenset(
    """
    Go Rust Swift Ruby Dart Julia Scala Elixir Perl Lua Spring Flask React Angular Svelte Redux Express Nest
    Vite Babel Bootstrap Electron Tauri Celery Spark Flink Hive Hadoop Pulsar Airflow Helm Cargo Maven Gradle
    Tomcat Apache Hibernate Puppet Vault Consul Nomad Envoy Sentry Jest Cypress Selenium Playwright
    Lambda Transformers Prometheus Cassandra Textual Caddy Bash Qt Actix Axum Tokio Excel
    """.split()
)
"""Names of languages and tools that are everyday words too: technical beside something that only a tool has."""

BEHIND_NAMES = frozenset(
    """
    code program programs compiler module package crate library function method class struct trait lifetime lifetimes
    generics channel slice closure closures macro macros component components hook hooks app service backend developer
    framework script runtime router middleware boot mvc security webflux bean beans worker workers task tasks broker topic
    topics consumer producer cluster chart charts release query stream streams stack trace error errors exception
    exceptions version syntax interpreter plugin server job jobs dag config build
    """.split()
)
"""What follows a name that means the tool."""

LEANING = frozenset(
    """
    server bug cache cached caching thread container cluster exception query queries kernel heap queue schema transaction
    commit committed merge merged merging script function variable loop array module framework component plugin terminal
    shell proxy router firewall token crash crashes crashed crashing install installed installing installation config
    configuration timeout latency code coding programming compile compiles compiled compiling callback async await staging
    log logging branch branches request response error warning app software upgrade upgraded upgrading backup restart
    restarts restarted restarting reboot rebooting pipeline build dependency dependencies parse parser render rendering
    string integer syntax runtime metric monitoring migration rollback rolled pointer closure iterator hook worker benchmark
    test nullable browser website infinite
    """.split()
)
"""Words that make a text technical only two at a time: each of them is an everyday word as well."""

PHRASES = (
    "stack overflow",
    "memory leak",
    "race condition",
    "null pointer",
    "unit test",
    "integration test",
    "pull request",
    "merge request",
    "merge conflict",
    "load balancer",
    "reverse proxy",
    "message queue",
    "time complexity",
    "data structure",
    "type error",
    "type hint",
    "syntax error",
    "command line",
    "operating system",
    "source code",
    "test coverage",
    "linked list",
    "binary tree",
    "binary search",
    "big o notation",
    "error message",
    "log file",
    "config file",
    "api key",
    "open source",
    "programming language",
    "machine learning model",
    "neural network",
    "environment variable",
    "design pattern",
    "foreign key",
    "primary key",
    "stored procedure",
    "connection pool",
    "rate limit",
    "feature flag",
    "version control",
    "permission denied",
    "command not found",
    "no such file or directory",
    "connection refused",
    "connection reset",
    "out of memory",
    "segmentation fault",
    "core dumped",
    "bad gateway",
    "raspberry pi",
    "home assistant",
    "my code",
    "this code",
    "our code",
    "software architecture",
    "system design",
    "garbage collector",
    "garbage collection",
    "shell script",
    "text editor",
    "code editor",
    "ci pipeline",
    "build fails",
    "the build failed",
    "stack trace",
)
"""Words that are technical together."""

CHINESE = tuple(
    """
    架构 接口 报错 部署 数据库 编译 依赖 端口 缓存 线程 进程 协程 内存 日志 服务器 服务端 客户端 容器 集群 负载均衡 网关
    代码 编程 写程序 脚本语言 函数 算法 空指针 野指针 断点 单元测试 集成测试 测试用例 重构 前端 后端 全栈 中间件 微服务
    消息队列 死锁 高并发 异步 多线程 正则 索引优化 主键 外键 分库 分表 建表 查询语句 慢查询 连接池 命令行 环境变量
    虚拟环境 虚拟机 操作系统 单片机 防火墙 域名 反向代理 跨域 鉴权 登录态 序列化 二进制 源码 源代码 合并冲突 代码审查
    持续集成 回滚 灰度发布 发版 压测 性能优化 冷启动 云函数 小程序开发 网络爬虫 写爬虫 解析器 编辑器 插件 闪退 堆栈 段错误
    乱码 编码格式 字符集 哈希 数组 链表 二叉树 排序算法 递归 动态规划 神经网络 机器学习 深度学习 大模型 显存 训练集
    梯度下降 三次握手 定时任务 监控告警 运维 磁盘 数据备份 数据迁移 数据仓库 数据结构 闭包 快速排序 冒泡排序 热更新 类型检查 静态检查 测试覆盖率
    安装包 标准库 第三方库 令牌桶 分布式 幂等 宕机 配置文件 网络请求 请求头 响应体 返回值 参数错误 语法错误 类型错误
    循环引用 内网 公网 局域网 路由器 代理服务器 开源 软件工程 编译器 解释器 调试器 程序报 程序崩 程序跑 内存泄漏
    数据库表 死循环 变量名 类型注解 版本控制 固件 网络协议 后台服务 技术栈 命名空间 镜像仓库 显卡驱动
    """.split()
)
"""Words that are technical wherever they stand in Chinese."""

CHINESE_LEANING = tuple(
    """
    程序 异常 事务 终端 镜像 指针 崩溃 上线 组件 渲染 打包 超时 堆积 副本 消费者 生产者 降级 重试 一致性 限流 熔断 证书 爬虫
    框架 驱动 主从 分区 加密 变量 服务 配置 安装 升级 版本 测试 请求 响应 卡死 重启 脚本 索引 并发 内核 挂载 备份 解密 路由
    令牌 调试 登录 软件 电脑 连不上 卡住 报警 迁移 泄漏 仓库 分支 参数 语法 循环 模块 权限 起不来 跑不起来 上线后
    """.split()
)
"""Words that make a Chinese text technical only two at a time."""

MISREADINGS = tuple(
    """
    直接口 间接口 国内存 体内存 室内存 市内存 全部署名 最后端 然后端 之前端 之后端 不算法定 双重构 组织架构 公司架构 股权架构
    人事架构 股票代码 基金代码 情感依赖 药物依赖 过度依赖 互相依赖 相互依赖 心理依赖 依赖性 依赖症 依赖感 依赖我 依赖他
    依赖她 依赖你 依赖别人 依赖父母 依赖手机 战略部署 作战部署 历史进程 包容器 玻璃容器 保鲜容器 加密货币 消费降级 法律程序
    司法程序 升级打怪 服务员 服务态度 服务区 家政服务 性格测试 心理测试 驱动力 异常开心 异常激动 异常兴奋 结婚证书 毕业证书
    """.split()
)
"""Where those words only seem to stand, or mean something else."""

FILE_EXTENSIONS = (
    "py|pyi|ipynb|js|mjs|jsx|ts|tsx|rs|go|java|kt|rb|php|cc|cpp|hpp|cs|sh|sql|ya?ml|toml|json|jsonl|xml|html|css|scss|ini|conf"
    "|cfg|log|lock|env|vue|svelte|proto|tf|gradle|jar|war|exe|dll|dylib|whl|deb|rpm|md|csv|sqlite|db"
)
"""What a file of a program is named with."""

COMMANDS = "sudo|apt|apt-get|brew|dnf|yum|pip3?|npm|yarn|cargo|docker|kubectl|uv"
"""Commands that are known by what follows them."""

HTML_TAGS = "div|span|p|a|ul|li|table|tr|td|script|style|head|body|html|input|button|form|img|br"

ERROR_NUMBERS = (
    "ECONN(?:REFUSED|RESET|ABORTED)|ENOENT|EACCES|EPERM|EADDRINUSE|ETIMEDOUT|EPIPE|ENOTFOUND|ENOSPC|EMFILE|ERESOLVE"
    "|EEXIST|EAGAIN|EINVAL|EHOSTUNREACH|ENOMEM"
)
"""What the system calls its errors."""

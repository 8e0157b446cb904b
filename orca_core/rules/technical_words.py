"""Words that make a text technical. Everyday words are left out, or stand where only their spelling tells."""

from __future__ import annotations

ENGLISH = frozenset(
    """
    python javascript typescript golang rustc kotlin scala haskell elixir erlang clojure ocaml fortran cobol perl php
    lua matlab solidity webassembly wasm assembly bash zsh powershell vimscript sql nosql graphql html css scss sass
    django flask fastapi sqlalchemy pydantic celery pytest unittest numpy pandas pytorch tensorflow keras sklearn
    matplotlib jupyter asyncio pip pipenv virtualenv venv conda pypi uvicorn gunicorn mypy ruff pylint
    react vue angular svelte nextjs nuxt redux webpack vite babel eslint prettier nodejs npm pnpm yarn deno jquery
    tailwind bootstrap electron tkinter qt gtk tauri
    springboot hibernate maven gradle jvm jdk junit tomcat rails laravel symfony aspnet dotnet nuget xamarin flutter
    android ios xcode swiftui cocoapods adb
    postgres postgresql mysql mariadb sqlite mongodb redis memcached cassandra clickhouse elasticsearch opensearch
    kibana logstash dynamodb neo4j influxdb prometheus grafana kafka rabbitmq zeromq mqtt etcd zookeeper pgbouncer
    docker dockerfile kubernetes k8s kubectl helm podman containerd terraform ansible vagrant jenkins gitlab github
    bitbucket bazel cmake makefile nginx apache haproxy caddy traefik envoy istio cloudflare aws gcp azure lambda ec2
    s3 rds heroku vercel netlify serverless linux ubuntu debian centos fedora archlinux wayland systemd kernel
    macos wsl cygwin raspberry arduino esp32 esp8266 firmware bios uefi fpga gpio usb
    git svn rebase changelog monorepo submodule refactor refactoring refactored debugger debug debugging breakpoint
    stacktrace traceback segfault coredump deadlock mutex semaphore goroutine goroutines coroutine multithreading
    async await callback closure regex regexp json yaml toml xml csv protobuf grpc websocket websockets http https
    tcp udp dns dhcp ssh sftp tls ssl vpn ipv4 ipv6 subnet cidr cors oauth jwt csrf xss api apis sdk cli gui url uri
    endpoint endpoints middleware backend frontend fullstack microservice microservices webhook webhooks crontab cron
    compiler compile compiling compiles linker runtime codebase boilerplate linter lint ide vscode neovim vim emacs
    intellij pycharm tmux localhost hostname hostnames filesystem chmod chown sudo stdin stdout stderr malloc memcpy
    nullptr nullpointerexception undefined stackoverflow heap bytecode opcode cpu gpu cuda ram ssd
    sharding failover timeouts timeout latency throughput autoscaling
    deploy deploys deployed deploying deployment deployments rollout rollback staging codegen
    exception exceptions bug bugs bugfix hotfix unittest testcase
    algorithm algorithms heapsort quicksort mergesort hashmap hashtable btree trie bfs dfs recursion recursive
    monad monads struct structs enum enums typedef boolean varchar tuple tuples dataframe
    database databases dbms schema schemas transaction isolation indexes migrations orm query queries
    llm llama ollama gpt embedding embeddings tokenizer transformer huggingface prometheus opentelemetry
    encryption decrypt encrypt sha256 base64 utf8 utf-8 unicode ascii
    excel vlookup latex markdown regexes
    """.split()
)
"""Words that are technical wherever they stand, lower case."""

EXACT = frozenset(
    "Go Rust Swift Java Ruby Dart Julia Spring Flink Spark Hadoop Hive Nest Next Express Sentry C R".split()
)
"""Names that are technical only in this spelling, and only beside a hint (`EXACT_HINT`)."""

EXACT_HINT = (
    r"(?:in|with|using|for|use|用|写|学|语言|里|中|代码|项目|服务|后端|版本|编程|program(?:ming)?|lang(?:uage)?|code|"
    r"developer|library|package|generics|function|class|app|service)"
)

CHINESE = tuple(
    """
    架构 接口 报错 部署 数据库 编译 依赖 端口 缓存 线程 进程 协程 内存 泄漏 日志 服务器 容器 镜像 集群 负载均衡 网关 代码
    编程 程序 脚本 函数 变量 算法 指针 异常 调试 断点 单元测试 测试用例 重构 前端 后端 全栈 框架 中间件 微服务 消息队列
    死锁 并发 异步 多线程 正则 索引 事务 主键 外键 分库 分表 建表 查询语句 慢查询 连接池 命令行 终端 环境变量 虚拟环境
    虚拟机 操作系统 内核 驱动 固件 单片机 防火墙 域名 证书 反向代理 跨域 鉴权 登录态 序列化 反序列化 二进制 源码 源代码
    仓库分支 合并冲突 提交信息 代码审查 流水线 持续集成 上线 回滚 灰度 发版 压测 性能优化 冷启动 云函数 小程序 爬虫 解析器
    编辑器 插件 崩溃 闪退 卡死 超时 堆栈 空指针 段错误 乱码 编码格式 字符集 加密 解密 哈希 数组 链表 二叉树 排序算法 递归
    动态规划 神经网络 机器学习 深度学习 大模型 显存 训练集 梯度下降 三次握手 接口文档 定时任务 监控告警 运维 挂载 磁盘 备份
    恢复数据 数据迁移 数据仓库 数据结构 响应式 渲染 组件 路由 状态管理 打包 热更新 类型检查 静态检查 覆盖率 依赖包 安装包
    库函数 标准库 第三方库 令牌 令牌桶 限流 熔断 降级 分布式 一致性 主从 副本 分区 消费者 生产者 堆积 消费组 幂等 重试 宕机
    配置文件 报警 网络请求 请求头 响应体 返回值 参数错误 语法错误 类型错误 循环引用 内网 外网 公网 代理服务器 局域网 路由器
    """.split()
)
"""Words that are technical wherever they stand in Chinese."""

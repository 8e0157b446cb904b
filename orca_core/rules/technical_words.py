"""Words that make a text technical, in Chinese and English, and what else they may mean. Data for `rules.topics`."""

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
    compiler compile compiled compiling bytecode codebase linter ide vscode neovim nvim vim emacs intellij pycharm
    jetbrains tmux localhost hostname filesystem chmod chown sudo grep rsync stdin stdout stderr malloc nullptr
    nullpointerexception stackoverflow cpu gpu cuda rocm vram sharding throughput autoscaling
    deploy deployed deploying deployment devops kubeconfig codegen bugfix hotfix changelog
    algorithm heapsort quicksort mergesort hashmap hashtable recursion struct enum typedef boolean tuple dataframe
    database dbms orm varchar foreign-key backtick
    llm ollama huggingface tokenizer embeddings opentelemetry datadog sha256 md5 base64 utf8 utf-8 ascii unicode
    vlookup chatbot
    """.split()
)
"""Words that are technical wherever they stand; lower case, a plural needs no entry of its own."""

HOMONYMS = {
    "python": "snake reptile zoo pet monty cobra boa 蟒 宠物",
    "kafka": "franz novel author metamorphosis murakami shore writer literature 小说 作家 村上 变形记",
    "pandas": "zoo bamboo bear cute chengdu giant panda animal 熊猫",
    "cassandra": "she her troy myth friend",
    "prometheus": "myth zeus fire titan film movie",
    "server": "restaurant waiter waitress menu dinner lunch tip tennis bartender",
    "bug": "insect bite bit mosquito garden bed stomach flu travel ladybug spray",
    "kernel": "corn popcorn truth",
    "react": "how should i; how would you; how did; he; she; they; people; allergic",
    "celery": "soup salad carrot onion cook juice stick chop eat",
    "scala": "opera milan",
    "android": "sheep robot movie",
    "cache": "treasure gold",
    "query": "wedding",
    "kernels": "corn popcorn",
    "compile": "a list; the list; photos; recipes",
    "algorithm": "tiktok youtube instagram",
}

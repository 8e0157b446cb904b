"""What is done in the home whose answers are frozen: commands as one types them, in order, each a second after the last.

`--json` is added to each. A line that begins with `then` lets that much time pass; ` < ` names a file that is piped in.
Ids are counted: what is put between other lines moves those of all that follow, so add at the end."""

from __future__ import annotations

import json
from pathlib import Path

from fakes.foreign_files import conversation, message, packed
from fakes.model_server import DONE, chunk, refuses, stream
from golden.brought import document

SESSIONS = Path(__file__).parent.parent / "data" / "retrieval"

STORY = """
config path
config check
memory list
stats
why
activity
memory import all.json --dry-run
memory import all.json
memory import all.json
memory import chatgpt.zip --dry-run
memory import chatgpt.zip
memory import < lines.txt
memory import broken.json
memory inbox
memory inbox --search Oslo
memory list
memory list --status all --sort id
memory list --type preference --limit 1
memory list --pool candidates --offset 20
episode list --status all
knowledge list --status all
tool list
memory accept 9 10
memory accept 11 --content "I have been to Tromso" --tag travel
memory accept --search Kyoto --yes
memory accept --search holiday --dry-run
memory reject 13 14
memory reject --search Lyon --yes
memory never 16
episode accept e5
episode reject e6
knowledge accept k3
knowledge reject k4
tool accept g2
tool reject g3
memory accept e7 k5

chat "remember: I use tabs of width 4" --session desk
chat "Which editor do I use?" --session desk
chat "I work in Bergen and my team uses postgres for the shop. How do I tune nginx for it?" --session desk
chat "My bicycle is called Rosinante" --session desk
chat "我用 helix 编辑器" --session desk
chat "记住：我对花生过敏" --session desk
chat "forget that I live in Milan" --session desk
chat "what do you remember about me?" --session desk
chat "review this" --session desk < material.txt
chat "hello" --session paste --no-memory
chat --session piped < material.txt
chat "my key is sk-proj-abcdefghijklmnop1234567890" --session secret
chat "the shop shows 502 from nginx: upstream timed out" --session trouble
chat "raising proxy_read_timeout to 120 s helped, it works now" --session trouble
chat "I never drink coffee" --session trouble
then 2 h
extract --session secret
extract
extract --again --session desk
extract --show 1
extract --show 2
chat "good morning, which editor do I use for python?" --session morning
why
why 1 --session desk
why 2 --session desk
why 3 --session desk
why 8 --session desk
memory inbox
episode list
activity --limit 5

task start "nginx answers 502" --target nginx --session ops --summary "since the deploy" --tag web
task step "read the error log" --session ops
task step "raise proxy_read_timeout" --session ops
task step 1 --status completed --result "upstream timed out" --task 1
task show 1
task show 1
chat "how do I raise the timeout of nginx?" --session ops
task done success "no 502 within an hour" --task 1
task start "nginx answers 504" --target nginx --session ops --trigger alert
task done failed "the disk was full" --task 2
task start "nginx is slow" --target nginx --session ops --trigger scheduled
task done partial "two workers more" --task 3
task start "renew the certificate" --target shop --session ops
task list
task list --status all
task drop 4
task delete 4 --yes
consolidate --target nginx
consolidate
episode list
episode search "502"
episode show e1 e11
episode history e11
episode target list
episode target rename nginx "nginx gateway"
episode edit e11 --tag web --outcome partial
episode pin e11
episode unpin e11
episode archive e11
episode restore e11
episode why e11
episode delete e12 --yes
episode fade --dry-run
knowledge list
knowledge search "nginx"
knowledge show k6
knowledge target list
knowledge target rename "nginx gateway" web
knowledge edit k6 --topic "502 from nginx" --point "look at the upstream first"
knowledge pin k6
knowledge unpin k6
knowledge archive k6
knowledge restore k6
knowledge history k6
knowledge why k6
knowledge delete k2 --yes

tool record --tool web_search --input '{"query": "nginx 502"}' --output "3 results" --seconds 0.8 --session ops --call c1
tool record --tool web_search --input nginx --output "Timeout: no answer" --failed --session ops --call c2
tool record --file calls.json --session ops
tool record < calls.json
tool show web_search
tool write web_search
tool write web_search
tool edit g4 --text "Search by three words."
tool pin g4
tool unpin g4
tool archive g4
tool restore g4
tool history g4
tool list
tool show web_search
chat "search nginx 502 with web_search" --session ops
context "nginx gives 502 in web_search"
context "which editor do I use?" --session desk
tool delete ripgrep --yes

action add LIKE --session desk --round 2
action add DISLIKE --session desk --round 3
action add CANCEL_LIKE --session desk --round 2
action add COLLECT_SESSION --session ops
action list
action show a1
then 1 h
extract
action list
memory add "I prefer answers in short steps" --type preference --tag style --pin
memory add "I prefer answers in short steps"
memory add "I use emacs"
memory show 1
memory show 1 2
memory search editor
memory edit 2 --content "请用中文回答技术问题，英文也可以" --type instruction --tag 偏好 --confidence 0.9 --weight 2.5
memory pin 2 3
memory unpin 2
memory archive 3 4
memory restore 3
memory duplicates
memory duplicates --keep 1 31
memory merge 2 3
memory undo
memory redo
memory undo
memory undo 47
memory history 2
memory why 1
memory delete 8 --yes
memory delete 7 --yes --proof
memory clean --dry-run
memory edit 4 --weight 0.1
memory clean
backup -o copy.db
backup
backup list
memory reindex
memory stats
memory export
session list
session list --limit 2
session show desk
session show trouble
session rename desk "The desk"
session export desk
session export desk trouble
session delete paste --yes
session delete piped --yes --proof
search nginx
search nginx --session desk
search "花生"
stats --cost
activity
activity --all
eval retrieval garden
eval retrieval
config prompts list
config prompts show memory_extractor
config prompts show summarizer --language zh
config prompts copy summarizer
config path
config init
config check
models
models --provider ollama
doctor
doctor --fix --dry-run
doctor --fix
restore copy.db --dry-run
restore copy.db --yes
episode fade
memory undo 1
memory list

memory add ''
memory show 99
memory edit 1
memory pin 99
memory pin seven
memory pin
memory accept 1
memory reject 99
memory never 99
memory merge 1 99
memory delete 1
memory undo 999
memory redo
memory duplicates --keep 1 99
memory list --status splendid
memory why 99
memory why e2
episode pin e99
episode pin k1
episode accept e1
episode reject e99
episode edit e1 --outcome splendid
episode delete e1
episode show e99
episode history e99
episode target rename nothing web
knowledge accept k99
knowledge delete k99 --yes
knowledge why k99
task start ''
task step 9 --status completed --task 1
task done splendid ok --task 1
task drop 1
task delete 99 --yes
task show w99
session show nosuch
session rename nosuch x
session rename desk ' '
session delete desk
session delete desk nosuch --yes
session export nosuch
session export desk --format markdown
search '*'
search x --session nosuch
context x --session nosuch
extract --session nosuch
extract --show 99
why 99
consolidate --frobnicate
action add LOVE --session desk
action add LIKE --session desk
action show a99
action show e1
tool record
tool record --tool x --file y
tool show shell
tool write shell
tool pin g99
tool pin k1
tool accept g1
tool reject g99
tool delete web_search
tool delete shell --yes
restore nosuch
restore copy.db
models --provider nosuch
chat "hello" --session ../x
chat "hello" --config closed.toml --session desk
chat "Which editor do I use?" --config priced.toml --session priced
chat "And why?" --config priced.toml --session priced
why --session priced
doctor --config wrong.toml
memory list --config wrong.toml
upkeep
action add COLLECT_TOOL --session desk --round 1 --tool web_search --call c1 --data '{"x": [1]}' --at 2026-01-02T03:04:05Z
action add EDIT_FILE --session desk --data '{"previous": "a, b, c", "current": "- a"}'
memory import mem0.json
memory list --pool info --limit 1
memory list --pool profile
memory list --profile other
memory add "The rent of my flat is 900 euros"
memory add "The rent of my flat is 950 euros"
memory duplicates
"""


ANSWERS = (
    stream(
        chunk(reasoning_content="It is in the notes."),
        chunk("You use neovim [m1], "),
        chunk("as you said [m99].", finish="stop", usage={"prompt_tokens": 120, "completion_tokens": 9}),
        DONE,
    ),
    refuses(401, {"error": {"message": "no such key"}}),
)
"""What the model of `priced.toml` says, one after the other."""


def write_files(folder: Path, address: str) -> None:
    """Put the files that the story names into the folder; the model of `priced.toml` is at the address."""
    chats = [conversation([message("assistant", "I live in Rome", "My cat is called Miro", recipient="bio")], "Moving")]
    (folder / "all.json").write_text(json.dumps(document(), ensure_ascii=False), "utf-8")
    (folder / "broken.json").write_text('{"orca_export": 1, "memories": [\n{"content": 7}]}')
    (folder / "chatgpt.zip").write_bytes(packed({"conversations.json": chats}))
    mem0 = [
        {"memory": "I play chess", "created_at": "2026-01-01T00:00:00Z"},
        {"memory": "I use neovim"},
        {"memory": ""},
    ]
    (folder / "mem0.json").write_text(json.dumps(mem0))
    (folder / "lines.txt").write_text("User has two sisters\nUser is left-handed\n")
    (folder / "material.txt").write_text("worker_processes 4;\nI am the author of this file.\n")
    calls = [{"tool": "web_search", "call_id": "c9", "output": "5 results"}, {"tool": 7}, "none"]
    (folder / "calls.json").write_text(json.dumps({"calls": calls}))
    (folder / "garden").symlink_to(SESSIONS / "garden")
    closed = 'provider = "closed"\n[closed]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\napi_key = "none"\n'
    (folder / "closed.toml").write_text(closed)
    (folder / "wrong.toml").write_text("[memory]\nmax_histroy = 3\n")
    agent = "[memory_agent]\nenabled = false\n"
    priced = (
        f'provider = "priced"\n[priced]\nbase_url = "{address}"\nmodel = "m"\napi_key = "none"\nprice_prompt = 2.0\n'
    )
    (folder / "priced.toml").write_text(priced + agent)
    for name in ("closed.toml", "priced.toml", "wrong.toml"):
        (folder / name).chmod(0o600)

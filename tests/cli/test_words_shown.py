"""What people read of each command, over one home that was worked in; what programs read stands in the golden files."""

from __future__ import annotations

import shlex

from fakes.terminal import OrcaHome

SHOWN = (
    ("task start 'nginx answers 502' --target nginx --session s", "started  w1  nginx answers 502"),
    ("task step 'raised the timeout' --task 1", "1 raised the timeout"),
    ("task done success 'works now' --task 1", "ended  w1  nginx answers 502"),
    ("task start 'nginx answers 504' --target nginx --session s", "orca memory undo 4 takes it back"),
    ("task done failed 'disk full' --task 2", "it became episode e2"),
    ("task start 'renew the certificate' --target nginx --session s", "started  w3"),
    ("task step 'asked for one' --task 3", "asked for one"),
    ("memory add 'I use neovim'", "I use neovim"),
    ("action add LIKE --session s --round 2", "a1  LIKE  session s, round 2"),
    ("tool record --tool web_search --input nginx --output '3 results' --session t --call c0", "recorded"),
    ("chat 'which editor do I use for nginx?' --session s", "I use neovim"),
    ("consolidate --target nginx", "k1"),
    ("tool write web_search", "g1"),
    ("memory add 'The rent is 900 euros'", "The rent is 900 euros"),
    ("memory add 'The rent is 950 euros'", "The rent is 950 euros"),
    ("memory pin 1", "pinned  #1  I use neovim"),
    ("memory import -", "waiting for you: 1 memory"),
    ("memory list", "1  1.5  active, pinned  fact    I use neovim"),
    ("memory list --pool candidates", "Uses a standing desk"),
    ("memory show 1", "weight: 1.5  core after 8 more used ones"),
    ("memory search neovim", "weight .01 new .05  active, pinned  I use neovim"),
    ("memory history 1", "you added  I use neovim"),
    ("memory why 1", "used  1.0→1.5  looked up by the model  which editor do I use for nginx?, round 1"),
    ("memory stats --cost", "status: 1 candidate, 3 active\ntype: 4 fact\ntasks: 1 in progress, 1 completed, 1 failed"),
    ("memory inbox", "held back: imported"),
    ("memory duplicates", "these may contradict each other:\n  #2  The rent is 900 euros"),
    ("memory undo", "took back ["),
    ("memory redo", "undid #4"),
    ("memory accept --all --dry-run", "1 candidate"),
    ("memory accept --all --yes", "accepted  #4  Uses a standing desk"),
    ("memory clean --dry-run", "nothing is to be cleaned"),
    ("memory never 4", "never again  #4  Uses a standing desk"),
    ("memory merge 2 3", "gave way to #2  #3  The rent is 950 euros"),
    ("memory reindex", "indexed anew"),
    ("stats", "status: 1 rejected, 1 archived, 2 active"),
    ("episode list", "active  failed"),
    ("episode search 502", "active  success"),
    ("episode show e1", "outcome: success  works now"),
    ("episode why e1", "looked up by the model  which editor do I use for nginx?, round 1"),
    ("episode why e2", "round 1"),
    ("episode history e1", "you ended a task  nginx answers 502"),
    ("episode edit e1 --summary well", "changed  e1  nginx answers 502"),
    ("episode fade --dry-run", "nothing is to be forgotten\nnext: e2  nginx answers 504: forgotten on"),
    ("episode target list", "nginx  2 episodes"),
    ("knowledge list", "k1  active  nginx  2  nginx"),
    ("knowledge search timeouts", "k1  active  nginx  2  nginx"),
    ("knowledge show k1", "made of  e1  nginx answers 502"),
    ("knowledge history k1", "memory agent learnt from episodes  nginx"),
    ("knowledge target rename nginx web", "nginx is web now: episodes 2, knowledge 1, tasks 3"),
    ("knowledge archive k1", "archived  k1  nginx"),
    ("tool list", "web_search  g1  1  1  -  -"),
    ("tool show web_search", "1 call: 1 succeeded"),
    ("tool history g1", "memory agent learnt from calls"),
    ("action list", "stands, waits to be read"),
    ("action show a1", "supports no memory"),
    ("task list", "w2  failed"),
    ("task show", "w3  renew the certificate\n    status: in progress"),
    ("session list", "which editor do I use for nginx?"),
    ("session show s", "1  you: which editor do I use for nginx?"),
    ("search nginx", "assistant  which editor do I use for nginx?"),
    ("search zebra", "No message holds all of these words."),
    ("context nginx", "## Relevant experience\n- [e2] failed: nginx answers 504"),
    ("context zebra", "Nothing is known for this."),
    ("why", "w3 What is being worked on in this chat: renew the certificate"),
    ("activity", "you: renamed a target #e1 #e2 #k1 #w1"),
    ("config check", "chat: the built-in demo\nembedding: local\nprofile: me"),
    ("upkeep", "indexing messages  done"),
    ("models", "no endpoint is in use"),
    ("eval retrieval", "There is nothing to ask."),
    ("extract --show 1", "knowledge · learnt\n  + k1"),
    ("episode delete e1 --yes", "deleted  e1  nginx answers 502"),
    ("memory delete 1 --yes", "deleted  #1"),
)
"""What is typed, and a part of what is said to it, in this order."""


def test_each_command_says_what_it_did(home: OrcaHome) -> None:
    for typed, said in SHOWN:
        ran = home.orca(*shlex.split(typed), stdin="- Uses a standing desk\n" if typed.endswith(" -") else "")

        assert (ran.status, said in ran.stdout + ran.stderr) == (0, True), (typed, said, ran)

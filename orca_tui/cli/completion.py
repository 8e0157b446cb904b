"""`orca completion`: what a shell needs to complete Orca's commands, options and the names of records.

A script hands the words over, one a line, and takes a candidate a line: what it is, the word, what is said of it, with
tabs between them. Only words reach the command line; a title is shown by zsh and fish and never read."""

from __future__ import annotations

from collections.abc import Mapping

import click

from orca_tui.cli import COMPLETION_VARIABLE
from orca_tui.cli.commands import command
from orca_tui.cli.runtime import Runtime, pass_runtime

NAMES = ("orca", "orca-chat")
"""What Orca is called."""

_BASH = """\
_orca_completion() {
    local kind word title
    COMPREPLY=()
    while IFS=$'\\t' read -r kind word title; do
        case $kind in
            file) compopt -o default 2>/dev/null; COMPREPLY=(); return 0 ;;
            dir) compopt -o dirnames 2>/dev/null; COMPREPLY=(); return 0 ;;
            plain) COMPREPLY+=("$word") ;;
        esac
    done < <(COMP_WORDS="$(printf '%s\\n' "${COMP_WORDS[@]}")" COMP_CWORD=$COMP_CWORD VARIABLE=bash_complete \
"$1" 2>/dev/null)
    return 0
}
complete -o nosort -F _orca_completion NAMES 2>/dev/null || complete -F _orca_completion NAMES
"""

_ZSH = """\
#compdef NAMES
_orca_completion() {
    local -a values titles
    local line kind word title
    for line in "${(@f)$(COMP_WORDS="${(F)words}" COMP_CWORD=$((CURRENT-1)) VARIABLE=zsh_complete \
"${words[1]}" 2>/dev/null)}"; do
        kind=${line%%$'\\t'*}; line=${line#*$'\\t'}
        word=${line%%$'\\t'*}; title=${line#*$'\\t'}
        case $kind in
            file) _files; return ;;
            dir) _files -/; return ;;
            plain) values+=("$word"); titles+=("$word${title:+  -- $title}") ;;
        esac
    done
    (( $#values )) && compadd -V orca -l -d titles -a values
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _orca_completion "$@"
else
    compdef _orca_completion NAMES
fi
"""

_FISH = """\
function _orca_completion
    set -l before (commandline -opc)
    set -l now (commandline -ct)
    set -l words (string join \\n -- $before $now | string collect)
    for line in (env VARIABLE=fish_complete COMP_WORDS="$words" COMP_CWORD=(count $before) $before[1] 2>/dev/null)
        set -l parts (string split -m 2 \\t -- $line)
        switch $parts[1]
            case file
                __fish_complete_path "$now"
            case dir
                __fish_complete_directories "$now"
            case plain
                printf '%s\\t%s\\n' $parts[2] "$parts[3]"
        end
    end
end
for name in NAMES
    complete --command $name --no-files --keep-order --arguments '(_orca_completion)'
end
"""

SCRIPTS: Mapping[str, str] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@command(examples=("orca completion zsh", "orca completion fish > orca.fish"))
@click.argument("shell", type=click.Choice(list(SCRIPTS)))
@pass_runtime
def completion(runtime: Runtime, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options, numbers of memories, tasks, episodes, knowledge, guides, acts and sessions, and
    names of tags, profiles, backups, prompts and providers; zsh and fish show titles.

    In .bashrc, or .zshrc behind compinit: eval "$(orca completion bash)", or zsh. In config.fish: orca completion
    fish | source"""
    script = SCRIPTS[shell].replace("VARIABLE", COMPLETION_VARIABLE).replace("NAMES", " ".join(NAMES))
    runtime.output.line(script)

"""Build the wheel, install it where nothing else is, and run Orca from there: every data file must be in it, and each
table of words be found by the rules."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


COUNT_WORDS = """
from orca_core import words
print(words.folders(), {table: len(words.lines(table)) for table in sorted(words.table_names())})
"""


def run(*command: str | Path, cwd: Path, home: Path | None = None) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("ORCA_", "PYTHON"))}
    if home is not None:
        environ["ORCA_HOME"] = str(home)
    done = subprocess.run(
        command, cwd=cwd, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", place, ROOT, cwd=ROOT)
        [wheel] = place.glob("*.whl")
        venv.create(place / "env", with_pip=True)
        python = place / "env" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=place)
        orca = place / "env" / "bin" / "orca"
        home = place / "home"
        found = run(python, "-c", COUNT_WORDS, cwd=place)
        if found != run(sys.executable, "-c", COUNT_WORDS, cwd=ROOT):
            sys.exit(f"the installed wheel lacks tables of words: {found}")
        print(run(orca, "--version", cwd=place, home=home).strip())
        run(orca, "config", "init", cwd=place, home=home)
        run(orca, "config", "check", cwd=place, home=home)
        run(orca, "chat", "记住：我写代码用 neovim", cwd=place, home=home)
        answer = run(orca, "chat", "我写代码用什么？", cwd=place, home=home)
        if "neovim" not in answer:
            sys.exit(f"the installed wheel does not remember: {answer!r}")
        run(orca, "doctor", cwd=place, home=home)
    print(f"{wheel.name}: installed, remembers")


if __name__ == "__main__":
    main()

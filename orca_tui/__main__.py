"""Where Orca starts: a signal has its answer before anything else is imported."""

from __future__ import annotations

import gc

from orca_tui.exit_on_signal import leave_at_once_on_signals


def main() -> None:
    """Run Orca with the arguments of this process."""
    leave_at_once_on_signals()
    gc.disable()  # what imports make stays
    from orca_tui.program import run_process  # a tenth of a second, in which Ctrl+C may come

    run_process()


if __name__ == "__main__":
    main()

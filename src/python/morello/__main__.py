"""Runs the program ``morello``: ``python -m morello --help``."""

import signal
import sys

from ._morello import run_program


def main() -> None:
    # The program handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_program(["morello", *sys.argv[1:]]))


if __name__ == "__main__":
    main()

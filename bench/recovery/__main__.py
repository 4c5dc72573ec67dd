"""`python -m bench.recovery [--keep DIR] [--only SESSION …] [--examples]`: a table per budget, ours beside the others.

`--keep` leaves transcripts, briefs and needs in DIR. `--examples` says what was missed at 1,200 tokens, and what was
given too much.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from bench.recovery import measure
from bench.recovery.sessions import SESSIONS


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.recovery")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", nargs="*", default=list(SESSIONS))
    parser.add_argument("--examples", action="store_true")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="perdure-recovery-"))
    try:
        played = [measure.played(name, folder / name) for name in asked.only]
        figures = measure.figures(played)
        print(measure.tables(figures))
        if asked.examples:
            print(measure.examples(played))
        if asked.keep:
            measure.keep(played, asked.keep)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Where the tests' data lies. README.md says where each part comes from, and under which licence."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent
CLAUDE = DATA / "clients" / "claude"
"""One payload a file, made by tests/clients/capture.py. `/PROJ` stands for the project, `/HOME` for the home."""

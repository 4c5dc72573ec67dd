"""The manual pages are ones that `man` can show (SPEC 17.7). That they are up to date, tests/test_docs.py tests."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from tools import pages


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_a_manual_page_is_formatted_without_a_warning() -> None:
    paths = sorted(map(str, pages.PAGES.glob("*.1")))
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", *paths], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    text = re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)
    for word in ("perdure task create", "--uncertainty", "EXIT STATUS", "perdure-status"):
        assert word in text

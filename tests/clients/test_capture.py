"""The payloads in tests/data/clients are those of the real client, and nothing of any machine is in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..data import CLAUDE
from .capture import UUID, captured
from .conftest import Stage

FILES = sorted(CLAUDE.glob("*.json"))


def fields(of: Any) -> Any:
    """Names and types, without the values. A list counts as a list: a subagent may still run or have ended."""
    if isinstance(of, dict):
        return {name: fields(part) for name, part in of.items()}
    return type(of).__name__


def test_the_client_sends_the_fields_that_the_stored_payloads_have(claude: Stage, tmp_path: Path) -> None:
    """When this fails the pinned client has changed: run `python -m tests.clients.capture` and read the difference."""
    stored = {path.name: fields(json.loads(path.read_text())) for path in FILES}
    assert {name: fields(payload) for name, payload in captured(claude, tmp_path).items()} == stored


def test_stored_payloads_name_no_path_and_no_id_of_a_machine() -> None:
    for path in FILES:
        text = path.read_text()
        assert all(found.startswith("00000000-0000-4000-8000-") for found in UUID.findall(text)), path
        paths = re.findall(r'"(/[^/"]*)', text)
        assert {*paths} <= {"/PROJ", "/HOME"}, (path, paths)
        assert not re.search(r"sk-ant|/tmp|/root|/home/|localhost|127\.0\.0\.1", text), path

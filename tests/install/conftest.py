"""The real client's stage, for what only it can show."""

from __future__ import annotations

from tests.clients.conftest import any_claude, claude

__all__ = ["any_claude", "claude"]

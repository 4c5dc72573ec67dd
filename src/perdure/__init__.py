"""Perdure records the work of an AI coding agent. Start reading at ARCHITECTURE.md."""

__version__ = "0.1.0"

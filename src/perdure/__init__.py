"""Perdure keeps the work of an AI coding agent whole. Start reading at ARCHITECTURE.md."""

__version__ = "0.1.0"

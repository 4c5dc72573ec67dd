"""Perdure over the Model Context Protocol, on the official SDK (SPEC 15). `tools.TOOLS` and `resources.RESOURCES` are
the whole of it; `schema` is the language they are written in, `server` and `http` carry them.

Loaded by `perdure mcp` and `perdure serve` only: the SDK takes most of a second.
"""

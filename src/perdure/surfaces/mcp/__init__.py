"""Perdure over the Model Context Protocol, with the official SDK (SPEC 15). `tools.TOOLS` and `resources.RESOURCES`
list everything that is offered; `schema` describes inputs and outputs; `server` and `http` serve them.

Only `perdure mcp` and `perdure serve` load this: importing the SDK takes most of a second.
"""

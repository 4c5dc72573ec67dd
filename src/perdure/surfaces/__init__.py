"""The ways to use Perdure: command line, hooks, status line, MCP. A surface parses its input, calls one action, and
renders the result: no rules, no SQL."""

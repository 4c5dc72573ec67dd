"""The command line. `COMMANDS` lists all of it. Each command's module is imported only when the command is called,
because imports cost time (SPEC 18)."""

from __future__ import annotations

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "make this repository a project; install for its clients"),
    "uninstall": ("uninstall", "remove Perdure from the clients' settings"),
    "status": ("status", "show the state of everything here on one page"),
    "where": ("where", "show which project, instance, session and transaction this is, and why"),
    "preflight": ("transitions", "open a transaction with a self-assessment"),
    "check": ("transitions", "ask whether the work may proceed"),
    "postflight": ("transitions", "close the transaction with a self-assessment"),
    "transaction": ("transaction", "status, list, show, adopt, override, close"),
    "hook": ("hook", "handle an event of a client (clients run this)"),
    "gate": ("gate", "explain what a command would do and whether it may run here"),
    "session": ("session", "start, end, list, show"),
    "project": ("project", "list, show, switch, forget"),
    "goal": ("goal", "create, list, done"),
    "task": ("task", "create, list, ready, show, update, close, dep, import, export, diff"),
    "decide": ("decide", "record a decision and its reason"),
    "fork": ("fork", "check, list, resolve: decisions or texts that contradict the ledger"),
    "claim": ("claim", "add, absent, list, check: what is said about the code, and whether it holds"),
    "contract": ("contract", "set, show, clear: what counts as done, and which evidence must show it"),
    "run": ("run", "run a command and keep what it proved"),
    "checkpoint": ("checkpoint", "look whether everything is written down that the next context needs"),
    "compaction": ("compaction", "show, preview: what a compaction kept, altered and lost"),
    "note": ("note", "record a finding, question, blocker, next step, …"),
    "finding": ("note", "short for note finding"),
    "notes": ("notes", "show, write, diff, take: NOTES.md, and what people wrote into it"),
    "handoff": ("handoff", "write, show, list, verify: what a session leaves to the next one"),
    "recover": ("recover", "print what the next session must know, within a token budget"),
    "transcript": ("transcript", "show or adopt a client's own transcript"),
    "mcp": ("mcp", "serve the tools to an MCP client that starts this command"),
    "serve": ("serve", "serve the tools over HTTP, on this machine"),
    "audit": ("audit", "record thoughts, seal them, prove that nothing was altered"),
    "calibration": ("calibration", "show how far self-assessments were from the evidence"),
    "doctor": ("doctor", "prove that the guard works in every client here"),
    "heal": ("heal", "rebuild what is missing or damaged; --check changes nothing"),
    "export": ("transfer", "write the ledger as lines of JSON"),
    "import": ("transfer", "import another machine's ledger of this project"),
    "redact": ("transfer", "erase an event's payload; the chain stays whole"),
    "config": ("config", "show, set and unset settings"),
    "completion": ("completion", "print shell completion for bash, zsh and fish"),
    "demo": ("demo", "show what Perdure does, in a temporary folder, in seconds"),
}
"""Name → (module, what it does in a few words)."""

ALIASES: dict[str, tuple[str, ...]] = {
    "preflight-submit": ("preflight",),
    "check-submit": ("check",),
    "postflight-submit": ("postflight",),
    "transaction-status": ("transaction", "status"),
    "transaction-close": ("transaction", "close"),
    "session-create": ("session", "start"),
    "project-switch": ("project", "switch"),
    "goals-create": ("goal", "create"),
}
"""Names that earlier tools gave these commands (SPEC 17.1)."""

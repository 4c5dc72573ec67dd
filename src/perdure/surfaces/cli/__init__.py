"""The command line. `COMMANDS` is the whole of it; each command's module is imported only when it is called, since a
person waits for every import (SPEC 18)."""

from __future__ import annotations

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "make this repository a project; install for its clients"),
    "uninstall": ("uninstall", "take Perdure out of the clients' settings again"),
    "status": ("status", "one page: the state of everything here"),
    "where": ("where", "which project, instance, session and transaction this is, and why"),
    "preflight": ("transitions", "open a transaction with a self-assessment"),
    "check": ("transitions", "ask whether the work may proceed"),
    "postflight": ("transitions", "close the transaction with a self-assessment"),
    "transaction": ("transaction", "status, list, show, adopt, override, close"),
    "hook": ("hook", "what a client runs on its events"),
    "gate": ("gate", "explain what a command would do, and whether it may run here"),
    "session": ("session", "start, end, list, show"),
    "project": ("project", "list, show, switch, forget"),
    "goal": ("goal", "create, list, done"),
    "task": ("task", "create, list, ready, show, update, close, dep"),
    "decide": ("decide", "record a decision and its reason"),
    "note": ("note", "keep a finding, question, blocker, next step, …"),
    "finding": ("note", "short for: note finding"),
    "recover": ("recover", "a brief of what matters next, within a budget of tokens"),
    "transcript": ("transcript", "show, adopt a client's own transcript"),
    "mcp": ("mcp", "serve the tools to a client that starts its servers itself"),
    "serve": ("serve", "serve the tools over HTTP, on this machine"),
    "audit": ("audit", "thought records, the roots that seal them, proofs that nothing was altered"),
    "calibration": ("calibration", "how far self-assessments were from the evidence"),
    "doctor": ("doctor", "prove that the guard works in every client here"),
    "heal": ("heal", "rebuild what is missing or damaged; --check only looks"),
    "export": ("transfer", "the ledger as lines of JSON"),
    "import": ("transfer", "take in another machine's ledger of this project"),
    "redact": ("transfer", "erase an event's payload; the chain stays whole"),
    "config": ("config", "show, set, unset settings and where they come from"),
    "completion": ("completion", "shell completion for bash, zsh and fish"),
    "demo": ("demo", "a whole life in a temporary folder, in seconds"),
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
"""The seeds' names (SPEC 17.1)."""

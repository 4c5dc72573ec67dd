"""Where others talk to Perdure. A surface parses, calls one action, and renders what it returns: no rules, no SQL."""

"""Rehearsal: a real client plays a written script, with no account and no network. It shows that hooks fire.

`messages` is the model that follows the script; `claude_code` runs the client against it. `perdure doctor` and the
tests use the same two. A scripted model proves wiring, never what a model will do.
"""

"""What an agent is taught: the few commands it needs, and what a denial means. The client reads it when needed."""

from __future__ import annotations

from perdure.install.signed import signed

NAME = "perdure/SKILL.md"
_TEXT = """\
---
name: perdure
description: How to work in a project that Perdure guards. For a first change, a denied tool call, a decision, the end.
---

# Perdure

Perdure keeps this project's work whole. Before anything is changed, a transaction is open and says what you know.

Open one, once you have read enough to know what you are doing:

    perdure preflight --know 0.8 --uncertainty 0.2 --because 'read parser.py and its tests'

The numbers are your own, from 0 to 1; be honest, they are set against the evidence later. If the answer is
`investigate`, read on, then ask again:

    perdure check --know 0.85 --uncertainty 0.1 --because 'the failing test is understood'

Close it when the work is done, or when you stop:

    perdure postflight --know 0.9 --uncertainty 0.1 --completion 1.0 --because 'all tests pass'

Keep what the next session must know, at the moment it happens:

    perdure decide 'use WAL' --because 'readers never wait'
    perdure note next 'add the retry test'
    perdure note question 'may we drop 3.10?'
    perdure note failed 'mmap: the file is on a network disk'
    perdure note reasoning 'parser done; the cache is next'

Look where you are:

    perdure status
    perdure where

- A denial is not an error. Its text says what was seen and names the one command that clears it: run that command, then
  try again. Reading and searching are never denied.
- Some permission rules refuse JSON in a heredoc. Flags as above pass, and so does a pipe:

    echo '{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read it"}' | perdure preflight -

- A subagent works in its parent's transaction. It neither opens nor closes one.
- Perdure's own files (`.perdure`, its hooks and settings) are for people. Do not edit them.

"""


def text() -> str:
    return signed(_TEXT, "<!-- {} -->")

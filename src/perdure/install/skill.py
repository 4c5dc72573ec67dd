"""The skill that teaches an agent the few commands it needs, and what a denial means. The client reads it when
needed."""

from __future__ import annotations

from perdure.install.digest_line import with_digest_line

NAME = "perdure/SKILL.md"
_TEXT = """\
---
name: perdure
description: How to work in a project that Perdure guards. For the first change, a denied call, a decision, the end.
---

# Perdure

Perdure records the work in this project. You can change things only while you have an open transaction.

Open one when you have read enough to know what you are doing:

    perdure preflight --know K --uncertainty U --because 'what you have read, what you will do'

K and U are your own numbers, from 0.0 to 1.0. Be honest: they are compared with the evidence later. If the answer is
`investigate`, learn more: read, search, note what you found, ask the person. A higher number alone changes nothing, and
neither does a new transaction. Then ask again:

    perdure check --know K --uncertainty U --because 'what you have learned since'

Close it when the work is done, or when you stop:

    perdure postflight --know K --uncertainty U --completion C --because 'what is done, what the tests say'

Record what the next session must know when it happens:

    perdure decide 'use WAL' --because 'readers never wait'
    perdure note next 'add the retry test'
    perdure note question 'may we drop 3.10?'
    perdure note failed 'mmap: the file is on a network disk'
    perdure note reasoning 'parser done; the cache is next'

See where you are:

    perdure status
    perdure where

- A denial is not an error. Its text says what the call would do and names the one command that clears it: run that
  command, then try again. Reading and searching are never denied.
- Some permission rules refuse JSON in a heredoc. Use flags as above, or a pipe:

    echo '{"vectors": {"know": K, "uncertainty": U}, "reasoning": "…"}' | perdure preflight -

- A subagent works in its parent's transaction. It may not open or close one.
- Perdure's own files (`.perdure`, its hooks and settings) are for people. Do not edit them.

"""


def text() -> str:
    return with_digest_line(_TEXT, "<!-- {} -->")

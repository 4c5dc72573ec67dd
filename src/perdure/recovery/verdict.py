"""Whether a command went wrong: by what the client says of it, and by what it printed where its exit code is that of
something else."""

from __future__ import annotations

import re

from perdure.recovery import commands, outcome

_FOR_FAILURES = re.compile(r"(?i)(?<!-v )[\"' |(](?:---\s*)?(?:fail|error)")


def went_wrong(command: str, output: str, failed: bool) -> bool | None:
    """None where nobody can tell, or where it matters to nobody: a search that found nothing, a run of no test."""
    is_check = commands.is_check(command)
    if failed:
        return _is_a_failure(command, output, is_check)
    if not commands.hides_its_end(command):
        return None if is_check and outcome.ran_nothing(output) else False
    instead = commands.said_instead(command)
    said_so = bool(instead) and output.rstrip().endswith(instead)
    if is_check and (said_so or outcome.says_it_failed(output) or outcome.ended_badly(output)):
        return True
    if not commands.only_looks(command) and outcome.plainly_failed(output):
        return True
    silent = is_check and (commands.tells_nothing(command) or outcome.is_a_number(output))
    return None if silent or (is_check and outcome.ran_nothing(output)) else False


def _is_a_failure(command: str, output: str, is_check: bool) -> bool | None:
    if outcome.got_nowhere(output):
        return None
    search = commands.searched_for(command) if is_check else ""
    if search and not outcome.says_it_failed(output):
        return False if _FOR_FAILURES.search(search) else None
    if not is_check and commands.only_looks(command) and not outcome.complains(output):
        return None
    return True

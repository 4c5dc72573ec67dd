"""Decides whether a command failed: by what the client says, and by what the command printed if its exit code belongs
to something else, such as `| tail`."""

from __future__ import annotations

import re

from perdure.recovery import command_output, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.recovery.simple_commands import SimpleCommand

_FAILURE_WORD = re.compile(r"(?i)(?:\A|[\"' |(])(?:---\s*)?(?:fail|error)")


def went_wrong(command: str, output: str, failed: bool) -> bool | None:
    """None if that is unknown or does not matter: a search that found nothing, a test run without tests."""
    is_check = commands.is_check(command)
    if failed:
        return _is_a_failure(command, output, is_check)
    if not commands.hides_exit_code(command):
        return None if is_check and command_output.ran_nothing(output) else False
    if is_check:
        return _what_a_check_says(command, output)
    return command_output.plainly_failed(output) and not commands.only_looks(command)


def is_known_to_pass(command: str, output: str) -> bool:
    """Whether a check that did not fail, as far as is seen, passed: by its exit code or by what it reports."""
    return not commands.hides_exit_code(command) or command_output.reports_well(output)


def _what_a_check_says(command: str, output: str) -> bool | None:
    """Whether a check failed, judged by its output, because its exit code belongs to something else."""
    message = commands.failure_message(command)
    if message and output.rstrip().endswith(message):
        return True
    if (
        command_output.says_it_failed(output)
        or command_output.ended_badly(output)
        or command_output.plainly_failed(output)
    ):
        return True
    silent = commands.hides_outcome(command) or command_output.is_a_number(output) or command_output.ran_nothing(output)
    return None if silent else False


def _is_a_failure(command: str, output: str, is_check: bool) -> bool | None:
    if command_output.got_nowhere(output) or commands.only_looks_elsewhere(command):
        return None
    if command_output.was_stopped(output) and not command_output.says_it_failed(output):
        return None
    search = commands.final_search(command) if is_check else None
    if search and not command_output.says_it_failed(output):
        return False if _searches_for_failures(search) else None
    if not is_check and commands.only_looks(command) and not command_output.complains(output):
        return None
    return True


def _searches_for_failures(search: SimpleCommand) -> bool:
    """`grep FAIL` does; `grep -v FAIL` searches for everything else."""
    options = [word for word in search.words if word[:1] == "-" and word[:2] != "--"]
    inverted = "--invert-match" in search.words or any("v" in option for option in options)
    return not inverted and any(_FAILURE_WORD.search(word) for word in search.words[1:])

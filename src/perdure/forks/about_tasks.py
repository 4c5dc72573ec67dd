"""Finds what a text states about tasks: status, priority and assignee, beside the task's id."""

from __future__ import annotations

import re

from perdure.forks.known import TASK, Contradiction
from perdure.forks.lines import objects_in
from perdure.forks.vocabulary import STATUSES
from perdure.model.ids import SHORT, is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.forks.known import KnownTask
    from perdure.forks.lines import Line
    from perdure.model.json import Json

_TOKEN = re.compile(r"[A-Za-z0-9][\w.-]*")
_NAMES = "|".join(re.escape(name) for name in sorted(STATUSES, key=len, reverse=True))
_STATUS = re.compile(
    rf"[\s*_`)\]]*(?:\([^()]*\)\s*)?(?:has\s+)?(?:status\s*[:=]?|is(?:\s+(?:now|still|currently|already))?|[:=→—–-])"
    rf"[\s*_`]*(?:status\s*[:=]\s*)?({_NAMES})(?=[\s*_`]*(?:\Z|[,.;)|(]|\b(?:and|now|because|since)\b))",
    re.I,
)
_STATUS_ALONE = re.compile(
    rf"[\s*_`]*[(\[](?:status\s*[:=]\s*)?(?:(?:is|now|still|currently|already)\s+)*({_NAMES})\s*[,;)\]]", re.I
)
"""In brackets behind the task's id."""
_PRIORITY = re.compile(r"\bpriority\s*[:=]?\s*P?([0-4])\b|\(P([0-4])\)", re.I)
_ASSIGNEE = re.compile(r"\b(?:assignee\s*[:=]|assigned\s+to)\s*[`\"'@]*([\w.@-]+)", re.I)
_CHECKED = re.compile(r"\s*[-*+]\s+\[[xX]\]\s+[`*_]*\Z")
_QUOTE = 200


class Tasks:
    def __init__(self, tasks: Iterable[KnownTask]) -> None:
        self._by_name: dict[str, KnownTask] = {}
        for each in tasks:
            self._by_name[each.id.casefold()] = each
            if is_uuid(each.id):
                self._by_name[each.id[:SHORT].casefold()] = each

    def in_line(self, line: Line) -> Iterator[Contradiction]:
        yield from self._in_cells(line)
        for clause in line.clauses:
            named = list(self._named(clause))
            for task, start, end in named:
                for field, stated in _stated(clause, start, end, alone=len(named) == 1):
                    yield from _compared(task, field, stated, number=line.number, quote=line.text)

    def in_json(self, number: int, content: Json) -> Iterator[Contradiction]:
        for _, each in objects_in(content):
            id = each.get("id") or each.get("task_id")
            task = self._by_name.get(id.casefold()) if isinstance(id, str) else None
            for field in ("status", "priority", "assignee"):
                stated = each.get(field)
                if task and isinstance(stated, str | int) and not isinstance(stated, bool):
                    quote = f"{task.id}: {field} {stated}"
                    yield from _compared(task, field, str(stated), number=number, quote=quote)

    def _in_cells(self, line: Line) -> Iterator[Contradiction]:
        task = next((found for cell in line.cells if (found := self._by_name.get(cell.casefold()))), None)
        if task:
            for cell in line.cells:
                if cell.casefold() in STATUSES:
                    yield from _compared(task, "status", cell, number=line.number, quote=line.text)

    def _named(self, clause: str) -> Iterator[tuple[KnownTask, int, int]]:
        for token in _TOKEN.finditer(clause):
            name = token[0].rstrip(".-_")
            task = self._by_name.get(name.casefold())
            if task:
                yield task, token.start(), token.start() + len(name)


def _stated(clause: str, start: int, end: int, *, alone: bool) -> Iterator[tuple[str, str]]:
    status = _STATUS_ALONE.match(clause, end) or _STATUS.match(clause, end)
    if status:
        yield "status", status[1]
    elif _CHECKED.match(clause[:start]):
        yield "status", "closed"
    if alone:
        priority, assignee = _PRIORITY.search(clause), _ASSIGNEE.search(clause)
        if priority:
            yield "priority", priority[1] or priority[2]
        if assignee:
            yield "assignee", assignee[1].rstrip(".")


def _compared(task: KnownTask, field: str, stated: str, *, number: int, quote: str) -> Iterator[Contradiction]:
    ledger = task.fields.get(field)
    meant = STATUSES.get(stated.casefold(), "") if field == "status" else stated.casefold().lstrip("p")
    if field == "assignee":
        meant = stated.casefold()
    if not ledger or not meant or meant == ledger.casefold():
        return
    yield Contradiction(
        about=TASK,
        subject=task.id,
        field=field,
        stated=meant if field == "status" else stated,
        ledger=ledger,
        decision_id="",
        line=number,
        quote=quote.strip()[:_QUOTE],
    )

"""Appending through the public action, masking, state and all, beside raw sqlite3 doing one insert a transaction."""

from __future__ import annotations

import os
import sqlite3
from hashlib import sha256

from bench.measure import Row, in_turns, median_ratio, seconds
from bench.projects import PAYLOAD_BYTES, TEXT, desk_in_transaction, new_project
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk

COUNT = 1500
ROUNDS = 9


class RawSqlite:
    """The baseline: WAL, synchronous FULL, one 500-byte chained insert a transaction, nothing else."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, payload TEXT, prev TEXT, hash TEXT)")
        self._hash = "0" * 64
        self._payload = "x" * PAYLOAD_BYTES

    def append(self) -> None:
        before = self._hash
        self._hash = sha256((before + self._payload).encode()).hexdigest()
        self._db.execute("INSERT INTO events VALUES (NULL, ?, ?, ?)", (self._payload, before, self._hash))


def rate(append: object, count: int = COUNT) -> float:
    def work() -> None:
        for _ in range(count):
            append()  # type: ignore[operator]

    return count / seconds(work)


def against_raw(folder: str) -> list[Row]:
    raw = RawSqlite(os.path.join(folder, "raw.db"))
    with desk_in_transaction(new_project(os.path.join(folder, "small"))) as desk:
        figures = in_turns({"ours": lambda: rate(lambda: _note(desk)), "raw": lambda: rate(raw.append)}, ROUNDS)
    ours, theirs = sorted(figures["ours"])[ROUNDS // 2], sorted(figures["raw"])[ROUNDS // 2]
    ratio = median_ratio(figures["ours"], figures["raw"])
    return [
        Row(
            what="durable append, 500-byte payload",
            ours=f"{ours:,.0f}/s",
            baseline=f"raw sqlite3 {theirs:,.0f}/s",
            ratio=ratio,
            bar="≥ 0.80",
            passes=ratio >= 0.8,
        )
    ]


def against_length(short_request: Request, long_request: Request, long: int) -> list[Row]:
    with open_desk(short_request) as short, open_desk(long_request) as full:
        figures = in_turns(
            {"long": lambda: rate(lambda: _note(full)), "short": lambda: rate(lambda: _note(short))}, ROUNDS
        )
    ratio = median_ratio(figures["long"], figures["short"])
    ours, theirs = sorted(figures["long"])[ROUNDS // 2], sorted(figures["short"])[ROUNDS // 2]
    return [
        Row(
            what=f"append at {long:,} events against 1,000",
            ours=f"{ours:,.0f}/s",
            baseline=f"{theirs:,.0f}/s",
            ratio=ratio,
            bar="≥ 0.90",
            passes=ratio >= 0.9,
        )
    ]


def _note(desk: Desk) -> None:
    notes.add(desk, "finding", TEXT)

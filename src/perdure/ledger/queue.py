"""Writers of one store, one after another in the order in which they came (SPEC 18: 64 at once, none refused).

SQLite gives its lock to whoever asks at the right moment, and those who wait ask ever more rarely: with many writers
some wait for many seconds and are refused. So writers first queue for a lock of their own on a file beside the store,
which the kernel hands on in order. It only orders them; what keeps the store sound is SQLite's lock. Whoever does not
get its turn in time, behind a process that was stopped, or cannot make the file, asks SQLite all the same.

    with Queue(path): ...
"""

from __future__ import annotations

import fcntl
import os

_PATIENCE = 20.0


class Queue:
    def __init__(self, path: str) -> None:
        self._path = path + "-queue"
        self._descriptor = -1

    def __enter__(self) -> None:
        try:
            if self._descriptor < 0:
                self._descriptor = self._opened()
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait()
        except OSError:
            return  # no file can be made here, or no lock taken

    def _opened(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)

    def _wait(self) -> None:
        """In a thread, since the kernel knows no bound for this wait. A turn that comes too late is passed on."""
        from threading import Lock, Thread

        descriptor, turn = self._descriptor, Lock()
        is_over = False

        def wait() -> None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            with turn:
                if is_over:
                    os.close(descriptor)

        waiting = Thread(target=wait, daemon=True)
        waiting.start()
        waiting.join(_PATIENCE)
        with turn:
            is_over = waiting.is_alive()
        if is_over:
            self._descriptor = -1  # the thread closes the one it waits with

    def __exit__(self, *_: object) -> None:
        if self._descriptor >= 0:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

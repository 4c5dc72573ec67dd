"""Files that we write as a whole end with a line that says so and holds a digest of the rest. It shows whether a person
has edited the file since. An edited file is theirs: it is left alone, and we say so.

    is_untouched(with_digest_line("#!/bin/sh\n…", "# {}")) is True
"""

from __future__ import annotations

import re

from perdure.model.digest import sha256

_DIGEST_LINE = re.compile(r"^[^\n]*written by perdure init, ([0-9a-f]{16})[^\n]*\n\Z", re.MULTILINE)


def with_digest_line(text: str, comment: str) -> str:
    return text + comment.format(f"written by perdure init, {_digest(text)}; once you edit it, it is yours") + "\n"


def is_untouched(text: str) -> bool:
    found = _DIGEST_LINE.search(text)
    return found is not None and found[1] == _digest(text[: found.start()])


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]

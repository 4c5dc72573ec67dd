"""Signs files that we write as a whole. Their last line says so and holds a digest of the rest, which shows whether a
person has edited the file since. An edited file is theirs: it is left alone, and we say so.

    is_untouched(signed("#!/bin/sh\n…", "# {}")) is True
"""

from __future__ import annotations

import re

from perdure.model.digest import sha256

_SIGNATURE = re.compile(r"^[^\n]*written by perdure init, ([0-9a-f]{16})[^\n]*\n\Z", re.MULTILINE)


def signed(text: str, comment: str) -> str:
    return text + comment.format(f"written by perdure init, {_digest(text)}; once you edit it, it is yours") + "\n"


def is_untouched(text: str) -> bool:
    found = _SIGNATURE.search(text)
    return found is not None and found[1] == _digest(text[: found.start()])


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]

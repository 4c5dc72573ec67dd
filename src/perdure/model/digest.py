"""SHA-256, SHA-1 and BLAKE2b without OpenSSL: loading it costs every process 5 ms (docs/adr/0003).

The interpreter has the same algorithms as small modules of its own. Where it lacks them, `hashlib` is used.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha1, sha256
else:
    try:
        from _blake2 import blake2b

        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256  # to look for the other name first would search every folder of modules
    except ImportError:
        from hashlib import blake2b, sha256

    def __getattr__(name: str) -> object:
        """Loads SHA-1 when it is asked for: only new ids are made of it."""
        if name != "sha1":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from _sha1 import sha1
        except ImportError:
            from hashlib import sha1
        return sha1


__all__ = ["blake2b", "sha1", "sha256"]

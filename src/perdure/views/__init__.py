"""Files that are derived from the ledger for somebody to read, and read back for healing (SPEC 2.1).

Views take values and write files; they do not open a ledger. Any of them can be deleted: `perdure heal` writes it
again, byte for byte.
"""

"""What is derived from the ledger and written for somebody to read, and read back for healing (SPEC 2.1).

Views take values and write files; they know no ledger. Any of them can be deleted: `perdure heal` writes it again,
byte for byte.
"""

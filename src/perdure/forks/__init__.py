"""Does a text state something else than the ledger? Statements about keys, decisions and tasks (SPEC 7.4). Pure."""

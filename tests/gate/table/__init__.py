"""Commands and their true effects, written from the programs' manuals, not from the rules that are tested with them."""

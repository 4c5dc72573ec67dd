"""Does the code still say so? Citations, quotes, symbols, and what became of them (SPEC 8). Pure."""

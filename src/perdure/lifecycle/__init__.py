"""What survives a compaction and the end of a turn: is a fact kept in a summary (SPEC 11), what did tests report, what
does a contract lack (SPEC 10.6)? Pure."""

"""What survives a compaction, a clear, a crash and a stop (SPEC 10, 11). Pure."""

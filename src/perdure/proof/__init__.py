"""Was it altered? Canonical bytes and the hash chain over them. Pure."""

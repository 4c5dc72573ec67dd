"""The append-only record of a project, and the state kept current with it. The only room with SQL in it."""

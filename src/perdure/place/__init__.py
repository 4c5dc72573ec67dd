"""Finds the project, instance and session that a command belongs to; no other room does (SPEC 3). Start at
`resolve.resolve`."""

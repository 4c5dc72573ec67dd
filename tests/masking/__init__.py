"""Masking: what must be masked, what must not, and in what time."""

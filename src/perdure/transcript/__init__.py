"""Reads a client's own transcript as typed events, one by one, however long it is (SPEC 12.3). Pure: lines in, values
out.

Each client has one module here. A line that cannot be read is counted and skipped.
"""

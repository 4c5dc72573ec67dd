"""A client's own transcript → typed events, one by one, however long it is (SPEC 12.3). Pure: lines in, values out.

A reader is one module per client; `READERS` names them. What it cannot read it counts and passes over.
"""

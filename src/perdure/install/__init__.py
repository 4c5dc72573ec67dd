"""Perdure in the clients of a machine: what is put into a person's settings, and how it is taken out again (SPEC 6.1).

A client is one module with the verbs of `base.Client` and one line in `clients.py`. A plan is made from what stands on
the disk and changes nothing; carrying it out writes whole files. Nothing of a person's is lost: edits to their files
leave every other byte as it is.
"""

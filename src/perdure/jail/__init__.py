"""The jail: a command that runs in it can read, but changes nothing outside scratch, whatever it is (SPEC 5.8).

`scratch.py` says which parts of the temporary folders can be given, `plan.py` what a kernel can hold, `filter.py` which
system calls are refused, `seatbelt.py` the same for macOS: all four are pure. `confine.py` carries a plan out.
"""

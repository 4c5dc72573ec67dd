"""The doctor: it proves that the guard works, in every client found, and says what is wrong and its fix (SPEC 6.4).

It changes nothing: what must be tried is tried in throw-away projects, with homes of their own.

    report = examine(Request(cwd=os.getcwd(), environment=os.environ), Wish(), steps)
    report.guards_live, report.findings
"""

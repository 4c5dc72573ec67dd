"""The doctor: proves that the guard works in every client found, and says what is wrong and how to fix it (SPEC 6.4).

It changes nothing: trials run in throw-away projects with their own homes.

    report = examine(Request(cwd=os.getcwd(), environment=os.environ), ExamineOptions(), steps)
    report.guards_live, report.findings
"""

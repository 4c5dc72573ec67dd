"""The file in which beads keeps its tasks, `.beads/issues.jsonl`: one JSON object a line (SPEC 7.2).

Pure: text and values in, text and values out. `issue.py` reads what one line says of a task, `lines.py` splits and
edits the file's text, `merging.py` compares what the file says with what the ledger says.
"""

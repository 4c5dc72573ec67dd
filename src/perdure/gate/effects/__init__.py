"""Analyses what a command would do. `analysis.analyse` is the entry point; cards and judges cover single programs."""

"""Analyses what a command would do. `analysis.analyse` is the entry point; `judge_by_card` judges a single program, and
`judge_by_code` does where a card cannot express what it does."""

"""A command → what it would do. `analysis.analyse` is the door; cards and judges say what single programs do."""

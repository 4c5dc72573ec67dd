"""What a brief from a transcript is worth: scripted work, played by the real client, and what was needed afterwards.

The sessions are our own, so that a figure here is a floor to hold, not the bar: that is measured on other people's.
"""

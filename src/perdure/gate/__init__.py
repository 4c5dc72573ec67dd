"""May this run? The one room that answers (SPEC 5): pure, values in, values out.

shell/      text → syntax tree → what each word can be
programs/   what is known about programs, one card each
effects/    a command → what it would do
tools       a client's tool call → what it would do
policy      an effect and a state → pass, or deny with the way out
"""

"""Decides whether a command or a tool call may run (SPEC 5). It is pure: values in, values out.

shell/      text → syntax tree → what each word can become
languages/  the scripts of sed and awk → what they would write
programs/   what is known about programs, one card each
effects/    a command → what it would do
tools       a client's tool call → what it would do
world       what the gate may know of the place it judges for: folders, files, the disk
policy      an effect and the state of the work → pass, or deny and say how to clear the denial
"""

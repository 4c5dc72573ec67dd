"""Shell text → syntax tree → the values its words can take. Nothing here knows what a program does."""

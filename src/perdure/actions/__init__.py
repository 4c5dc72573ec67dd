"""What a person or an agent can do, one verb each. Surfaces parse, call one of these, and render what it returns."""

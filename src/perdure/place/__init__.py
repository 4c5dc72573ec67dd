"""Which project, instance, session? The only room that answers (SPEC 3). `resolve.resolve` is the one function."""

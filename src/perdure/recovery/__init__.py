"""What must the agent know now? Pure: values in, text out (SPEC 2.5, 12)."""

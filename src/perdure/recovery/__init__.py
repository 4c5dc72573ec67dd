"""Makes the brief: what an agent must know now to continue. Pure: values in, text out (SPEC 2.5, 12)."""

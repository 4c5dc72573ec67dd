"""What `make bench` runs: figures beside their baselines, measured in one run, since machines are noisy (SPEC 18)."""

"""What a test run reported: reads the reports of test programs into counts (SPEC 10.6). Pure."""

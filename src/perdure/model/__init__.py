"""The values that the work consists of: events, and the state they fold into. Pure; imports nothing but `errors`."""

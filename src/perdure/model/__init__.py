"""What the work is made of: events, and the state they fold into. Pure values; imports nothing but `errors`."""

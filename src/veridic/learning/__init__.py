"""What earlier runs teach: lessons, and the gates that an answer passes before it is learned."""

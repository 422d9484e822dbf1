"""Access control and limits."""

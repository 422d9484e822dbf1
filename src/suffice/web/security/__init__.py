"""Who may do what, from where, and how much of it."""

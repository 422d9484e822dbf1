"""What columns say together, beside what each says alone: scores of many kinds, weighed against each other."""

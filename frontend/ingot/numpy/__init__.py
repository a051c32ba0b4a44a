"""What each NumPy function means, by family; `table` puts the families together."""

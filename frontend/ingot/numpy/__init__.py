"""The handlers of NumPy functions, one module per family; `table` collects them."""

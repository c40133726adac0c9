"""The numba engine: kernels on one table record, and loops over batches of them."""

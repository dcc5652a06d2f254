"""The public functions: they put the parts together, and are the only place that knows all of them."""

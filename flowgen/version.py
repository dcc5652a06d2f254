"""Which flowgen this is: the only place that says so."""

__version__ = "1.0.0.dev0"

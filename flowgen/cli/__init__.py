"""The command line. Each command loads what it needs when it is called."""

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    from ._main import run

    run()

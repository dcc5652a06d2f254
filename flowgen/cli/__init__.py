"""The command line. Each command loads what it needs when it is called."""

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    import sys

    if sys.argv[1:2] == ["tap"]:
        from ._tap_quick import quick

        quick(sys.argv[1:])
    from ._main import run

    run()

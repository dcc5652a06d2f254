"""`python -m flowgen` is the command `flowgen`."""

from flowgen.cli import main

if __name__ == "__main__":
    main()

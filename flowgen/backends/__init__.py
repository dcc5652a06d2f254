"""From a Scene or a Flow to a file."""

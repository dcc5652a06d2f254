"""From a Flow to a Scene: sized shapes at places, with style names."""

"""A recording client: drives a script over a transport and keeps everything seen."""

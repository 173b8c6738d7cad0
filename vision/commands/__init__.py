"""The commands of `feltwatch`, a file for each field of work; `add` puts its commands into the parser."""

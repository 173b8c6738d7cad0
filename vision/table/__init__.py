"""A table's files: layout, zones, artwork, chips, house; TOML enters, a Table leaves."""

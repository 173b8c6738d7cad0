"""The form of a game file: pays, and the models that a TOML file must fit."""

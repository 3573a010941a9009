"""Where providers come from: the environment and `majordomo.toml`."""

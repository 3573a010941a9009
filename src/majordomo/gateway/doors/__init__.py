"""One thin file a dialect: decode, run, encode."""

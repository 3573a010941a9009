"""Making one request acceptable to one target: contract in, contract out, nothing lost unsaid."""

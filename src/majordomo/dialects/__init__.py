"""Wire formats: bytes to contract and back, pure. One folder a dialect, the same files in each."""

"""Any program, any language model. Importing this reads no environment and opens nothing."""

"""The command line: one file a command, and nothing slow before it is known which."""

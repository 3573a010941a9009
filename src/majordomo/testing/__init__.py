"""Scripted providers and fault injection, for our tests and our users."""

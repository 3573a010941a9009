"""Providers and model families, as data."""

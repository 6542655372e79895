"""Checks that make runs beside the tests."""

"""Tests of the rules package; data from outside is in tests/data."""

"""Tests in a real browser: the site as phones see it."""

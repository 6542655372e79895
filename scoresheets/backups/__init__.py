"""Backups: all that the site stores, in one file that either database takes back.

`format` says what such a file is, `writing` and `reading` know nothing of Django; `tables` reads and fills the
database, `making` and `restoring` put both together.
"""

"""Foreign files to plain rows: `reading.read` turns bytes into the games in them and all that is wrong with them.

Nothing here knows a database, a club or a clock: what may be imported, and as whom, is for `recording`.
"""

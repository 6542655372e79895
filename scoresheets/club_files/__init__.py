"""The file that holds a whole club: its layout, and how it is read piece by piece. `docs/club-file.md` describes it."""

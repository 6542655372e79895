"""The big data: a club with very many games, written in bulk, and what its pages, writes and rebuild cost."""

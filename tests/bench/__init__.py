"""`make bench`: how fast, how large and how many statements, as ratios measured in one run. No test imports it."""

"""Every read that two callers share. Each says how many statements it costs; none grows with history."""

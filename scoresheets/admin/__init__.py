"""The admin site: it looks, searches, and puts right, by the same recording as every other door."""

from scoresheets.admin import accounts, clubs, games, leagues, names, players, service, suspicions
from scoresheets.admin.site import site

__all__ = ["accounts", "clubs", "games", "leagues", "players", "service", "site", "suspicions"]

names.give_names()

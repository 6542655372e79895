"""Clients in other people's languages, generated from the schema: do they compile, and can they play?"""

"""Tests of the app: they mirror `scoresheets/`; rows are made by `factories`, pages are read by `pages`."""

"""What `manage.py demo` fills the database with."""

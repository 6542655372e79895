from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """An account. Quick games need none; it exists from the first migration because it cannot be swapped later."""

"""The WSGI application, for gunicorn or any other server. Its environment must be set: see settings.py."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wizard_site.settings")

application = get_wsgi_application()

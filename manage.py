#!/usr/bin/env python
"""Django's command line for this site: python manage.py help"""

import sys

from wizard_site import local


def main() -> None:
    local.prepare()
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        settings.DEBUG  # noqa: B018  (loads the settings, so that a refused value is one sentence)
    except ImproperlyConfigured as error:
        raise SystemExit(f"{error}") from None
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

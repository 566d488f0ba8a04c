#!/usr/bin/env python3
"""Django's command line, for this project."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")
    # A command takes as long as it takes, and counts nothing for those who serve.
    os.environ.setdefault("STATEMENT_SECONDS", "0")
    os.environ["METRICS_DIR"] = ""
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Nothing was done: {error}")

"""JSON that is read as a whole, or as text: never looked into by the database."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class JSONTextField(models.JSONField):
    """A `JSONField` whose column is text on PostgreSQL too, written as `json.dumps` does.

    Statistics read columns of ten thousand games as text, which `jsonb` would have to be written out for each time:
    that took as long as all the rest of the statement. Lookups into the value do not work on PostgreSQL.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "text"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if isinstance(value, models.Value):
            value = value.value
        if connection.vendor != "postgresql" or hasattr(value, "as_sql"):
            return super().get_db_prep_value(value, connection, prepared)
        return json.dumps(value, cls=self.encoder)

"""How English pages write dates and times: the day first, the month in letters, so that nobody reads 11/10 wrongly."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "P"
DATETIME_FORMAT = "j F Y, P"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, P"

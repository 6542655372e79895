"""The REST API under `/api/v1/`: one module an area, over the same recording and queries as the pages.

`views.View` is what every address is made of, `schema.operation` says what each method takes, answers and needs.
"""

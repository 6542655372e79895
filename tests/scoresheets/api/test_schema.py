"""The schema is whole: it validates, says what everything means, and its examples are good."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest
from drf_spectacular.drainage import GENERATOR_STATS

from scoresheets import wording
from tests.scoresheets.api.helpers import PROBLEM, api_schema

#: Statuses that every operation explains; those that write explain more.
REFUSALS = {"400", "401", "404", "406", "429"}
REFUSALS_OF_WRITES = {"403", "409", "422"}


def said() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every operation as `GET /path` with what the schema says of it."""
    for path, methods in api_schema()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def schemas() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every schema of the components, and every one inside of those, with where it stands."""
    for name, schema in api_schema()["components"]["schemas"].items():
        yield from inside(name, schema)


def inside(where: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield where, schema
    for name, part in schema.get("properties", {}).items():
        yield from inside(f"{where}.{name}", part)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from inside(f"{where}[]", schema[name])
    for name in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(name, ()):
            yield from inside(where, part)


def kinds(schema: Mapping[str, Any]) -> set[str]:
    """Return the types that a schema allows."""
    found = schema.get("type", ())
    return {found} if isinstance(found, str) else set(found)


def is_number(schema: Mapping[str, Any]) -> bool:
    return bool(kinds(schema) & {"integer", "number"}) and "enum" not in schema


def test_schema_is_openapi_3_1_and_was_made_without_warnings():
    schema = api_schema()

    assert schema["openapi"].startswith("3.1.")
    assert "Idempotency-Key" in schema["info"]["description"]
    # Counted while the schema was made. That it is valid OpenAPI is looked at by `make check`: it takes long.
    assert (dict(GENERATOR_STATS._warn_cache), dict(GENERATOR_STATS._error_cache)) == ({}, {})


def test_every_operation_says_what_it_does():
    for name, operation in said():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", operation["operationId"]), name
        assert re.fullmatch(r"[A-Z].*[^.]", operation["summary"]), name
        assert operation["description"].rstrip().endswith((".", ":", "`")), name
        assert operation["description"] != operation["summary"], name
        assert len(operation["tags"]) == 1, name


def test_operations_are_called_by_one_name_each():
    names = [operation["operationId"] for _name, operation in said()]
    assert sorted(names) == sorted(set(names))


def test_every_tag_is_explained_and_used():
    explained = [tag["name"] for tag in api_schema()["tags"]]
    assert sorted(explained) == sorted({tag for _name, operation in said() for tag in operation["tags"]})
    assert all(tag["description"].endswith(".") for tag in api_schema()["tags"])


def test_every_parameter_and_header_is_explained():
    for name, operation in said():
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description", "").endswith("."), f"{name}: {parameter['name']}"
            assert parameter["schema"], f"{name}: {parameter['name']}"
        for status, answer in operation["responses"].items():
            for header, meaning in answer.get("headers", {}).items():
                assert meaning.get("description", "").endswith("."), f"{name}: {status} {header}"


def test_every_operation_has_its_refusals_as_problems():
    for name, operation in said():
        writes = any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ()))
        expected = REFUSALS | (REFUSALS_OF_WRITES if writes else set())
        assert expected <= set(operation["responses"]), name
        for status, answer in operation["responses"].items():
            assert answer.get("description", "").endswith("."), f"{name}: {status}"
            if status >= "400":
                schema = {"$ref": "#/components/schemas/Problem"}
                assert answer["content"] == {PROBLEM: {"schema": schema}}, f"{name}: {status}"
        assert any(status < "300" for status in operation["responses"]), name


def test_every_code_that_an_operation_names_is_one():
    known = {code for codes in wording.codes_in_general().values() for code in codes}
    for name, operation in said():
        for status, answer in operation["responses"].items():
            named = re.findall(r"`(\w+)`", answer["description"].partition("Among others:")[2])
            assert set(named) <= known, f"{name}: {status}"


def test_every_component_and_every_field_is_explained():
    for name, schema in api_schema()["components"]["schemas"].items():
        assert schema.get("description", "").strip() or "properties" not in schema, name
    for where, schema in schemas():
        for name, part in schema.get("properties", {}).items():
            assert part.get("description", "").strip(), f"{where}.{name}"


def test_ids_are_called_by_what_they_are_of():
    """`club`, not `club_id`, in bodies, answers and queries; only addresses name their ids in full."""
    fields = [f"{where}.{name}" for where, schema in schemas() for name in schema.get("properties", {})]
    fields += [
        f"{where}: {parameter['name']}"
        for where, operation in said()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query"
    ]
    assert {"Member.club", "GET /api/v1/clubs/{club_id}/merges/preview/: kept"} <= set(fields)
    assert [name for name in fields if name.endswith(("_id", "_ids"))] == []


def test_every_number_has_a_range():
    """What can be below nothing says so in words."""
    without = [
        where
        for where, schema in schemas()
        if is_number(schema) and "minimum" not in schema and "negative" not in schema.get("description", "")
    ]
    assert without == []


def test_every_number_that_is_taken_has_both_ends_of_its_range():
    without = [where for where, schema in shapes() if is_number(schema) and not {"minimum", "maximum"} <= set(schema)]
    assert without == []


def test_every_text_that_is_taken_has_a_greatest_length():
    bounded = {"enum", "maxLength", "format", "pattern", "const"}
    taken = [(where, schema) for where, schema in shapes() if "string" in kinds(schema)]
    assert [where for where, schema in taken if not bounded & set(schema)] == []


def test_every_list_that_is_taken_has_a_greatest_length():
    taken = [(where, schema) for where, schema in shapes() if "array" in kinds(schema)]
    assert [where for where, schema in taken if "maxItems" not in schema] == []


def test_what_is_taken_has_no_fields_but_those_it_names():
    taken = [(where, schema) for where, schema in shapes() if "properties" in schema]
    assert [where for where, schema in taken if schema.get("additionalProperties") is not False] == []


def shapes() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every schema that is part of a body that some operation takes."""
    components = api_schema()["components"]["schemas"]
    names = re.findall(r"#/components/schemas/(\w+)", str([op.get("requestBody") for _name, op in said()]))
    done: set[str] = set()
    while names:
        name = names.pop()
        if name not in done:
            done.add(name)
            names += re.findall(r"#/components/schemas/(\w+)", str(components[name]))
            yield from inside(name, components[name])


# -- examples --------------------------------------------------------------------------------------------------------


def examples() -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Yield every example with where it stands and the schema it is an example of."""
    for name, operation in said():
        contents = [("body", operation.get("requestBody", {}).get("content", {}))]
        contents += [(status, answer.get("content", {})) for status, answer in operation["responses"].items()]
        for what, content in contents:
            for media in content.values():
                for title, example in media.get("examples", {}).items():
                    yield f"{name}: {what} {title}", media["schema"], example["value"]
        for parameter in operation.get("parameters", ()):
            for title, example in parameter.get("examples", {}).items():
                yield f"{name}: {parameter['name']} {title}", parameter["schema"], example["value"]
    for where, schema in schemas():
        for number, example in enumerate(schema.get("examples", ())):
            yield f"{where}: {number}", schema, example


def test_every_example_is_as_its_schema_says():
    for where, schema, example in examples():
        root = {**schema, "components": api_schema()["components"]}
        problems = [str(error) for error in jsonschema_rs.Draft202012Validator(root).iter_errors(example)]
        assert problems == [], where


@pytest.mark.parametrize("wrong", [{"name": 3}, {"name": "Runde", "nickname": "R"}, {}])
def test_an_example_that_is_not_would_be_found(wrong):
    root = {"$ref": "#/components/schemas/NewClub", "components": api_schema()["components"]}
    assert not jsonschema_rs.Draft202012Validator(root).is_valid(wrong)


def test_every_body_that_is_not_obvious_has_an_example():
    """What has more than two fields, or lists and objects in it, is shown once."""
    components = api_schema()["components"]["schemas"]
    without = []
    for name, operation in said():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            shape = components[media["schema"]["$ref"].rpartition("/")[2]]
            fields = shape.get("properties", {})
            is_plain = len(fields) <= 2 and all("$ref" not in str(part) for part in fields.values())
            if not is_plain and "examples" not in media:
                without.append(name)
    assert without == []

"""Reading a page as a browser does: its elements, what its forms would send, and pressing a button."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
#: SVG elements that are closed by themselves.
SELF_CLOSED = {"use", "path", "line", "polyline"}
HTMX = {"HX-Request": "true"}


@dataclass
class Element:
    """An element of a page: its name, attributes, and what is in it (elements and texts)."""

    tag: str
    attrs: dict[str, str]
    content: list[Element | str] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        return self.attrs[name]

    def walk(self) -> Iterator[Element]:
        """Yield this element and all within, in the order of the page."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [child for child in reversed(element.content) if isinstance(child, Element)]

    def all(self, tag: str | None = None, /, **attrs: str) -> list[Element]:
        """Return the elements of this name with these attributes (`class_` names one of the classes)."""
        return [element for element in self.walk() if tag in (None, element.tag) and element.has(**attrs)]

    def one(self, tag: str | None = None, /, **attrs: str) -> Element:
        """Return the only such element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} elements <{tag}> {attrs}"
        return found[0]

    def has(self, **attrs: str) -> bool:
        for name, value in attrs.items():
            if name == "class_":
                if value not in self.attrs.get("class", "").split():
                    return False
            elif self.attrs.get(name.replace("_", "-")) != value:
                return False
        return True

    @property
    def text(self) -> str:
        """What is to be read, one space between words; `title` and hidden words included."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.content:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()
                yield " " if child.tag not in {"b", "small", "span", "a", "i"} else ""

    def fields(self) -> list[tuple[str, str]]:
        """Return what a browser sends with this form, buttons apart."""
        sent = []
        for control in self.all("input"):
            kind = control.attrs.get("type", "text")
            if "name" not in control.attrs or "disabled" in control.attrs or kind in {"submit", "button"}:
                continue
            if kind in {"radio", "checkbox"} and "checked" not in control.attrs:
                continue
            sent.append((control["name"], control.attrs.get("value", "on" if kind == "checkbox" else "")))
        for select in self.all("select"):
            options = select.all("option")
            chosen = [option for option in options if "selected" in option.attrs] or options[:1]
            sent += [(select["name"], option["value"]) for option in chosen]
        return sent


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].content.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read(response: Any) -> Element:
    """Return an answer's elements; every element must be closed in order."""
    return read_html(response.content.decode())


def read_html(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == [reader.root], f"<{reader.open[-1].tag}> is never closed"
    return reader.root


def press(
    client: Client,
    address: str,
    button: str,
    value: str | None = None,
    *,
    page: Element | None = None,
    htmx: bool = False,
    typed: Mapping[str, Any] | None = None,
) -> Any:
    """Press a button of the page at `address` as a browser would, with `typed` put into the fields before.

    `value` chooses among buttons of one name. Fails if the page has no such button, or if it is disabled.
    """
    page = page or read(client.get(address))
    form, pressed = _button(page, button, value)
    sent: dict[str, list[str]] = {}
    for name, entered in form.fields():
        sent.setdefault(name, []).append(entered)
    for name, entered in (typed or {}).items():
        if entered is None:
            sent.pop(name, None)
        else:
            sent[name] = [str(entered)] if not isinstance(entered, list) else entered
    sent[button] = [pressed.attrs.get("value", "")]
    assert form["method"] == "post"
    return client.post(form["action"], sent, headers=HTMX if htmx else {})


def _button(page: Element, name: str, value: str | None) -> tuple[Element, Element]:
    for form in page.all("form"):
        for button in form.all("button", name=name):
            if value is None or button.attrs.get("value") == value:
                assert "disabled" not in button.attrs, f"button {name}={value} is disabled"
                return form, button
    raise AssertionError(f"no button {name}={value}")


def sentences_at(page: Element, field_id: str) -> str:
    """Return the sentences that the field with this id or name is described by; the field must be marked as wrong."""
    found = [e for e in page.all("input") if field_id in (e.attrs.get("id"), e.attrs.get("name"))]
    assert len(found) == 1, f"{len(found)} fields {field_id}"
    assert found[0].attrs.get("aria-invalid") == "true", f"{field_id} is not marked as wrong"
    return page.one(id=found[0]["aria-describedby"]).text


def totals_of(page: Element) -> list[int]:
    """Return the totals at the head of the Block, in seat order."""
    return [number(element.text) for element in page.one("thead").all(class_="sum")]


def number(text: str) -> int:
    """Return a number as the pages write it."""
    return int(text.replace("\N{MINUS SIGN}", "-"))


def lasting(html: str) -> str:
    """Return HTML without what is new in every answer or belongs to one: tokens, keys, the tag for "unchanged"."""
    html = re.sub(r'("X-CSRFToken": "|name="csrfmiddlewaretoken" value=")[^"]*', r"\1", html)
    html = re.sub(r'(name="key"\s+value=")[^"]*', r"\1", html)
    return re.sub(r"hx-headers='\{&quot;If-None-Match[^']*'|hx-headers='\{\"If-None-Match[^']*'", "", html).strip()

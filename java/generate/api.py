"""The tables of java/api: members of the public types, constants of enums."""

import collections
import pathlib
import re

API = pathlib.Path(__file__).resolve().parent.parent / "api"

Member = collections.namedtuple("Member", "text name result arguments throws")


def rows(name):
    for line in (API / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def split_arguments(text):
    """Types between commas that stand outside of angle brackets."""
    parts, depth, part = [], 0, ""
    for char in text:
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    return parts + [part.strip()] if part.strip() else parts


def parse_member(text):
    """A method or constructor; None for a field."""
    found = re.fullmatch(r"(.*?)([\w$.]+)\((.*)\)(?: throws (.*))?", text)
    if not found:
        return None
    words = re.sub(r"\b(public|protected|abstract|static|final|synchronized)\b",
                   "", found[1]).strip()
    return Member(text, found[2], words, split_arguments(found[3]),
                  found[4] or "")


def types():
    """Each type's declaration and its members' lines, by its name."""
    found = {}
    for name, text in rows("members.tsv"):
        if name in found:
            found[name][1].append(text)
        else:
            found[name] = (text, [])
    return found


class Constant(collections.namedtuple("Constant",
                                      "name value text engine doc")):
    """One constant of an enumeration; `engine` is its C++ enumerator, `doc`
    what its documentation says."""


def enums():
    found = collections.OrderedDict()
    for row in rows("enums.tsv"):
        row += [""] * (6 - len(row))
        found.setdefault(row[0], []).append(
            Constant(row[1], int(row[2]) if row[2] else None, *row[3:]))
    return found

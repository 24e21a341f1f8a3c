"""The fields of structs in our public headers, with their comments."""

import collections
import pathlib
import re

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"

Field = collections.namedtuple("Field", "name type doc default")

FIELD = re.compile(
    r"  ((?:const |unsigned )?[\w:]+(?:<.*>)?[ *&]+)(\w+)(?: = (.*?)|\{.*\})?;(?: *//.*)?$")


def body_of(struct, header):
    """The lines between the braces of a struct."""
    text = (INCLUDE / header).read_text()
    found = re.search(rf"^struct {struct}\b[^;{{]*\{{\n(.*?)^\}};", text,
                      re.M | re.S)
    if not found:
        raise SystemExit(f"{header} has no struct {struct}")
    return found[1].split("\n")


def fields(struct, header):
    """Name to Field, in order. A comment goes for all fields up to the next
    blank line, but for those that have one of their own."""
    result = collections.OrderedDict()
    doc, pending, statement = "", [], ""
    for line in body_of(struct, header):
        if line.startswith("  // "):
            if not pending:
                doc = ""
            pending.append(line[5:].strip())
            continue
        if pending:
            doc = " ".join(pending)
            pending = []
        if not line.strip():
            doc = ""
            statement = ""
            continue
        statement = statement + " " + line.strip() if statement else line
        if not statement.rstrip().endswith(";") and "; //" not in statement and ";  //" not in statement:
            if "(" in statement or "{" in statement:
                if "}" in statement or ")" in statement:
                    statement = ""
            continue
        found = FIELD.match(re.sub(r"\s*=\s*", " = ", statement.rstrip()))
        if found and "(" not in found[1] and not found[1].startswith(
                ("return", "static", "using", "enum", "explicit")):
            result[found[2]] = Field(found[2], found[1].strip(), doc,
                                     (found[3] or "").strip())
        statement = ""
    return result

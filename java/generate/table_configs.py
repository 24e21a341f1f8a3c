"""The settings of table formats: values in Java, made native when used."""

import re

import api
import options
from java_text import doc, parameter, shorten, source
import option_tables as tables


def literal(kind, field):
    """The default of a field as a Java literal."""
    text = field.default
    if kind == "boolean":
        return text
    if kind in ("int", "long", "double"):
        text = {"kPlainTableVariableLength": "0"}.get(text, text)
        value = eval(re.sub(r"\b(\d+)[uUlL]+\b", r"\1", text), {})  # Arithmetic.
        return repr(float(value)) if kind == "double" else (
            f"{int(value)}L" if kind == "long" else str(int(value)))
    return f"{kind}.{text.rpartition('::')[2]}"


def config_class(name):
    head, members = api.types()[name]
    kinds = set(api.enums())
    fields = options.fields_of(name, tables.TABLE_CONFIGS)
    by_hand = options.part(name, name).rstrip() + "\n\n"
    declared, accessors, copies, reads, shown = [], [], [], [], set()

    def add(prop, kind, field, getter, setter):
        struct = fields[field.name][0]
        number = options.number_of(struct, field.name)
        if field.name not in shown:
            shown.add(field.name)
            declared.append(f"  private {kind} {prop} = "
                            f"{literal(kind, field)};\n")
            value = {"boolean": f"{prop} ? 1 : 0", "int": prop, "long": prop,
                     "double": f"Double.doubleToRawLongBits({prop})"}.get(
                         kind, f"{prop}.getValue()")
            copies.append(f"    Fields.set(handle, {number}, {value});\n")
            reads.append(f"    {prop} = " + options.getter_body(
                kind, number).replace("nativeHandle_", "handle") + ";\n")
        if setter:
            check = ("    assert formatVersion >= 0;\n"
                     if setter == "setFormatVersion" else "")
            accessors.append(
                doc(field.doc or f"Sets the engine's {field.name}.",
                    tags=[f"@param {prop} {{@code {field.name}}}",
                          "@return this object"]) +
                f"  public {name} {setter}(final {kind} {prop}) {{\n{check}"
                f"    this.{prop} = {prop};\n    return this;\n  }}\n\n")
        if getter:
            accessors.append(
                doc(field.doc or f"The engine's {field.name}.",
                    tags=[f"@return {{@code {field.name}}}"]) +
                f"  public {kind} {getter}() {{\n    return {prop};\n  }}\n\n")

    for line in members:
        method = api.parse_member(line)
        if method is None or "protected" in line or method.name == name or (
                options.is_by_hand(method, by_hand)):
            continue
        is_setter, prop = options.property_of(method)
        found = options.field_named(prop, fields)
        if found is None:
            continue
        kind = shorten(method.arguments[0] if is_setter else method.result)
        add(prop, kind, found[1], None if is_setter else method.name,
            method.name if is_setter else None)
    for field_name, (_, field) in fields.items():
        kind = options.java_type(field, kinds)
        if field_name in shown or field_name in tables.NOT_PLAIN or (
                kind is None):
            continue
        prop = options.camel(field_name)
        add(prop, kind, field, prop, "set" + options.upper_first(prop))
    body = (doc(f"Settings of a table format: the engine's "
                f"{tables.TABLE_CONFIGS[name][0].struct}. Read when they are "
                "given to options; later changes have no effect there.", "") +
            options.declaration(head) + " {\n" + "".join(declared) + "\n" +
            by_hand + "".join(accessors) +
            "  private void copyTo(final long handle) {\n" + "".join(copies) +
            "  }\n\n  private void copyFrom(final long handle) {\n" +
            "".join(reads) + "  }\n}\n")
    return source(body)


def files():
    return {f"{name}.java": config_class(name)
            for name in tables.TABLE_CONFIGS}

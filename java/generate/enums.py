"""The enumerations, from java/api/enums.tsv."""

import re

import api
from java_text import doc, source

# Types in other files, written by hand or by another part of the generator.
WHAT = {
    "Priority": "A pool of background threads.",
    "TickerType": "A counter of {@link Statistics}.",
    "HistogramType": "A distribution of {@link Statistics}.",
    "CompressionType": "A codec, and the choice of none.",
}


def look_up(member, name):
    """A static method that finds a constant by its value."""
    found = api.parse_member(member)
    kind = found.arguments[0]
    if kind == "String":
        return (doc("The constant whose library has this name; the first "
                    "constant if there is none.") +
                f"  public static {name} {found.name}(final String libraryName) {{\n"
                f"    if (libraryName != null) {{\n"
                f"      for (final {name} each : values()) {{\n"
                f"        if (libraryName.equals(each.text)) {{\n"
                f"          return each;\n        }}\n      }}\n    }}\n"
                f"    return values()[0];\n  }}\n\n")
    return (doc("The constant with this value.", tags=[
                "@param value as {@code getValue} tells it",
                "@return the constant",
                "@throws IllegalArgumentException if no constant has it"]) +
            f"  public static {name} {found.name}(final {kind} value) {{\n"
            f"    return of((byte) value);\n  }}\n\n")


def enum_body(name, constants, members, indent=""):
    """The declaration of an enumeration, nested or not."""
    short = name.rpartition("$")[2]
    has_text = any(c.text for c in constants)
    methods = [m for m in members if "(" in m and
               not re.search(r"\b(values\(\)|valueOf\(String\))", m)]
    lines = [doc(WHAT.get(name, f"Constants of {{@code {short}}}, as the engine "
                                "numbers them."), "")]
    lines.append(f"public enum {short} {{\n")
    rows = []
    for index, c in enumerate(constants):
        value = c.value if c.value is not None else index
        text = (f', "{c.text}"' if c.text and c.text != "null" else ", null"
                ) if has_text else ""
        rows.append(f"  {c.name}((byte) {value}{text})")
    lines.append(",\n".join(rows) + ";\n\n")
    lines.append("  private final byte value;\n")
    extra = ""
    if has_text:
        lines.append("  private final String text;\n")
        extra = ", final String text"
    lines.append(f"\n  {short}(final byte value{extra}) {{\n"
                 "    this.value = value;\n" +
                 ("    this.text = text;\n" if has_text else "") + "  }\n\n")
    is_value_public = any(" getValue()" in m for m in methods) or not members
    lines.append((doc("The value that stands for it outside of Java.")
                  if is_value_public else "") +
                 ("  public " if is_value_public else "  ") +
                 "byte getValue() {\n    return value;\n  }\n\n")
    for member in methods:
        if " getValue()" in member:
            continue
        if "getLibraryName()" in member:
            lines.append(doc("The name of its library, or null.") +
                         "  public String getLibraryName() {\n"
                         "    return text;\n  }\n\n")
        elif "static" in member:
            lines.append(look_up(member, short))
        else:
            lines.append(PARTS[name])
    otherwise = (f"    return {FALLBACKS[name]};\n" if name in FALLBACKS else
                 "    throw new IllegalArgumentException(\n"
                 f'        "{short} has no constant with value " + value);\n')
    lines.append(f"  static {short} of(final byte value) {{\n"
                 f"    for (final {short} each : values()) {{\n"
                 "      if (each.value == value) {\n        return each;\n"
                 "      }\n    }\n" + otherwise + "  }\n}\n")
    text = "".join(lines)
    return "".join(indent + line if line.strip() else line
                   for line in text.splitlines(True))


# Where the engine may have values that Java has not: what they become.
FALLBACKS = {"FlushReason": "OTHERS", "CompactionReason": "kUnknown",
             "BackgroundErrorReason": "FLUSH", "OperationStage": "STAGE_UNKNOWN",
             "OperationType": "OP_UNKNOWN", "StateType": "STATE_UNKNOWN",
             "ThreadType": "USER", "Temperature": "UNKNOWN"}

PARTS = {
    "FilterPolicyType": """\
  /**
   * A filter of this kind, or null for an unknown one.
   *
   * @param handle not used: the engine keeps no filter to adopt
   * @param param bits for each key
   * @return the filter, which the caller closes
   */
  public Filter createFilter(final long handle, final double param) {
    return this == kBloomFilterPolicy ? new BloomFilter(param) : null;
  }

""",
}

# Enumerations that stand within hand-written classes.
BY_HAND = {"Status$Code", "Status$SubCode", "FlinkCompactionFilter$StateType"}


def files():
    types = api.types()
    result = {}
    for name, constants in api.enums().items():
        if "$" in name:
            continue
        members = types[name][1] if name in types else []
        result[f"{name}.java"] = source(
            enum_body(name, constants, members))
    return result


def nested(name):
    """The text of an enumeration to be put into its outer class."""
    return enum_body(name, api.enums()[name], api.types()[name][1], "  ")

"""The builders of options that may change while a database is open."""

import api
import enums
import options
from java_text import camel, doc, parameter, shorten, source, upper_first
import option_tables as tables

KINDS = {"boolean": "BOOLEAN", "int": "INT", "long": "LONG",
         "double": "DOUBLE", "String": "STRING", "int[]": "INT_ARRAY"}

GROUPS = {
    "MutableColumnFamilyOptions": ["MemtableOption", "CompactionOption",
                                   "BlobOption", "MiscOption"],
    "MutableDBOptions": ["DBOption"],
}


def key_of(prop):
    return tables.ALIASES.get(prop, options.snake(prop))


def builder_methods(owner):
    """Property: (Java type, key) for what the builder sets."""
    builder = f"{owner}$" + {
        "MutableColumnFamilyOptions": "MutableColumnFamilyOptionsBuilder",
        "MutableDBOptions": "MutableDBOptionsBuilder"}[owner]
    found = {}
    for line in api.types()[builder][1]:
        method = api.parse_member(line)
        if method and method.name.startswith("set") and (
                method.result == builder):
            is_setter, prop = options.property_of(method)
            found[prop] = shorten(method.arguments[0])
    return found


def key_enum(owner, group, kinds):
    rows = []
    for constant in api.enums()[f"{owner}${group}"]:
        rows.append(enums.documented(owner + "$" + group, constant, "    ") +
                    f"    {constant.name}(ValueType.{kinds[constant.name]})")
    interface = f"{owner}Key"
    return (doc("Names of options, with the kind of their values.") +
            f"  public enum {group} implements {interface[:-1] + 'y'} {{\n" +
            ",\n".join(rows) + ";\n\n    private final ValueType kind;\n\n"
            f"    {group}(final ValueType kind) {{\n      this.kind = kind;\n"
            "    }\n\n    @Override\n"
            "    public ValueType getValueType() {\n      return kind;\n"
            "    }\n  }\n\n")


def accessors(owner, builder, group_of, fields):
    text = []
    for prop, kind in builder_methods(owner).items():
        key = key_of(prop)
        constant = f"{group_of[key]}.{key}"
        call = {"boolean": "Boolean", "int": "Int", "long": "Long",
                "double": "Double", "String": "String",
                "int[]": "IntArray"}.get(kind, "Enum")
        found = fields.get(key)
        what = found[1].doc if found and found[1].doc else f"Option {key}."
        value = parameter("set" + upper_first(prop), kind)
        read = f"get{call}({constant})"
        text.append(
            doc(what, "    ", [f"@param {value} the new value",
                               "@return this builder"]) +
            "    @Override\n"
            f"    public {builder} set{upper_first(prop)}("
            f"final {kind} {value}) {{\n"
            f"      return set{call}({constant}, {value});\n    }}\n\n" +
            doc(what, "    ", [
                "@return the value that was set",
                "@throws java.util.NoSuchElementException if none was"]) +
            "    @Override\n"
            f"    public {kind} {prop}() {{\n      return {read};\n"
            "    }\n\n")
    return "".join(text)


def file_of(owner):
    builder = owner + "Builder"
    interface = owner + "Interface"
    key = owner.replace("Options", "OptionKey")
    groups = GROUPS[owner]
    fields = options.fields_of("Options")
    methods = {key_of(prop): kind
               for prop, kind in builder_methods(owner).items()}
    kinds, group_of, enum_types = {}, {}, []
    for group in groups:
        for constant in api.enums()[f"{owner}${group}"]:
            kind = methods.get(constant.name)
            kinds[constant.name] = tables.MUTABLE_KINDS.get(
                constant.name, KINDS.get(kind, "ENUM"))
            group_of[constant.name] = group
            if kind and kind not in KINDS:
                enum_types.append((constant.name, kind))
    puts = "".join(f"      for (final {key} each : {group}.values()) {{\n"
                   "        keys.put(each.name(), each);\n      }\n"
                   for group in groups)
    enums_of = "".join(f'        case "{name}":\n          return {kind}.class;\n'
                       for name, kind in enum_types)
    body = (
        doc("Options that an open database takes, as text: built here, given "
            "to RocksDB.", "") +
        f"public class {owner} extends AbstractMutableOptions {{\n"
        f"  private {owner}(final String[] keys, final String[] values) {{\n"
        "    super(keys, values);\n  }\n\n" +
        doc("A builder without any option set.",
            tags=["@return the builder"]) +
        f"  public static {builder} builder() {{\n"
        f"    return new {builder}();\n  }}\n\n" +
        doc("Reads options as the engine writes them.", tags=[
            "@param str name=value pairs, with ; between them",
            "@param ignoreUnknown whether unknown names are kept apart instead "
            "of refused", "@return a builder with these options",
            "@throws IllegalArgumentException for a value that does not fit"]) +
        f"  public static {builder} parse(final String str, "
        "final boolean ignoreUnknown) {\n"
        "    return new " + builder +
        "().fromParsed(OptionString.Parser.parse(str), ignoreUnknown);\n"
        "  }\n\n" +
        doc("Reads options as the engine writes them; refuses unknown names.",
            tags=["@param str name=value pairs, with ; between them",
                  "@return a builder with these options"]) +
        f"  public static {builder} parse(final String str) {{\n"
        "    return parse(str, false);\n  }\n\n"
        f"  private interface {key} extends MutableOptionKey {{}}\n\n" +
        "".join(key_enum(owner, group, kinds).replace(
            f"implements {owner}Key", f"implements {key}")
            for group in groups) +
        doc("Collects options.") +
        f"  public static class {builder}\n"
        f"      extends AbstractMutableOptionsBuilder<{owner}, {builder}, "
        f"{key}>\n      implements {interface}<{builder}> {{\n"
        f"    private static final Map<String, {key}> KEYS = keys();\n\n"
        f"    private {builder}() {{}}\n\n"
        f"    private static Map<String, {key}> keys() {{\n"
        f"      final Map<String, {key}> keys = new HashMap<>();\n" + puts +
        "      return keys;\n    }\n\n"
        f"    @Override\n    protected {builder} self() {{\n"
        "      return this;\n    }\n\n"
        f"    @Override\n    protected Map<String, {key}> allKeys() {{\n"
        "      return KEYS;\n    }\n\n"
        f"    @Override\n    protected {owner} build(final String[] keys, "
        "final String[] values) {\n"
        f"      return new {owner}(keys, values);\n    }}\n\n"
        "    @Override\n    Class<? extends Enum<?>> enumOf("
        "final String name) {\n      switch (name) {\n" + enums_of +
        "        default:\n          return null;\n      }\n    }\n\n" +
        accessors(owner, builder, group_of, fields).rstrip() + "\n  }\n}\n")
    return source(body)


def files():
    return {f"{owner}.java": file_of(owner) for owner in GROUPS}

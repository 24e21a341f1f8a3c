"""The classes of options: accessors from the fields of the C++ structs."""

import collections
import pathlib
import re

import api
import enums
import headers
from java_text import (doc, camel, lower_first, parameter, shorten, snake,
                       source, upper_first)
import option_tables as tables

PARTS = pathlib.Path(__file__).resolve().parent / "parts"

INTS = {"int", "uint32_t", "unsigned int", "uint8_t"}
LONGS = {"size_t", "uint64_t", "int64_t", "std::chrono::microseconds"}

# (struct in C++, field) in the order of first use; the place is the number by
# which Java asks for it.
used = collections.OrderedDict()


def number_of(struct, field):
    return used.setdefault((struct, field), len(used))


def kind_of(name):
    """The number of a struct that Java can make."""
    return (list(tables.STRUCTS) + [
        items[0].cpp for items in tables.TABLE_CONFIGS.values()]).index(name)


def fields_of(name, table=None):
    """Field name to (C++ struct that has it, headers.Field)."""
    result = collections.OrderedDict()
    for item in (table or tables.STRUCTS)[name]:
        for field in headers.fields(item.struct, item.header).values():
            result[field.name] = (item.cpp, field)
    return result


def java_type(field, known_enums):
    """The Java type of a plain field, or None."""
    kind = field.type
    if kind == "bool":
        return "boolean"
    if kind in INTS:
        return "int"
    if kind in LONGS:
        return "long"
    if kind == "double":
        return "double"
    if kind == "std::string":
        return "String"
    if kind in tables.TYPES:
        return tables.TYPES[kind]
    return kind if kind in known_enums else None


def field_named(name, fields):
    """The field that a Java property speaks of, or None."""
    wanted = tables.ALIASES.get(name, snake(name))
    if wanted is None:
        return None
    if wanted in fields:
        return fields[wanted]
    return fields.get(snake(name).replace("_2pc", "2pc"))


def getter_body(kind, number):
    if kind == "boolean":
        return f"Fields.getBoolean(nativeHandle_, {number})"
    if kind == "double":
        return f"Fields.getDouble(nativeHandle_, {number})"
    if kind == "String":
        return f"Fields.getString(nativeHandle_, {number})"
    if kind == "byte[]":
        return f"Fields.getText(nativeHandle_, {number})"
    if kind == "int":
        return f"(int) Fields.get(nativeHandle_, {number})"
    if kind == "long":
        return f"Fields.get(nativeHandle_, {number})"
    return f"{kind}.of((byte) Fields.get(nativeHandle_, {number}))"


def setter_body(kind, number, value):
    if kind == "boolean":
        return f"Fields.setBoolean(nativeHandle_, {number}, {value});"
    if kind == "double":
        return f"Fields.setDouble(nativeHandle_, {number}, {value});"
    if kind == "String":
        return f"Fields.setString(nativeHandle_, {number}, {value});"
    if kind in ("int", "long"):
        return f"Fields.set(nativeHandle_, {number}, {value});"
    return f"Fields.set(nativeHandle_, {number}, {value}.getValue());"


def getter(member, kind, struct, field):
    number = number_of(struct, field.name)
    return (doc(field.doc or f"The engine's {field.name}.",
                tags=[f"@return {{@code {field.name}}}"]) +
            f"  public {kind} {member}() {{\n"
            f"    return {getter_body(kind, number)};\n  }}\n\n")


def setter(owner, member, kind, struct, field):
    number = number_of(struct, field.name)
    value = parameter(member, kind)
    return (doc(field.doc or f"Sets the engine's {field.name}.",
                tags=[f"@param {value} {{@code {field.name}}}",
                      "@return this object"]) +
            f"  public {owner} {member}(final {kind} {value}) {{\n"
            f"    {setter_body(kind, number, value)}\n"
            f"    return this;\n  }}\n\n")


def part(name, owner):
    """Hand-written members, for the class `owner`. {field:Struct.name} is the
    number of a field, or of a field of a field; {enum:Name} a nested
    enumeration."""
    path = PARTS / f"{name}.java"
    if not path.is_file():
        return ""
    text = path.read_text().replace("{owner}", owner)
    text = re.sub(r"\{field:(\w+)\.([\w.]+)\}",
                  lambda m: str(number_of(m[1], m[2])), text)
    text = re.sub(r"\{kind:(\w+)\}", lambda m: str(kind_of(m[1])), text)
    return re.sub(r"\{enum:([\w$]+)\}", lambda m: enums.nested(m[1]), text)


def property_of(method):
    """Whether it sets, and the property's name."""
    name = method.name
    if name.startswith("set") and name != "setFdCloexec" and (
            len(method.arguments) == 1):
        return True, lower_first(name[3:])
    for prefix in ("get", "is"):
        if re.match(rf"{prefix}[A-Z]", name):
            return False, lower_first(name[len(prefix):])
    return False, name


def plain_members(name, members, fields, kinds, by_hand):
    """Accessors of the API that fields answer, and the fields that they set and
    get."""
    text, was_set, was_got = [], set(), set()
    for line in members:
        method = api.parse_member(line)
        if method is None or "static" in line or "protected" in line or (
                method.name == name) or is_by_hand(method, by_hand):
            continue
        is_setter, prop = property_of(method)
        if is_setter and method.result != name:
            continue  # A bridge that the compiler makes.
        if name == "EnvOptions" and prop == "fdCloexec":
            prop = "setFdCloexec"
        if not is_setter and method.arguments:
            continue
        found = (None if is_setter else field_named(method.name, fields)) or (
            field_named(prop, fields))
        kind = shorten(method.arguments[0] if is_setter else method.result)
        if found is None or not (kind in kinds or kind in (
                "boolean", "int", "long", "double", "String", "byte[]")):
            continue
        struct, field = found
        (was_set if is_setter else was_got).add(field.name)
        text.append(setter(name, method.name, kind, struct, field)
                    if is_setter else
                    getter(method.name, kind, struct, field))
    return "".join(text), was_set, was_got


def is_by_hand(method, by_hand):
    """Whether the hand-written parts have the method."""
    return re.search(
        rf"^  (?:public|protected)[^=;(]*\b{method.name}\(", by_hand,
        re.M) is not None and method_arity(method, by_hand)


def method_arity(method, by_hand):
    count = len(method.arguments)
    for found in re.finditer(
            rf"^  (?:public|protected)[^=;(]*\b{method.name}\(([^)]*)\)", by_hand,
            re.M):
        given = found[1].strip()
        if (given.count(",") + 1 if given else 0) == count:
            return True
    return False


def added_members(name, fields, was_set, was_got, kinds, by_hand):
    """Accessors for fields that RocksDB's Java leaves out."""
    text = []
    for field_name, (struct, field) in fields.items():
        kind = java_type(field, kinds)
        if field_name in was_got or field_name in tables.NOT_PLAIN or (
                kind is None):
            continue
        prop = camel(field_name)
        set_name = "set" + upper_first(prop)
        if re.search(rf"\b{set_name}\(", by_hand):
            continue
        if field_name not in was_set:
            text.append(setter(name, set_name, kind, struct, field))
        text.append(getter(prop, kind, struct, field))
        if name in tables.PREFIXED:
            prefix = "is" if kind == "boolean" else "get"
            text.append(getter(prefix + upper_first(prop), kind, struct,
                               field))
    return "".join(text)


def declaration(text):
    """The Java of a type's first line in the table."""
    return shorten(text).replace("$", ".")


def option_class(name):
    types = api.types()
    head, members = types[name]
    kinds = set(api.enums())
    fields = fields_of(name)
    parts = {"Options": ["DBOptions", "ColumnFamilyOptions", "Options"],
             "DBOptions": ["DBOptions", "DBOptionsOnly"],
             "ColumnFamilyOptions": ["ColumnFamilyOptions",
                                     "ColumnFamilyOptionsOnly"]}
    by_hand = "".join(part(each, name) + "\n"
                      for each in parts.get(name, [name])).rstrip() + "\n\n"
    if name not in ("Options", "DBOptions", "ColumnFamilyOptions"):
        by_hand = frame(name, members, by_hand) + by_hand.lstrip("\n")
    plain, was_set, was_got = plain_members(name, members, fields, kinds,
                                            by_hand)
    extra = "" if name in ("PerfContext", "CompactionJobStats") else (
        added_members(name, fields, was_set, was_got, kinds, by_hand))
    body = (doc(WHAT[name], "") +
            declaration(head) + " {\n" + by_hand + plain + extra)
    return source(body.rstrip() + "\n}\n")


def frame(name, members, by_hand):
    """Constructor and end, where the hand-written parts have none."""
    text = ""
    if f"public {name}()" in members and f"public {name}()" not in by_hand:
        text += (doc("With the engine's defaults.") + f"  public {name}() {{\n"
                 f"    super(Fields.create({kind_of(name)}));\n  }}\n\n")
    for line in members:
        if "disposeInternal(long)" in line and (
                "disposeInternal(final long" not in by_hand):
            text += ("  @Override\n  " + line.replace(
                "(long)", "(final long handle)") +
                " {\n    Handles.close(handle);\n  }\n\n")
    return text


WHAT = {
    "Options": "All options of a database with one column family: those of "
               "DBOptions and of ColumnFamilyOptions in one object. The "
               "database copies them when it opens; close the object then, or "
               "keep it for another.",
    "DBOptions": "Options of a database. The database copies them when it "
                 "opens; close the object then, or keep it for another.",
    "ColumnFamilyOptions": "Options of a column family. The database copies "
                           "them when it opens or creates the family.",
    "ReadOptions": "How a read is done. Close it when no read needs it any "
                   "more; iterators have a copy.",
    "WriteOptions": "How a write is done.",
    "PerfContext": "What the calls of this thread cost, counted while the "
                   "level of {@link RocksDB#setPerfLevel} says so.",
    "BackupEngineOptions": "Where backups are, and how they are made.",
    "CompactRangeOptions": "How compactRange compacts.",
    "CompactionJobStats":
        "What a compaction has read, written and dropped; times in "
        "microseconds unless the name says nanos.",
    "CompactionOptions": "How compactFiles compacts.",
    "CompactionOptionsFIFO": "Settings of compaction in FIFO style.",
    "CompactionOptionsUniversal": "Settings of compaction in universal style.",
    "CompressionOptions":
        "Settings of a codec: its level, its dictionary, its threads.",
    "ConfigOptions": "How text becomes options, and options text.",
    "EnvOptions": "How files are opened and written.",
    "FlushOptions": "How a flush is done.",
    "ImportColumnFamilyOptions": "How an exported column family is imported.",
    "IngestExternalFileOptions": "How table files are ingested.",
    "OptimisticTransactionOptions":
        "How a transaction of an OptimisticTransactionDB works.",
    "TransactionDBOptions":
        "How a TransactionDB works: its locks, its transactions' writes.",
    "TransactionOptions": "How a transaction of a TransactionDB works.",
}


# Constants of these interfaces.
FIELD_DOCS = {
    "DEFAULT_COMPACTION_MEMTABLE_MEMORY_BUDGET":
        "Bytes of memtables that the presets of compaction styles reckon with "
        "if none are given.",
}


def interface(name):
    """An interface of option accessors, as the table has it."""
    head, members = api.types()[name]
    text = [doc("Accessors that several classes of options have in common.",
                ""), declaration(head), " {\n"]
    fields = fields_of("Options")
    for line in members:
        method = api.parse_member(line)
        if method is None:
            text.append(doc(FIELD_DOCS[line.split(" = ")[0].split()[-1]]))
            text.append("  " + re.sub(r"(\d)l$", r"\1L", line.replace(
                "public static final ", "")) + ";\n\n")
            continue
        is_setter, prop = property_of(method)
        found = field_named(prop, fields)
        arguments = []
        for index, kind in enumerate(method.arguments):
            value = parameter(method.name, kind)
            if len(method.arguments) > 1:
                value = ["majorVersion", "minorVersion"][index]
            arguments.append(f"{shorten(kind)} {value}")
        tags = ["@return this object" if is_setter or method.result == "T"
                else "@return the setting"]
        tags = [f"@param {a.split()[-1]} the new setting" for a in arguments
                ] + tags
        text.append(doc(found[1].doc if found and found[1].doc else
                        sentence(method.name), tags=tags))
        text.append(f"  {shorten(method.result)} {method.name}("
                    f"{', '.join(arguments)});\n\n")
    return source("".join(text).rstrip() + "\n}\n")


# What accessors are for that no field of the headers answers.
ACCESSORS = {
    "bottommostCompressionOptions":
        "How data of the last level are compressed.",
    "compressionOptions": "How data are compressed.",
    "failIfOptionsFileError":
        "Has no effect, as the engine has no such option any more.",
    "increaseParallelism":
        "Background threads for flushes and compactions together.",
    "isFdCloseOnExec": "Whether child processes do not inherit files.",
    "logger": "Gets the lines that else go to the file LOG.",
    "maxBackgroundFlushes":
        "Flushes at a time; -1: derived from maxBackgroundJobs.",
    "maxTableFilesSizeFIFO":
        "Bytes of all tables above which compaction in FIFO style deletes "
        "the oldest.",
    "memTableConfig": "The kind of memtables.",
    "memTableFactoryName": "The kind of memtables, by the engine's name.",
    "mergeOperatorName":
        "How operands of merges are joined, by the name of a merge "
        "operator.",
    "oldDefaults": "The defaults of an old release, as far as they differ.",
    "optimizeForPointLookup": "Settings for lookups of single keys.",
    "optimizeForSmallDb":
        "Settings for a database that should use little memory.",
    "optimizeLevelStyleCompaction":
        "Settings for leveled compaction: write buffers and the sizes of "
        "levels.",
    "optimizeUniversalStyleCompaction":
        "Settings for universal compaction: write buffers and the sizes of "
        "files.",
    "tableFactoryName": "The format of table files, by the engine's name.",
    "tableFormatConfig": "The format of table files.",
    "useCappedPrefixExtractor": "Prefixes of keys have at most this length.",
    "useFixedLengthPrefixExtractor": "Prefixes of keys have this length.",
    "walRecoveryMode": "What an opening does with damage in write-ahead logs.",
}


def sentence(name):
    """What an accessor is for, by its name without `set`."""
    return ACCESSORS[lower_first(name[3:]) if name.startswith("set") else name]


INTERFACES = ["DBOptionsInterface", "MutableDBOptionsInterface",
              "ColumnFamilyOptionsInterface",
              "MutableColumnFamilyOptionsInterface",
              "AdvancedColumnFamilyOptionsInterface",
              "AdvancedMutableColumnFamilyOptionsInterface"]


def files():
    result = {f"{name}.java": option_class(name) for name in tables.STRUCTS}
    for name in INTERFACES:
        result[f"{name}.java"] = interface(name)
    return result

"""The enumerations, from java/api/enums.tsv."""

import re

import api
from java_text import doc, source

# What each enumeration is for.
WHAT = {
    "Priority": "A pool of background threads.",
    "TickerType": "A counter of {@link Statistics}.",
    "HistogramType": "A distribution of {@link Statistics}.",
    "CompressionType": "A codec, and the choice of none.",
    "BackgroundErrorReason":
        "What was being done when a background error happened.",
    "BlobGarbageCollectionPolicy":
        "Whether a compaction moves live values out of old blob files.",
    "BuiltinComparator": "An order of keys that the engine has by itself.",
    "CacheEntryRole": "What memory that a cache is charged for is used for.",
    "CacheTier": "The lowest tier of caches that a database uses.",
    "ChecksumType": "How checksums of the blocks of table files are computed.",
    "CompactRangeOptions$BottommostLevelCompaction":
        "What compactRange does with files that are in the last level "
        "already.",
    "CompactionPriority": "Which file of a level is compacted first.",
    "CompactionReason": "Why a compaction runs.",
    "CompactionServiceJobStatus":
        "How a compaction that was given to another process ended.",
    "CompactionStopStyle":
        "When a compaction in universal style takes no more runs.",
    "CompactionStyle": "How table files are arranged and merged.",
    "ConfigOptions$Depth": "How much of objects is looked at.",
    "DataBlockIndexType": "How a lookup finds a key within a data block.",
    "EncodingType": "How plain tables store keys.",
    "FileAccess":
        "How compactions and their like get at table files while users "
        "read theirs from the page cache.",
    "FileType": "What a file of a database is.",
    "FilterPolicyType": "Kinds of filters of table files.",
    "FlushReason": "Why a memtable is flushed.",
    "IOActivity": "What a read or write is done for.",
    "IOPriority": "How urgent input and output is to a rate limiter.",
    "IndexSearchType": "How an index is searched for a key.",
    "IndexShorteningMode": "Which keys of an index are shortened.",
    "IndexType": "What the index of a table file is like.",
    "InfoLogLevel": "How important a line of LOG is.",
    "LoggerType": "Where the lines of a logger go.",
    "MemoryUsageType": "What memory is used for.",
    "OperationStage": "How far a flush or compaction of a thread is.",
    "OperationType": "What a thread does.",
    "PerfLevel":
        "How much a thread measures; each level includes those before it.",
    "PinningTier": "Which blocks of metadata stay in the block cache.",
    "PrepopulateBlobCache": "When values get into the blob cache.",
    "PrepopulateBlockCache": "When blocks get into the block cache.",
    "RateLimiterMode": "What a rate limiter holds back.",
    "ReadTier": "Where a read looks.",
    "ReusedSynchronisationType":
        "How the threads that use a comparator share its buffers.",
    "SanityLevel": "How alike options must be to be taken for the same.",
    "SizeApproximationFlag": "What an approximate size counts.",
    "StateType": "What a thread waits for.",
    "StatsLevel":
        "How much Statistics measures; each level includes those before "
        "it.",
    "TableFileCreationReason": "Why a table file is written.",
    "Temperature":
        "How often the data of a file are read, for a file system that "
        "chooses storage by it.",
    "ThreadType": "Whose a thread is.",
    "TxnDBWritePolicy": "How the log has transactions.",
    "WALRecoveryMode": "What an opening does with damage in write-ahead logs.",
    "WalFileType": "Whether a log is still needed.",
    "WalProcessingOption":
        "What becomes of a record that a WAL filter has seen.",
    "WriteStallCondition": "How far writes are held back.",
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


def documented(name, constant, indent="  "):
    """The documentation of a constant, which each of them must have."""
    if not constant.doc:
        raise SystemExit(f"java/api/enums.tsv does not say what {name}."
                         f"{constant.name} is")
    return doc(constant.doc, indent)


def enum_body(name, constants, members, indent=""):
    """The declaration of an enumeration, nested or not."""
    short = name.rpartition("$")[2]
    has_text = any(c.text for c in constants)
    methods = [m for m in members if "(" in m and
               not re.search(r"\b(values\(\)|valueOf\(String\))", m)]
    lines = [doc(WHAT[name], "")]
    lines.append(f"public enum {short} {{\n")
    rows = []
    for index, c in enumerate(constants):
        value = c.value if c.value is not None else index
        text = (f', "{c.text}"' if c.text and c.text != "null" else ", null"
                ) if has_text else ""
        rows.append(f"{documented(name, c)}  {c.name}((byte) {value}{text})")
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
             "ThreadType": "USER", "Temperature": "UNKNOWN",
             "IOActivity": "kUnknown"}

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
    types = api.types()
    return enum_body(name, api.enums()[name],
                     types[name][1] if name in types else [], "  ")

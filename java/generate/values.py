"""Plain values that the engine hands out: Java classes that read themselves
from packed bytes, and the C++ that packs them."""

from java_text import doc, source, upper_first

# Kind: how Java reads it, how C++ packs it.
READ = {"long": "in.readLong()", "int": "in.readInt()",
        "boolean": "in.readBoolean()", "double": "in.readDouble()",
        "String": "in.readString()", "byte[]": "in.readBytes()",
        "Status": "Status.read(in)",
        "TableProperties": "TableProperties.read(in)",
        "Map<String, String>": "in.readStringMap()"}
PACK = {"long": "Long", "int": "Int", "boolean": "Bool", "String": "Text",
        "byte[]": "Text", "Status": "Status", "double": "Double"}

# Class: (what it is, C++ type, header, extends, rows of (kind, name, C++)).
VALUES = {
    "FlushJobInfo": ("One flush, as listeners are told of it.", "FlushJobInfo", [
        ("long", "columnFamilyId", "cf_id"),
        ("String", "columnFamilyName", "cf_name"),
        ("String", "filePath", "file_path"),
        ("long", "threadId", "thread_id"), ("int", "jobId", "job_id"),
        ("boolean", "triggeredWritesSlowdown", "triggered_writes_slowdown"),
        ("boolean", "triggeredWritesStop", "triggered_writes_stop"),
        ("long", "smallestSeqno", "smallest_seqno"),
        ("long", "largestSeqno", "largest_seqno"),
        ("TableProperties", "tableProperties", "table_properties"),
        ("FlushReason", "flushReason", "flush_reason")]),
    "TableFileDeletionInfo": ("A table file that was deleted.",
                              "TableFileDeletionInfo", [
        ("String", "dbName", "db_name"), ("String", "filePath", "file_path"),
        ("int", "jobId", "job_id"), ("Status", "status", "status")]),
    "MemTableInfo": ("A memtable that was sealed.", "MemTableInfo", [
        ("String", "columnFamilyName", "cf_name"),
        ("long", "firstSeqno", "first_seqno"),
        ("long", "earliestSeqno", "earliest_seqno"),
        ("long", "numEntries", "num_entries"),
        ("long", "numDeletes", "num_deletes")]),
    "ExternalFileIngestionInfo": ("A file that was ingested.",
                                  "ExternalFileIngestionInfo", [
        ("String", "columnFamilyName", "cf_name"),
        ("String", "externalFilePath", "external_file_path"),
        ("String", "internalFilePath", "internal_file_path"),
        ("long", "globalSeqno", "global_seqno"),
        ("TableProperties", "tableProperties", "table_properties")]),
    "WriteStallInfo": ("A change of how writes are held back.",
                       "WriteStallInfo", [
        ("String", "columnFamilyName", "cf_name"),
        ("WriteStallCondition", "currentCondition", "condition.cur"),
        ("WriteStallCondition", "previousCondition", "condition.prev")]),
    "FileOperationInfo": ("An operation on a file. Times are nanoseconds.",
                          "FileOperationInfo", [
        ("String", "path", "path"), ("long", "offset", "offset"),
        ("long", "length", "length"),
        ("long", "startTimestamp", "start_ts.time_since_epoch().count()"),
        ("long", "duration", "duration.count()"),
        ("Status", "status", "status")]),
    "TableProperties": ("What a table file says of itself.", "TableProperties", [
        ("long", n, c) for n, c in [
            ("dataSize", "data_size"), ("indexSize", "index_size"),
            ("indexPartitions", "index_partitions"),
            ("topLevelIndexSize", "top_level_index_size"),
            ("indexKeyIsUserKey", "index_key_is_user_key"),
            ("indexValueIsDeltaEncoded", "index_value_is_delta_encoded"),
            ("filterSize", "filter_size"), ("rawKeySize", "raw_key_size"),
            ("rawValueSize", "raw_value_size"),
            ("numDataBlocks", "num_data_blocks"),
            ("numEntries", "num_entries"), ("numDeletions", "num_deletions"),
            ("numMergeOperands", "num_merge_operands"),
            ("numRangeDeletions", "num_range_deletions"),
            ("formatVersion", "format_version"),
            ("fixedKeyLen", "fixed_key_len"),
            ("columnFamilyId", "column_family_id"),
            ("creationTime", "creation_time"),
            ("oldestKeyTime", "oldest_key_time"),
            ("slowCompressionEstimatedDataSize",
             "slow_compression_estimated_data_size"),
            ("fastCompressionEstimatedDataSize",
             "fast_compression_estimated_data_size")]] + [
        ("byte[]", "columnFamilyName", "column_family_name"),
        ("String", "filterPolicyName", "filter_policy_name"),
        ("String", "comparatorName", "comparator_name"),
        ("String", "mergeOperatorName", "merge_operator_name"),
        ("String", "prefixExtractorName", "prefix_extractor_name"),
        ("String", "propertyCollectorsNames", "property_collectors_names"),
        ("String", "compressionName", "compression_name"),
        ("Map<String, String>", "userCollectedProperties",
         "user_collected_properties"),
        ("Map<String, String>", "readableProperties",
         "readable_properties")]),
}


def java_class(name):
    what, _, rows = VALUES[name]
    text = [doc(what, ""), f"public class {name} {{\n"]
    text += [f"  private final {kind} {prop};\n" for kind, prop, _ in rows]
    text.append(f"\n  {name}(final Unpacker in) {{\n")
    for kind, prop, _ in rows:
        read = READ.get(kind, f"{kind}.of((byte) in.readInt())")
        text.append(f"    {prop} = {read};\n")
    text.append("  }\n\n")
    if name == "TableProperties":
        text.append("  static TableProperties read(final Unpacker in) {\n"
                    "    return new TableProperties(in);\n  }\n\n")
    for kind, prop, field in rows:
        verb = "is" if kind == "boolean" else "get"
        text.append(doc(f"The engine's {field.partition('.')[0]}.", tags=[
            f"@return {{@code {field.partition('(')[0]}}}"]) +
            f"  public {kind} {verb}{upper_first(prop)}() {{\n"
            f"    return {prop};\n  }}\n\n")
    parts = ", ".join(f"new String({p}, StandardCharsets.ISO_8859_1)"
                      if k == "byte[]" else p for k, p, _ in rows)
    shown = " +\n        ".join(
        f'"{", " if i else ""}{p}=" + ' +
        (f"new String({p}, StandardCharsets.UTF_8)" if k == "byte[]" else p)
        for i, (k, p, _) in enumerate(rows))
    text.append(
        "  private Object[] parts() {\n    return new Object[] {\n        " +
        wrapped(parts) + "};\n  }\n\n"
        "  @Override\n  public boolean equals(final Object o) {\n"
        "    return this == o || (o != null && getClass() == o.getClass()\n"
        f"        && Arrays.equals(parts(), (({name}) o).parts()));\n  }}\n\n"
        "  @Override\n  public int hashCode() {\n"
        "    return Arrays.hashCode(parts());\n  }\n\n"
        "  @Override\n  public String toString() {\n"
        f"    return \"{name}{{\" + " + shown + ' + "}";\n  }\n}\n')
    body = "".join(text)
    file = source(body)
    if "StandardCharsets" in body:
        file = file.replace("\nimport java.util.",
                            "\nimport java.nio.charset.StandardCharsets;\n"
                            "import java.util.", 1)
    return file


def wrapped(text):
    return text.replace(", ", ",\n        ")


def files():
    return {f"{name}.java": java_class(name) for name in VALUES}


def cpp():
    """Pack() of each value."""
    text = []
    for name, (_, cpp_type, rows) in VALUES.items():
        text.append(f"void Pack(Packer& out, const {cpp_type}& value) {{\n")
        for kind, _, field in rows:
            if kind == "TableProperties":
                text.append(f"  Pack(out, value.{field});\n")
            elif kind == "Map<String, String>":
                text.append(f"  out.TextMap(value.{field});\n")
            else:
                method = PACK.get(kind, "Enum")
                text.append(f"  out.{method}(value.{field});\n")
        text.append("}\n\n")
    return "".join(text)

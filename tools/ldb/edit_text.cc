#include "tools/ldb/edit_text.h"

#include "rocksdb/unique_id.h"
#include "table/unique_id.h"
#include "tools/ldb/json.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string Number(uint64_t number) { return std::to_string(number); }

// The public form of a table's unique id: "16 hex-16 hex".
std::string PublicUniqueIdText(const UniqueId64x2& internal) {
  const TableUniqueId id = PublicUniqueIdOf({internal.id0, internal.id1, 0});
  std::string bytes;
  PutFixed64(&bytes, id[0]);
  PutFixed64(&bytes, id[1]);
  return UniqueIdToHumanString(bytes);
}

std::string AddedFileLine(const VersionEdit::NewFile& entry, Bytes keys) {
  const FileMeta& file = *entry.file;
  std::string text = "  AddFile: " + Number(entry.level) + " " +
                     Number(file.number) + " " + Number(file.size_bytes) + " " +
                     BoundText(file.smallest, keys) + " .. " +
                     BoundText(file.largest, keys);
  if (file.oldest_blob_file != 0) {
    text += " blob_file:" + Number(file.oldest_blob_file);
  }
  text += " oldest_ancester_time:" + Number(file.oldest_ancestor_time) +
          " file_creation_time:" + Number(file.file_creation_time) +
          " epoch_number:" + Number(file.epoch_number) +
          " file_checksum:" + Slice(file.checksum).ToString(true) +
          " file_checksum_func_name: " +
          ChecksumFunctionName(file.checksum_function);
  if (file.temperature != Temperature::kUnknown) {
    text += " temperature: " + Number(static_cast<uint64_t>(file.temperature));
  }
  if (!file.unique_id.IsZero()) {
    text += " unique_id(internal): {" + Number(file.unique_id.id0) + "," +
            Number(file.unique_id.id1) +
            "} public_unique_id: " + PublicUniqueIdText(file.unique_id);
  }
  return text + " tail size: " + Number(file.tail_size_bytes) +
         " User-defined timestamps persisted: " +
         (file.has_persisted_timestamps ? "true" : "false") + "\n";
}

std::string BlobAdditionText(const BlobFileAddition& blob) {
  return "blob_file_number: " + Number(blob.number) +
         " total_blob_count: " + Number(blob.total_count) +
         " total_blob_bytes: " + Number(blob.total_bytes) +
         " checksum_method: " + blob.checksum_method +
         " checksum_value: " + Slice(blob.checksum_value).ToString(true);
}

std::string FileLines(const VersionEdit& edit, Bytes keys) {
  std::string text;
  for (const auto& [level, cursor] : edit.compaction_cursors) {
    text += "  CompactCursor: " + Number(level) + " " +
            BoundText(cursor, keys) + "\n";
  }
  for (const auto& [level, number] : edit.deleted_files) {
    text += "  DeleteFile: " + Number(level) + " " + Number(number) + "\n";
  }
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    text += AddedFileLine(entry, keys);
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    text += "  BlobFileAddition: " + BlobAdditionText(blob) + "\n";
  }
  for (const BlobFileGarbage& blob : edit.blob_garbage) {
    text += "  BlobFileGarbage: blob_file_number: " + Number(blob.number) +
            " garbage_blob_count: " + Number(blob.garbage_count) +
            " garbage_blob_bytes: " + Number(blob.garbage_bytes) + "\n";
  }
  for (const WalAddition& wal : edit.wal_additions) {
    text += "  WalAddition: log_number: " + Number(wal.number) +
            " synced_size_in_bytes: " +
            (wal.synced_size ? Number(*wal.synced_size) : Number(UINT64_MAX)) +
            "\n";
  }
  if (edit.wals_deleted_before) {
    text += "  WalDeletion: log_number: " + Number(*edit.wals_deleted_before) +
            "\n";
  }
  return text;
}

std::string CounterLines(const VersionEdit& edit) {
  std::string text;
  const auto line = [&text](const char* name, const auto& value) {
    if (value) text += std::string("  ") + name + ": " + Number(*value) + "\n";
  };
  line("LogNumber", edit.log_number);
  line("PrevLogNumber", edit.previous_log_number);
  line("NextFileNumber", edit.next_file_number);
  line("MaxColumnFamily", edit.max_column_family);
  line("MinLogNumberToKeep", edit.min_log_number_to_keep);
  line("LastSeq", edit.last_sequence);
  return text;
}

std::string AddedFileJson(const VersionEdit::NewFile& entry, Bytes keys) {
  const FileMeta& file = *entry.file;
  JsonObject object;
  object.Add("Level", static_cast<uint64_t>(entry.level))
      .Add("FileNumber", file.number)
      .Add("FileSize", file.size_bytes)
      .Add("SmallestIKey", BoundText(file.smallest, keys))
      .Add("LargestIKey", BoundText(file.largest, keys))
      .Add("OldestAncesterTime", file.oldest_ancestor_time)
      .Add("FileCreationTime", file.file_creation_time)
      .Add("EpochNumber", file.epoch_number)
      .Add("FileChecksum", Slice(file.checksum).ToString(true))
      .Add("FileChecksumFuncName",
           ChecksumFunctionName(file.checksum_function));
  if (file.temperature != Temperature::kUnknown) {
    object.Add("Temperature", static_cast<uint64_t>(file.temperature));
  }
  if (file.oldest_blob_file != 0) {
    object.Add("OldestBlobFile", file.oldest_blob_file);
  }
  object.Add("TailSize", file.tail_size_bytes)
      .Add("UserDefinedTimestampsPersisted",
           uint64_t{file.has_persisted_timestamps});
  return object.Text();
}

void AddFilesTo(JsonObject* object, const VersionEdit& edit, Bytes keys) {
  JsonArray deleted;
  for (const auto& [level, number] : edit.deleted_files) {
    deleted.Add(JsonObject()
                    .Add("Level", static_cast<uint64_t>(level))
                    .Add("FileNumber", number)
                    .Text());
  }
  if (!deleted.empty()) object->AddRaw("DeletedFiles", deleted.Text());
  JsonArray added;
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    added.Add(AddedFileJson(entry, keys));
  }
  if (!added.empty()) object->AddRaw("AddedFiles", added.Text());
}

void AddBlobsTo(JsonObject* object, const VersionEdit& edit) {
  JsonArray additions;
  for (const BlobFileAddition& blob : edit.blob_additions) {
    additions.Add(
        JsonObject()
            .Add("BlobFileNumber", blob.number)
            .Add("TotalBlobCount", blob.total_count)
            .Add("TotalBlobBytes", blob.total_bytes)
            .Add("ChecksumMethod", blob.checksum_method)
            .Add("ChecksumValue", Slice(blob.checksum_value).ToString(true))
            .Text());
  }
  if (!additions.empty()) {
    object->AddRaw("BlobFileAdditions", additions.Text());
  }
  JsonArray garbage;
  for (const BlobFileGarbage& blob : edit.blob_garbage) {
    garbage.Add(JsonObject()
                    .Add("BlobFileNumber", blob.number)
                    .Add("GarbageBlobCount", blob.garbage_count)
                    .Add("GarbageBlobBytes", blob.garbage_bytes)
                    .Text());
  }
  if (!garbage.empty()) object->AddRaw("BlobFileGarbages", garbage.Text());
}

void AddLogsTo(JsonObject* object, const VersionEdit& edit) {
  JsonArray additions;
  for (const WalAddition& wal : edit.wal_additions) {
    JsonObject addition;
    addition.Add("LogNumber", wal.number);
    if (wal.synced_size) addition.Add("SyncedSizeInBytes", *wal.synced_size);
    additions.Add(addition.Text());
  }
  if (!additions.empty()) object->AddRaw("WalAdditions", additions.Text());
  if (edit.wals_deleted_before) {
    object->AddRaw(
        "WalDeletion",
        JsonObject().Add("LogNumber", *edit.wals_deleted_before).Text());
  }
}

}  // namespace

std::string BoundText(const InternalKey& bound, Bytes keys) {
  ParsedInternalKey key;
  if (!ParseInternalKey(bound.Encode(), &key)) return "(bad key)";
  return InternalKeyText(key, keys, nullptr);
}

std::string EditLines(const VersionEdit& edit, Bytes keys) {
  std::string text = "VersionEdit {\n";
  if (edit.db_id) text += "  DB ID: " + *edit.db_id + "\n";
  if (edit.comparator_name) {
    text += "  Comparator: " + *edit.comparator_name + "\n";
  }
  if (edit.persist_user_defined_timestamps) {
    text += std::string("  PersistUserDefinedTimestamps: ") +
            (*edit.persist_user_defined_timestamps ? "true" : "false") + "\n";
  }
  text += CounterLines(edit) + FileLines(edit, keys);
  text += "  ColumnFamily: " + Number(edit.column_family) + "\n";
  if (edit.column_family_added) {
    text += "  ColumnFamilyAdd: " + *edit.column_family_added + "\n";
  }
  if (edit.column_family_dropped) text += "  ColumnFamilyDrop\n";
  if (edit.remaining_in_group) {
    text += "  AtomicGroup: " + Number(*edit.remaining_in_group) +
            " entries remains\n";
  }
  if (edit.full_history_ts_low) {
    text += "  FullHistoryTsLow: " +
            Slice(*edit.full_history_ts_low).ToString(true) + "\n";
  }
  if (edit.manifest_compacted_size) {
    text += "  LastCompactedManifestFileSize: " +
            Number(*edit.manifest_compacted_size) + "\n";
  }
  return text + "}";
}

std::string EditJson(const VersionEdit& edit, uint64_t number, Bytes keys) {
  JsonObject object;
  object.Add("EditNumber", number);
  if (edit.db_id) object.Add("DB ID", *edit.db_id);
  if (edit.comparator_name) object.Add("Comparator", *edit.comparator_name);
  const auto add = [&object](const char* name, const auto& value) {
    if (value) object.Add(name, uint64_t{*value});
  };
  add("LogNumber", edit.log_number);
  add("PrevLogNumber", edit.previous_log_number);
  add("NextFileNumber", edit.next_file_number);
  add("MaxColumnFamily", edit.max_column_family);
  add("MinLogNumberToKeep", edit.min_log_number_to_keep);
  add("LastSeq", edit.last_sequence);
  AddFilesTo(&object, edit, keys);
  AddBlobsTo(&object, edit);
  AddLogsTo(&object, edit);
  object.Add("ColumnFamily", uint64_t{edit.column_family});
  if (edit.column_family_added) {
    object.Add("ColumnFamilyAdd", *edit.column_family_added);
  }
  if (edit.column_family_dropped) object.Add("ColumnFamilyDrop", "");
  add("AtomicGroup", edit.remaining_in_group);
  if (edit.full_history_ts_low) {
    object.Add("FullHistoryTsLow",
               Slice(*edit.full_history_ts_low).ToString(true));
  }
  add("LastCompactedManifestFileSize", edit.manifest_compacted_size);
  return object.Text();
}

}  // namespace ROCKSDB_NAMESPACE

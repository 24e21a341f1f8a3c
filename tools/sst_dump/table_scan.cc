#include "tools/sst_dump/table_scan.h"

#include <cstdio>
#include <memory>
#include <sstream>

#include "rocksdb/options.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json_pairs.h"
#include "tools/ldb/progress.h"
#include "tools/sst_dump/lone_table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void ShowEntryAsJson(const LoneTable& file, const ParsedInternalKey& key,
                     const Slice& value) {
  JsonObject object;
  object.Add("file", file.path());
  AddBytes(&object, "key", key.user_key);
  object.Add("sequence", key.sequence).Add("type", uint64_t{key.type});
  AddBytes(&object, "value", value);
  PrintLine(object.Text());
}

// Shows one entry; one whose value is not shown, on standard error. False: the
// value could not be decoded.
bool ShowEntry(const LoneTable& file, const TableScan& scan,
               const ParsedInternalKey& key, const Slice& value) {
  std::string text;
  const ValueState state =
      StoredValueText(key.type, value, scan.values, scan.references, &text);
  const std::string line =
      InternalKeyText(key, scan.keys, file.order()) + " => " + text;
  if (state == ValueState::kShown) {
    PrintLine(line);
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  return state != ValueState::kDamaged;
}

bool EndsScan(const LoneTable& file, const TableScan& scan,
              const Slice& user_key) {
  if (scan.prefix.has_value() && !user_key.starts_with(*scan.prefix)) {
    return true;
  }
  return scan.to.has_value() && file.order()->CompareWithoutTimestamp(
                                    user_key, false, *scan.to, false) >= 0;
}

Status CheckCount(const LoneTable& file, const TableScan& scan,
                  uint64_t count) {
  const bool is_whole = scan.from.empty() && !scan.to.has_value() &&
                        !scan.prefix.has_value() && scan.max_entries == 0;
  const TableProperties& properties = *file.properties();
  const uint64_t expected =
      properties.num_entries - properties.num_range_deletions;
  if (!is_whole || count == expected) return Status::OK();
  return Status::Corruption(
      "Table property expects " + std::to_string(expected) +
      " entries when excluding range deletions, but scanning the table "
      "returned " +
      std::to_string(count) + " entries");
}

}  // namespace

std::string JsonOfProperties(const TableProperties& properties) {
  JsonObject object;
  std::istringstream lines(properties.ToString("\n", "\t"));
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    object.Add(line.substr(0, tab).c_str(), line.substr(tab + 1));
  }
  for (const auto& [name, value] : properties.user_collected_properties) {
    object.Add((name + "_hex").c_str(), Slice(value).ToString(true));
  }
  return object.Text();
}

Status ScanTable(const LoneTable& file, const TableScan& scan,
                 uint64_t* entry_count) {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  read.verify_checksums = scan.verifies_checksums;
  read.readahead_size = scan.readahead_bytes;
  std::unique_ptr<InternalIterator> entries;
  if (Status s = file.NewStoredIterator(read, &entries); !s.ok()) return s;
  const std::string& from = scan.prefix.has_value() ? *scan.prefix : scan.from;
  if (from.empty()) {
    entries->SeekToFirst();
  } else {
    entries->Seek(file.SeekKey(from));
  }
  *entry_count = 0;
  Progress progress(scan.shows_entries ? Progress::BesideOutput::kYes
                                       : Progress::BesideOutput::kNo);
  bool all_are_good = true;
  for (; entries->Valid(); entries->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(entries->key(), &key)) {
      return Status::Corruption("a stored key is no internal key");
    }
    if (EndsScan(file, scan, file.UserKeyOf(entries->key()))) break;
    ++*entry_count;
    progress.Count("entries");
    if (scan.shows_entries && scan.as_json) {
      ShowEntryAsJson(file, key, entries->value());
    } else if (scan.shows_entries) {
      all_are_good &= ShowEntry(file, scan, key, entries->value());
    }
    if (*entry_count == scan.max_entries) break;
  }
  if (Status s = entries->status(); !s.ok()) return s;
  if (!all_are_good) {
    return Status::Corruption("an entry's value could not be decoded");
  }
  return CheckCount(file, scan, *entry_count);
}

}  // namespace ROCKSDB_NAMESPACE

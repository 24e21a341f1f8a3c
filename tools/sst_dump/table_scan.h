// Goes through the entries of a table file, and shows them if asked to.
//
// Threads  One.
// Errors   In the status; what was shown before stands on standard output.
//          Corruption: an entry could not be decoded, or the file holds another
//          number of entries than its properties say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "tools/ldb/entry_text.h"

namespace ROCKSDB_NAMESPACE {

class LoneTable;

struct TableScan {
  std::string from;  // user keys; empty: the first one
  std::optional<std::string> to;
  std::optional<std::string> prefix;
  // Stops after so many entries; 0: never.
  uint64_t max_entries = 0;
  bool shows_entries = true;
  bool as_json = false;  // an object for each entry
  bool verifies_checksums = false;
  size_t readahead_bytes = 2 << 20;
  Bytes keys = Bytes::kPlain;
  Bytes values = Bytes::kPlain;
  BlobReferences references = BlobReferences::kRaw;
};

// Names and values as the tools print them, as one object.
std::string JsonOfProperties(const TableProperties& properties);

// *entry_count: how many entries were met.
Status ScanTable(const LoneTable& file, const TableScan& scan,
                 uint64_t* entry_count);

}  // namespace ROCKSDB_NAMESPACE

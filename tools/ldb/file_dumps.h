// Shows one file of a database: a log, a table, a manifest or a blob file, as
// its name says.
//
// Errors   In the result: what stands on standard output is what could be read
//          before.
// Threads  One.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rocksdb/env.h"
#include "tools/ldb/dump_outcome.h"
#include "tools/ldb/entry_text.h"

namespace ROCKSDB_NAMESPACE {

struct FileDumpRequest {
  std::string path;
  Env* env = nullptr;
  Bytes keys = Bytes::kPlain;
  Bytes values = Bytes::kPlain;
  // For a table: shows user keys in [from, to).
  std::string from;
  std::optional<std::string> to;
  bool decodes_blob_references = false;
  // For a blob file: shows values uncompressed.
  bool uncompresses_blobs = false;
  // Objects alone, one on each line.
  bool as_json = false;
  // For a log: the comparators of the known families, by id. Null: none.
  const std::map<uint32_t, const Comparator*>* comparators = nullptr;
};

DumpOutcome DumpFileByName(const FileDumpRequest& request);

}  // namespace ROCKSDB_NAMESPACE

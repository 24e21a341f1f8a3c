// Writes all that is in a table file as text, for people: footer, metaindex,
// properties, index, range deletions, and each data block with its entries.
//
// Errors   Corruption names the block; IOError: the text could not be written.
//          No text is left then.
// Threads  One.
#pragma once

#include <string>

#include "rocksdb/env.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LoneTable;

struct RawDump {
  Env* env = nullptr;
  std::string output;  // the file to write; one that is there is replaced
  bool shows_sequences = false;
};

Status WriteRawDump(const LoneTable& table, const RawDump& dump);

}  // namespace ROCKSDB_NAMESPACE

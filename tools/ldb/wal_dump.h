// Shows the batches of a write-ahead log, a line each.
//
// Errors   In the result. A damaged record ends the dump; what was before it
//          stands on standard output.
// Threads  One.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "tools/ldb/dump_outcome.h"

namespace ROCKSDB_NAMESPACE {

struct WalDumpRequest {
  std::string path;  // a log, or a directory with logs
  Env* env = nullptr;
  bool has_header = false;
  bool shows_values = false;
  // Batches of write-prepared transactions are an error.
  bool expects_committed = true;
  // An object on each line.
  bool as_json = false;
  // Only batches that do not follow the one before.
  bool shows_only_gaps = false;
  // The orders of the families that are known, by id.
  const std::map<uint32_t, const Comparator*>* comparators = nullptr;
};

DumpOutcome DumpWal(const WalDumpRequest& request);

}  // namespace ROCKSDB_NAMESPACE

// The newest state of a database whose files are there, by any of its manifests
// (best_efforts_recovery).
//
// Threads  A plain function.
// Errors   Corruption: no manifest is of use. What cannot be read now is an
//          error of its own: it may well be there, and older data would take
//          its place for good.
#pragma once

#include <string>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "options/db_options.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct BestEffortsOpen {
  const ImmutableDBOptions* db = nullptr;
  std::string db_path;
  // They tell where the families' files are.
  const std::vector<ColumnFamilyDescriptor>* descriptors = nullptr;
};

Status ReplayBestEfforts(const BestEffortsOpen& open, ManifestReplay* replay);

// Null: it is not listed.
const ColumnFamilyDescriptor* FindDescriptor(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const std::string& name);

}  // namespace ROCKSDB_NAMESPACE

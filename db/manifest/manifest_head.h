// The whole state of a database as edits: the head of a new manifest
// (db-format.md 4.10).
//
// Threads  Under the DB mutex.
#pragma once

#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/needed_logs.h"
#include "db/version/version_edit.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct ManifestState {
  std::string db_id;  // empty: it is not written
  const NeededLogs* logs = nullptr;
  SequenceNumber last_sequence = 0;
  const ColumnFamilySet* families = nullptr;
};

std::vector<VersionEdit> HeadOfManifest(const ManifestState& state);

}  // namespace ROCKSDB_NAMESPACE

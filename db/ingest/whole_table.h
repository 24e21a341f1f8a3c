// A live table written anew with the values inside that it has in blob files:
// what goes into an export in its place, as an export names tables alone.
//
// The entries are the same, key by key, with their sequences. Of tombstones,
// which are cut to the file's bounds, one goes that a newer one outdoes.
//
// Threads    Any, without the DB mutex: all of it is I/O.
// Ownership  The new file is the caller's, and in no version: Discard() it.
// Errors     The first one, naming the file; then no file is left.
#pragma once

#include "db/outputs/job_context.h"
#include "db/tables/file_meta.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

class VersionStorage;

struct WholeTableRequest {
  const JobContext* job = nullptr;
  // Belongs to the version that lists the file; the caller keeps it alive.
  const VersionStorage* storage = nullptr;
  const MutableCFOptions* options = nullptr;
  FileRef file;
  int level = 0;
};

// The new table lies in the family's first path, durable but for its name.
Status WriteWholeTable(const WholeTableRequest& request, FileRef* made);

}  // namespace ROCKSDB_NAMESPACE

// Calls of newer engines that benchmarks measure.
//
// Like engine.h: what the linked engine lacks is looked for when this is
// compiled, and answered with NotSupported.
//
// Threads    As the calls of the engine that they begin with.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "tools/db_bench/targets.h"

namespace ROCKSDB_NAMESPACE::bench {

// Looks up the entities of all keys; the three have the same size.
Status MultiGetEntities(const Target& target, const ReadOptions& options,
                        const std::vector<Slice>& keys,
                        std::vector<PinnableWideColumns>* entities,
                        std::vector<Status>* statuses);

// Opens a file whose values of at least so many bytes lie beside its blocks.
Status OpenWithBlobs(SstFileWriter* writer, const std::string& path,
                     uint64_t smallest_blob);

struct IngestSettings {
  bool fills_cache = true;
  bool prefetches_last_level = true;
  int opening_threads = 1;
  bool uses_file_info = false;
};
// The files move into the database.
Status IngestFiles(const Target& target, const std::vector<std::string>& files,
                   const IngestSettings& settings);

}  // namespace ROCKSDB_NAMESPACE::bench

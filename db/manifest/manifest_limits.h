// When a new manifest is started, and how it is laid out: dynamic options.
#pragma once

#include <cstddef>
#include <cstdint>

#include "options/db_options.h"

namespace ROCKSDB_NAMESPACE {

struct ManifestLimits {
  ManifestLimits() : ManifestLimits(MutableDBOptions()) {}
  explicit ManifestLimits(const MutableDBOptions& options)
      : max_file_bytes(options.max_manifest_file_size),
        max_space_amp_percent(options.max_manifest_space_amp_pct),
        preallocation_bytes(options.manifest_preallocation_size) {}

  uint64_t max_file_bytes;
  int max_space_amp_percent;
  size_t preallocation_bytes;
};

}  // namespace ROCKSDB_NAMESPACE

// The options of features that have no C++ interface yet, so that programs
// may set and read them; what takes them answers that it is not built.
//
// Why  Clients set options before they open; a setter has no way to fail.
// Each of them gives way to the C++ struct of its name when that comes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::c_api {

struct TraceOptions {
  uint64_t max_trace_file_size = uint64_t{64} << 30;
  uint64_t sampling_frequency = 1;
  uint64_t filter = 0;
  bool preserve_write_order = false;
};

struct ReplayOptions {
  uint32_t num_threads = 1;
  double fast_forward = 1.0;
};

struct BlockCacheTraceOptions {
  uint64_t sampling_frequency = 1;
};

struct BlockCacheTraceWriterOptions {
  uint64_t max_trace_file_size = uint64_t{64} << 30;
};

}  // namespace ROCKSDB_NAMESPACE::c_api

#include "tools/db_bench/traces.h"

#include <gflags/gflags.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/trace_reader_writer.h"
#include "tools/db_bench/trace_flags.h"

DEFINE_string(trace_file, "",
              "Trace of operations: written while benchmarks run, and what "
              "replay reads.");
DEFINE_double(trace_replay_fast_forward, 1.0,
              "How many times faster than they were operations are replayed.");
DEFINE_int32(trace_replay_threads, 1, "Threads that replay runs them in.");
DEFINE_string(block_cache_trace_file, "",
              "Trace of the block cache, written while benchmarks run.");
DEFINE_int32(block_cache_trace_sampling_frequency, 1,
             "One block of so many is in that trace.");
DEFINE_int64(block_cache_trace_max_trace_file_size_in_bytes,
             int64_t{64} * 1024 * 1024 * 1024,
             "Nothing more is written to such a trace that is larger.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status OpenTrace(const std::string& path,
                 std::unique_ptr<TraceWriter>* writer) {
  return NewFileTraceWriter(Env::Default(), EnvOptions(), path, writer);
}

}  // namespace

Status Traces::Begin() {
  if (db_ == nullptr) return Status::OK();
  std::unique_ptr<TraceWriter> writer;
  Status s;
  if (!FLAGS_trace_file.empty()) {
    s = OpenTrace(FLAGS_trace_file, &writer);
    if (s.ok()) s = db_->StartTrace(TraceOptions(), std::move(writer));
    if (!s.ok()) return s;
    printf("Tracing the workload to: [%s]\n", FLAGS_trace_file.c_str());
    has_operations_ = true;
  }
  if (!FLAGS_block_cache_trace_file.empty()) {
    if (FLAGS_block_cache_trace_sampling_frequency <= 0 ||
        FLAGS_block_cache_trace_max_trace_file_size_in_bytes < 0) {
      return Status::InvalidArgument(
          "--block_cache_trace_*",
          "a sampling frequency of 1 or more and a size are expected");
    }
    TraceOptions options;
    options.sampling_frequency =
        static_cast<uint64_t>(FLAGS_block_cache_trace_sampling_frequency);
    options.max_trace_file_size = static_cast<uint64_t>(
        FLAGS_block_cache_trace_max_trace_file_size_in_bytes);
    s = OpenTrace(FLAGS_block_cache_trace_file, &writer);
    if (s.ok()) s = db_->StartBlockCacheTrace(options, std::move(writer));
    if (!s.ok()) return s;
    printf("Tracing block cache accesses to: [%s]\n",
           FLAGS_block_cache_trace_file.c_str());
    has_blocks_ = true;
  }
  return s;
}

Status Traces::End() {
  Status s;
  if (std::exchange(has_operations_, false)) s = db_->EndTrace();
  if (std::exchange(has_blocks_, false)) {
    const Status blocks = db_->EndBlockCacheTrace();
    if (s.ok()) s = blocks;
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::bench

// The flags of traces.

#pragma once

#include <gflags/gflags.h>

DECLARE_string(trace_file);
DECLARE_double(trace_replay_fast_forward);
DECLARE_int32(trace_replay_threads);
DECLARE_string(block_cache_trace_file);
DECLARE_int32(block_cache_trace_sampling_frequency);
DECLARE_int64(block_cache_trace_max_trace_file_size_in_bytes);

// How fast the compactions below level 0 need to be: so fast that they keep up
// with what users write, and faster the more work has piled up.
//
// Pure: decided from counts, so that it is tested by tables of cases.
#pragma once

#include <cstdint>

#include "db/version/version_storage.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

// Bytes that compactions below level 0 read and write, in the end, for each
// byte that leaves level 0: every level that it passes is rewritten by its own
// ratio to the one above.
double DeepBytesPerIngestedByte(const VersionStorage& storage);

// The debt at which nothing is spread any more: what four base levels hold, a
// quarter of the soft limit at most.
uint64_t DebtToRunFreely(const MutableCFOptions& options);

struct CompactionPaceInput {
  // 0: not known.
  uint64_t ingest_bytes_per_second = 0;
  double deep_bytes_per_ingested_byte = 0;
  uint64_t debt_bytes = 0;
  uint64_t free_running_debt_bytes = 0;
  uint64_t device_bytes_per_second = 0;
};

// Bytes a second, reads and writes together; 0: as fast as it goes. What is
// needed to keep up and a tenth more, a tenth of the device at least; divided
// by what is left of the debt at which nothing is spread.
uint64_t DeepCompactionRate(const CompactionPaceInput& input);

}  // namespace ROCKSDB_NAMESPACE

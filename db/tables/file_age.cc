#include "db/tables/file_age.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

uint64_t UniversalPeriodSeconds(const MutableCFOptions& options) {
  const uint64_t periodic = options.periodic_compaction_seconds;
  if (options.ttl == 0 || periodic == 0) return std::max(options.ttl, periodic);
  return std::min(options.ttl, periodic);
}

Temperature TemperatureByAge(const FileMeta& file,
                             const MutableCFOptions& options,
                             uint64_t now_seconds) {
  const CompactionOptionsFIFO& fifo = options.compaction_options_fifo;
  Temperature wanted = Temperature::kUnknown;
  if (IsOlderThan(file, fifo.age_for_warm, now_seconds)) {
    wanted = Temperature::kWarm;
  }
  uint64_t last_age = 0;
  for (const FileTemperatureAge& threshold :
       fifo.file_temperature_age_thresholds) {
    INVARIANT(threshold.age >= last_age);  // options/constraints.cc
    last_age = threshold.age;
    if (IsOlderThan(file, threshold.age, now_seconds)) {
      wanted = threshold.temperature;
    }
  }
  return wanted == file.temperature ? Temperature::kUnknown : wanted;
}

}  // namespace ROCKSDB_NAMESPACE

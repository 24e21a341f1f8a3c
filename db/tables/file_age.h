// Ages of table files, and the limits that options set them.
#pragma once

#include <cstdint>

#include "db/tables/file_meta.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

// When the file was written, as far as it knows; a file that recovery made
// knows only when its data came.
inline uint64_t CreatedSeconds(const FileMeta& file) {
  return file.file_creation_time != kUnknownTime ? file.file_creation_time
                                                 : file.oldest_ancestor_time;
}

// False if `since` is not known, or limit_seconds is 0.
inline bool IsLongerAgo(uint64_t since, uint64_t limit_seconds,
                        uint64_t now_seconds) {
  return limit_seconds > 0 && since != kUnknownTime &&
         now_seconds > limit_seconds && since < now_seconds - limit_seconds;
}

inline bool IsOlderThan(const FileMeta& file, uint64_t limit_seconds,
                        uint64_t now_seconds) {
  return IsLongerAgo(CreatedSeconds(file), limit_seconds, now_seconds);
}

// Universal compaction knows one age only: the lesser of the two that are set.
uint64_t UniversalPeriodSeconds(const MutableCFOptions& options);

// What file_temperature_age_thresholds and age_for_warm want for a file of
// level 0 in FIFO style; kUnknown: nothing.
Temperature TemperatureByAge(const FileMeta& file,
                             const MutableCFOptions& options,
                             uint64_t now_seconds);

}  // namespace ROCKSDB_NAMESPACE

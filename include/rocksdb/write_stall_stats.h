#pragma once

// The keys of the maps that DB::Properties::kCFWriteStallStats and
// kDBWriteStallStats answer with.
//
// Threads    Any.

#include <string>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct WriteStallStatsMapKeys {
  static const std::string& TotalStops();
  static const std::string& TotalDelays();
  static const std::string& CFL0FileCountLimitDelaysWithOngoingCompaction();
  static const std::string& CFL0FileCountLimitStopsWithOngoingCompaction();
  // How often `cause` led to `condition`. Empty where it cannot.
  static std::string CauseConditionCount(WriteStallCause cause,
                                         WriteStallCondition condition);
};

}  // namespace ROCKSDB_NAMESPACE

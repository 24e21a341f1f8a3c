// What the engine makes of options before it uses them: zeros that mean "you
// choose" become values, and impossible combinations the nearest possible one.
//
// What is written to OPTIONS files, and what DB::GetOptions() answers, are the
// sanitised options.
//
// Threads  Pure functions.
// Errors   None; what cannot be mended is refused by options/constraints.h.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableDBOptions;
struct MutableDBOptions;

// `dbname` is the database's directory: it becomes the only path where there
// is none. info_log stays null if it is: who opens the file sets it.
DBOptions SanitizeDBOptions(const std::string& dbname, const DBOptions& source);

ColumnFamilyOptions SanitizeColumnFamilyOptions(
    const ImmutableDBOptions& db, const ColumnFamilyOptions& source);

// One line for each option that the caller set, and that the engine uses with
// another value: "name=value is taken as value". Defaults are not told of.
std::vector<std::string> DescribeChanges(const DBOptions& given,
                                         const DBOptions& used);
std::vector<std::string> DescribeChanges(const ColumnFamilyOptions& given,
                                         const ColumnFamilyOptions& used);

// Threads of both pools that the options ask for.
struct BackgroundLimits {
  int flushes = 1;
  int compactions = 1;
};
// `compaction_speedup`: compactions are behind, so all of them may run.
BackgroundLimits ComputeBackgroundLimits(const MutableDBOptions& options,
                                         bool compaction_speedup = true);

}  // namespace ROCKSDB_NAMESPACE

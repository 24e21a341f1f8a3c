// What breaks a rule that can be counted, and why it may. Short, and it only
// shrinks: one that nothing needs any more fails the test.
#pragma once

#include <array>
#include <string_view>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::tidy {

struct Exception {
  std::string_view rule;
  std::string_view path;  // a file's path, or a prefix of paths
  std::string_view why;
};

inline constexpr std::array kExceptions = {
    Exception{
        "FileLengths", "include/rocksdb/options.h",
        "RocksDB has these structs in one header, which programs include"},
    Exception{"FileLengths", "include/rocksdb/db.h",
              "the one class DB, whose calls have their manual beside them"},
    Exception{"FileLengths", "java/src/main/java/org/rocksdb/RocksDB.java",
              "one class of Java is one file, and this one has RocksDB's 215 "
              "public members with their documentation"},
    Exception{"FileLengths", "java/src/main/java/org/rocksdb/Transaction.java",
              "the same of its 105 members, forms of five calls for the most"},
    Exception{"ParameterCounts", "cache/slice_helper.cc",
              "a callback with RocksDB's parameters, and a constructor's call"},
    Exception{"ParameterCounts", "util/registered_option_calls.h",
              "OptionTypeInfo::AreEqual's parameters, passed on as they are"},
    Exception{"TestHooks", "include/rocksdb/utilities/ldb_cmd.h",
              "two accessors of RocksDB's class have such names"},
    Exception{"Friends", "include/rocksdb/configurable.h",
              "what registered options mean is known on a floor above, and "
              "RocksDB's class has no name for it"},
    Exception{"HeadersReached", "db/impl/",
              "where the parts of all rooms are put together"},
    Exception{"HeadersReached", "tests/db/compaction/",
              "compaction jobs for real, without a database"},
    Exception{"HeadersReached", "tests/db/flush/flush_job_test.cc",
              "flush jobs for real, without a database"},
    Exception{"HeadersReached", "tests/db/files/file_room_test.cc",
              "a manifest, logs and tables for real, without a database"},
    Exception{"HeadersReached", "tests/db/files/log_keeper_test.cc",
              "a manifest and logs for real, without a database"},
    Exception{"HeadersReached", "tests/db/intake/",
              "versions, logs and memtables for real, without a database"},
    Exception{"HeadersReached", "tests/db/jobs/",
              "jobs, versions and tables for real, without a database"},
    Exception{"HeadersReached", "tests/db/lookup/read_port_test.cc",
              "versions and memtables for real, without a database"},
    Exception{"HeadersReached", "tests/db/recovery/catch_up_test.cc",
              "a database that writes, for real, and one that follows it"},
    Exception{"HeadersReached", "tests/db/recovery/log_recovery_test.cc",
              "logs, manifests and tables for real, without a database"},
    Exception{"HeadersReached", "tests/db/outputs/output_file_test.cc",
              "a job's file for real, without a database"},
    Exception{"HeadersReached", "tests/db/observe/observatory_test.cc",
              "each part that is observed, without a database"},
};

}  // namespace ROCKSDB_NAMESPACE::tidy

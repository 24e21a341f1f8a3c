#pragma once

// `ldb`, the tool that reads and mends databases, inside another program: with
// the program's own comparators, operators and file systems, which the tool
// as it is installed cannot know.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// How a program shows its keys. Const calls may come from any thread.
class SliceFormatter {
 public:
  virtual ~SliceFormatter() {}
  virtual std::string Format(const Slice& s) const = 0;
};

struct LDBOptions {
  LDBOptions();

  // How get, scan, dump and their like show keys that are not asked for in hex.
  // Null: byte by byte, as they are.
  // Default: null
  std::shared_ptr<SliceFormatter> key_formatter;

  // The first line of the usage text.
  std::string print_help_header = "ldb - RocksDB Tool";
};

class LDBTool {
 public:
  // Runs the command in argv[1...] and ends the process with its exit code.
  // Prefer RunAndReturn().
  void Run(
      int argc, char** argv, Options db_options = Options(),
      const LDBOptions& ldb_options = LDBOptions(),
      const std::vector<ColumnFamilyDescriptor>* column_families = nullptr);

  // Runs the command in argv[1...]. The command's results go to standard
  // output, errors to standard error.
  //
  // Arguments  `db_options` is what the database is opened with, where neither
  //            its OPTIONS file nor the command line says otherwise; a
  //            comparator in it holds for every family. With `column_families`
  //            exactly those are opened, and the families of the OPTIONS file
  //            are not looked at.
  // Result     0: all of it succeeded. 1: something failed, half way too.
  int RunAndReturn(
      int argc, char** argv, const Options& db_options = Options(),
      const LDBOptions& ldb_options = LDBOptions(),
      const std::vector<ColumnFamilyDescriptor>* column_families = nullptr);
};

}  // namespace ROCKSDB_NAMESPACE

// The OPTIONS file as text: sections of name=value lines.
//
//   [Version]                           once, first
//   [DBOptions]                         once
//   [CFOptions "name"]                  for each family, "default" first
//   [TableOptions/Factory "name"]       behind its family
//
// Opens no file: callers read and write the text.
//
// Threads  Pure functions.
// Errors   InvalidArgument or Corruption, with file name and line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "options/text.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct NamedFamily {
  std::string name;
  ColumnFamilyOptions options;
  // The lines that the options were read from; empty for live options.
  OptionTexts texts = {};
};

struct OptionsFile {
  DBOptions db;
  std::vector<NamedFamily> families;
  // The version that wrote the file: up to three numbers, as in "11.9.0".
  std::vector<int> rocksdb_version;
};

// The text of a file for these options. PRECONDITION: the first family is
// "default".
std::string PrintOptionsFile(const OptionsFile& options);

// Unknown names are errors unless config.ignore_unknown_options is set.
Status ParseOptionsFile(const ConfigOptions& config,
                        const std::string& file_name, std::string_view text,
                        OptionsFile* result);

// The names of the families in a file, in its order, whatever their options.
Status ParseFamilyNames(const std::string& file_name, std::string_view text,
                        std::vector<std::string>* names);

// The text of a file for a copy of the database that lies elsewhere: without
// the families of these names, and without the original's wal_dir. `wal_dir` is
// where the copy's logs are; empty: beside its tables.
std::string OptionsForCopy(std::string_view text,
                           const std::set<std::string>& left_out = {},
                           const std::string& wal_dir = "");

// InvalidArgument, naming the option and both values, if the two differ in a
// way that config.sanity_level does not allow. Families are matched by name.
Status CompareOptions(const ConfigOptions& config, const OptionsFile& a,
                      const OptionsFile& b);

// For the check after writing: parses `text` and compares it with `options`.
Status VerifyOptionsFile(const std::string& file_name, std::string_view text,
                         const OptionsFile& options);

}  // namespace ROCKSDB_NAMESPACE

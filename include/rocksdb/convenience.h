// Options to and from text, and calls that combine several of the DB's.
//
// Threads  Every call from any thread.
// Errors   InvalidArgument names the option and the value that is wrong; the
//          result is then untouched.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class Env;
class Logger;
class ObjectRegistry;
struct BlockBasedTableOptions;
struct ColumnFamilyOptions;
struct DBOptions;
struct EnvOptions;
struct Options;
struct PlainTableOptions;
class MemTableRepFactory;
struct RangeOpt;
struct RangePtr;
struct ReadOptions;

// How text becomes options, and options text.
struct ConfigOptions {
  static constexpr int kMinSupportedOptionFileVersion = 1;

  enum Depth {
    kDepthDefault,  // objects with their own options inside
    kDepthShallow,  // names of objects only
    kDepthDetailed,
  };

  // How alike two sets of options must be.
  enum SanityLevel : unsigned char {
    kSanityLevelNone = 0x01,
    // No difference that changes how data are read.
    kSanityLevelLooselyCompatible = 0x02,
    kSanityLevelExactMatch = 0xFF,
  };

  ConfigOptions();
  explicit ConfigOptions(const DBOptions& db_options);

  // Names that no option has are passed over; else InvalidArgument.
  bool ignore_unknown_options = false;

  // Objects that cannot be made are left null; else NotSupported.
  bool ignore_unsupported_options = true;

  // Strings hold escapes (\# \: \\ \n \r). Default: true.
  bool input_strings_escaped = true;

  // Objects are told to prepare once they are made. Default: true.
  bool invoke_prepare_options = true;

  // Only dynamic options are looked at.
  bool mutable_options_only = false;

  // Between options in text that is printed.
  std::string delimiter = ";";

  // How much of objects is written and compared.
  Depth depth = Depth::kDepthDefault;
  SanityLevel sanity_level = SanityLevel::kSanityLevelExactMatch;

  // For reading OPTIONS files. Default: 512 KiB.
  size_t file_readahead_size = 512 * 1024;

  Env* env = nullptr;

  // Where the objects that text names are looked up before the built-in ones:
  // see rocksdb/utilities/object_registry.h. The constructors make a new one
  // below ObjectRegistry::Default(), which nullptr stands for as well.
  std::shared_ptr<ObjectRegistry> registry;

  bool IsShallow() const { return depth == Depth::kDepthShallow; }
  bool IsDetailed() const { return depth == Depth::kDepthDetailed; }
  bool IsCheckDisabled() const {
    return sanity_level == SanityLevel::kSanityLevelNone;
  }
  bool IsCheckEnabled(SanityLevel level) const {
    return level > SanityLevel::kSanityLevelNone && level <= sanity_level;
  }
};

// Each sets the named options over `base` and puts the result in `*out`.
// Structs are {a=1;b=2}, one member of them is name.a; lists are joined by
// colons; integers take the suffixes k, m, g and t.
Status GetColumnFamilyOptionsFromMap(
    const ConfigOptions& config_options, const ColumnFamilyOptions& base,
    const std::unordered_map<std::string, std::string>& opts_map,
    ColumnFamilyOptions* out);
Status GetDBOptionsFromMap(
    const ConfigOptions& config_options, const DBOptions& base,
    const std::unordered_map<std::string, std::string>& opts_map,
    DBOptions* out);
Status GetBlockBasedTableOptionsFromMap(
    const ConfigOptions& config_options, const BlockBasedTableOptions& base,
    const std::unordered_map<std::string, std::string>& opts_map,
    BlockBasedTableOptions* out);
Status GetPlainTableOptionsFromMap(
    const ConfigOptions& config_options, const PlainTableOptions& base,
    const std::unordered_map<std::string, std::string>& opts_map,
    PlainTableOptions* out);

// The same from "name=value;name=value".
Status GetColumnFamilyOptionsFromString(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& base,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* out);
Status GetDBOptionsFromString(const ConfigOptions& config_options,
                              const DBOptions& base,
                              const std::string& opts_str, DBOptions* out);
Status GetBlockBasedTableOptionsFromString(const ConfigOptions& config_options,
                                           const BlockBasedTableOptions& base,
                                           const std::string& opts_str,
                                           BlockBasedTableOptions* out);
Status GetPlainTableOptionsFromString(const ConfigOptions& config_options,
                                      const PlainTableOptions& base,
                                      const std::string& opts_str,
                                      PlainTableOptions* out);
Status GetOptionsFromString(const Options& base, const std::string& opts_str,
                            Options* out);
Status GetOptionsFromString(const ConfigOptions& config_options,
                            const Options& base, const std::string& opts_str,
                            Options* out);

// All options as text that the calls above take.
Status GetStringFromDBOptions(const ConfigOptions& config_options,
                              const DBOptions& db_options,
                              std::string* opts_str);
Status GetStringFromDBOptions(std::string* opts_str,
                              const DBOptions& db_options,
                              const std::string& delimiter = ";  ");
Status GetStringFromColumnFamilyOptions(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& cf_options,
                                        std::string* opts_str);
Status GetStringFromColumnFamilyOptions(std::string* opts_str,
                                        const ColumnFamilyOptions& cf_options,
                                        const std::string& delimiter = ";  ");

// "kZSTD" and so on; InvalidArgument for an unknown value.
Status GetStringFromCompressionType(std::string* compression_str,
                                    CompressionType compression_type);

// The codecs that this build has.
std::vector<CompressionType> GetSupportedCompressions();

// Splits "a=1;b={c=2;d=3}" at the top level.
Status StringToMap(const std::string& opts_str,
                   std::unordered_map<std::string, std::string>* opts_map);
// The reverse: values with a ';' or '=' stand in braces.
Status MapToString(const std::unordered_map<std::string, std::string>& opts_map,
                   std::string* opts_str);

// Makes a memtable factory from text: see
// MemTableRepFactory::CreateFromString(). Unknown names are NotSupported.
Status GetMemTableRepFactoryFromString(
    const std::string& opts_str,
    std::unique_ptr<MemTableRepFactory>* new_mem_factory);

// Stops flushes and compactions for good; with `wait`, returns when none runs.
// What was written without a log is flushed before, unless
// avoid_flush_during_shutdown is set; if that fails, LOG says so.
void CancelAllBackgroundWork(DB* db, bool wait = false);

// Deletes table files that lie wholly within [begin, end]; null = open end.
Status DeleteFilesInRange(DB* db, ColumnFamilyHandle* column_family,
                          const Slice* begin, const Slice* end,
                          bool include_end = true);
Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangePtr* ranges, size_t n,
                           bool include_end = true);

// The same for ends that may be missing.
Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangeOpt* ranges, size_t n,
                           bool include_end = true);

// Reads every block of a table file and checks its checksum. `largest_seqno`
// is that of the file in its database; it makes no difference.
Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const std::string& file_path);
Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const ReadOptions& _read_options,
                             const std::string& file_path,
                             const SequenceNumber& largest_seqno = 0);

}  // namespace ROCKSDB_NAMESPACE

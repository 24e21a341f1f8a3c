// DB::OpenAndCompact(): the worker of a remote compaction.
#include "db/compaction/remote_compaction.h"
#include "db/impl/builtin_objects.h"
#include "db/impl/compactor_db.h"
#include "db/impl/open_request.h"
#include "file/auto_roll_logger.h"
#include "monitoring/stop_watch.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/options_util.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct WorkerOptions {
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
};

// Options of either kind, by name.
Status ApplyNamed(const CompactionServiceOptionsOverride& with, DBOptions* db,
                  ColumnFamilyOptions* family) {
  for (const auto& option : with.options_map) {
    const std::unordered_map<std::string, std::string> one{option};
    const ConfigOptions config;
    const ColumnFamilyOptions old_family = *family;
    Status s = GetColumnFamilyOptionsFromMap(config, old_family, one, family);
    if (s.ok()) continue;
    *family = old_family;
    const DBOptions old_db = *db;
    s = GetDBOptionsFromMap(config, old_db, one, db);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

void Apply(const CompactionServiceOptionsOverride& with,
           ColumnFamilyOptions* family) {
  INVARIANT(with.comparator != nullptr);
  family->comparator = with.comparator;
  family->merge_operator = with.merge_operator;
  family->compaction_filter = with.compaction_filter;
  family->compaction_filter_factory = with.compaction_filter_factory;
  family->prefix_extractor = with.prefix_extractor;
  if (with.table_factory != nullptr) family->table_factory = with.table_factory;
  family->sst_partitioner_factory = with.sst_partitioner_factory;
  family->table_properties_collector_factories =
      with.table_properties_collector_factories;
}

void Apply(const CompactionServiceOptionsOverride& with, DBOptions* db) {
  db->env = with.env;
  db->file_checksum_gen_factory = with.file_checksum_gen_factory;
  db->listeners = with.listeners;
  db->statistics = with.statistics;
  db->info_log = with.info_log;
}

// Loads the OPTIONS file; `with` and `request` say what the file cannot.
Status LoadOptions(const std::string& name, const std::string& directory,
                   const RemoteCompactionRequest& request,
                   const CompactionServiceOptionsOverride& with,
                   WorkerOptions* options) {
  ConfigOptions config;
  config.env = with.env;
  config.ignore_unknown_options = true;
  std::vector<ColumnFamilyDescriptor> all;
  Status s = LoadLatestOptions(config, name, &options->db, &all);
  if (!s.ok()) return s;
  Apply(with, &options->db);
  bool is_found = false;
  for (ColumnFamilyDescriptor& family : all) {
    const bool is_wanted = family.name == request.family;
    if (!is_wanted && family.name != kDefaultColumnFamilyName) continue;
    if (is_wanted) {
      is_found = true;
      Apply(with, &family.options);
      // The primary asks only while it writes none, and may since have begun.
      family.options.enable_blob_files = false;
      s = ApplyNamed(with, &options->db, &family.options);
      if (!s.ok()) return s;
      if (family.options.enable_blob_files) {
        return Status::NotSupported("enable_blob_files of a worker");
      }
      family.options.cf_paths.clear();
      for (const std::string& path : request.paths) {
        family.options.cf_paths.emplace_back(path, UINT64_MAX);
      }
      family.options.cf_paths.emplace_back(directory, UINT64_MAX);
    }
    options->families.push_back(family);
  }
  if (!is_found) {
    return Status::InvalidArgument("no such column family", request.family);
  }
  if (options->db.info_log != nullptr) return s;
  // Not in the directory of the database, whose own log is there.
  std::shared_ptr<Logger> logger;
  s = CreateLoggerFromOptions(directory, options->db, &logger);
  if (s.ok()) options->db.info_log = logger;
  IgnoreError(s, "a compaction needs no log");
  return Status::OK();
}

// The primary may change its manifest while it is being read.
constexpr int kTriesToOpen = 5;

Status OpenCompactor(const std::string& name, const WorkerOptions& options,
                     std::unique_ptr<CompactorDB>* db) {
  const StopWatch watch(options.db.env->GetSystemClock().get(),
                        options.db.statistics.get(),
                        OPEN_AND_COMPACT_DB_OPEN_MICROS);
  Status s;
  for (int i = 0; i < kTriesToOpen; ++i) {
    const OpenRequest request{
        .options = options.db, .name = name, .families = options.families};
    *db = std::make_unique<CompactorDB>(SanitizeDBOptions(name, options.db),
                                        request);
    std::vector<ColumnFamilyHandle*> handles;
    s = (*db)->Start(options.families, &handles);
    for (ColumnFamilyHandle* handle : handles) {
      const std::unique_ptr<ColumnFamilyHandle> owned(handle);
    }
    if (!s.IsCorruption() && !s.IsNotFound() && !s.IsPathNotFound()) break;
    db->reset();
  }
  return s;
}

}  // namespace

Status DB::OpenAndCompact(
    const OpenAndCompactOptions& options, const std::string& name,
    const std::string& output_directory, const std::string& input,
    std::string* output,
    const CompactionServiceOptionsOverride& override_options) {
  if (output == nullptr) return Status::InvalidArgument("output is null");
  output->clear();
  if (override_options.env == nullptr ||
      override_options.comparator == nullptr) {
    return Status::InvalidArgument("a worker needs an env and a comparator");
  }
  EnsureBuiltinObjects();
  RemoteCompactionRequest request;
  if (Status s = request.Decode(input); !s.ok()) return s;
  RemoteCompactionResult result;
  Status s = override_options.env->CreateDirIfMissing(output_directory);
  if (!s.ok()) return s;
  WorkerOptions worker;
  s = LoadOptions(name, output_directory, request, override_options, &worker);
  std::unique_ptr<CompactorDB> db;
  if (s.ok()) s = OpenCompactor(name, worker, &db);
  if (!s.ok()) return s;
  db->CompactForPrimary(request, output_directory, options, &result);
  s = result.Encode(output);
  return s.ok() ? result.status : s;
}

Status DB::OpenAndCompact(
    const std::string& name, const std::string& output_directory,
    const std::string& input, std::string* output,
    const CompactionServiceOptionsOverride& override_options) {
  return OpenAndCompact(OpenAndCompactOptions(), name, output_directory, input,
                        output, override_options);
}

}  // namespace ROCKSDB_NAMESPACE

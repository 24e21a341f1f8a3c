#include "rocksdb/utilities/option_change_migration.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The deepest level at which a file may be.
int DeepestLevel(const Options& options) {
  if (options.compaction_style == kCompactionStyleFIFO) return 0;
  return std::max(options.num_levels, 1) - 1;
}

// All data to one level, in one file if that is level 0: files of level 0 may
// overlap, but the order of their ages must be known.
Status CompactTo(const std::string& name, const Options& old_options,
                 int level) {
  Options options = old_options;
  options.disable_auto_compactions = true;
  // Nothing but the compaction below may take data away.
  options.compaction_style = kCompactionStyleUniversal;
  options.num_levels = std::max(options.num_levels, level + 1);
  options.compaction_options_universal = CompactionOptionsUniversal();
  if (level == 0) {
    options.target_file_size_base = std::numeric_limits<uint64_t>::max() / 4;
    options.target_file_size_multiplier = 1;
    options.max_compaction_bytes = std::numeric_limits<uint64_t>::max() / 4;
    options.max_subcompactions = 1;
  }
  std::unique_ptr<DB> db;
  Status s = DB::Open(options, name, &db);
  if (!s.ok()) return s;
  CompactRangeOptions range;
  range.change_level = true;
  range.target_level = level;
  range.max_subcompactions = level == 0 ? 1 : 0;
  range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  s = db->CompactRange(range, nullptr, nullptr);
  const Status closed = db->Close();
  return s.ok() ? closed : s;
}

}  // namespace

Status OptionChangeMigration(const std::string& dbname, const Options& old_opts,
                             const Options& new_opts) {
  const int deepest = DeepestLevel(new_opts);
  if (DeepestLevel(old_opts) <= deepest) return Status::OK();
  return CompactTo(dbname, old_opts, deepest);
}

}  // namespace ROCKSDB_NAMESPACE

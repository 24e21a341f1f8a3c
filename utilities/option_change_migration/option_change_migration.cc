#include "rocksdb/utilities/option_change_migration.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsFifo(const ColumnFamilyOptions& options) {
  return options.compaction_style == kCompactionStyleFIFO;
}

// The last level that there is. FIFO puts nothing there, but keeps what another
// style has left.
int LastLevel(const ColumnFamilyOptions& options) {
  return std::max(options.num_levels, 1) - 1;
}

// Moves all data of a family to one level.
struct LevelMove {
  size_t family = 0;  // index in the list of families
  int level = 0;
  // Files down to this level may stay where they are.
  int deepest_kept = 0;
  // The options do not tell how deep the files lie.
  bool asks_files = false;
};

// False: whatever files there may be fit.
bool NeedsMove(const ColumnFamilyOptions& before,
               const ColumnFamilyOptions& after, LevelMove* move) {
  move->level = IsFifo(after) ? 0 : LastLevel(after);
  move->asks_files = IsFifo(before);
  move->deepest_kept =
      IsFifo(before) && IsFifo(after) ? LastLevel(after) : move->level;
  return LastLevel(before) > move->deepest_kept;
}

// Does a file lie below what may stay?
bool HasDeeperFile(DB* db, ColumnFamilyHandle* handle, int deepest_kept) {
  ColumnFamilyMetaData family;
  db->GetColumnFamilyMetaData(handle, &family);
  return std::any_of(family.levels.begin(), family.levels.end(),
                     [deepest_kept](const LevelMetaData& level) {
                       return level.level > deepest_kept &&
                              !level.files.empty();
                     });
}

// Level 0 gets one file: its files may overlap, but the order of their ages
// must be known.
ColumnFamilyOptions OptionsForMove(ColumnFamilyOptions options, int level) {
  options.disable_auto_compactions = true;
  // Nothing but the compaction below may take data away.
  options.compaction_style = kCompactionStyleUniversal;
  options.num_levels = std::max(options.num_levels, level + 1);
  options.compaction_options_universal = CompactionOptionsUniversal();
  if (level == 0) {
    options.target_file_size_base = std::numeric_limits<uint64_t>::max() / 4;
    options.target_file_size_multiplier = 1;
    options.max_compaction_bytes = std::numeric_limits<uint64_t>::max() / 4;
  }
  return options;
}

Status MoveFamilies(const std::string& name, DBOptions options,
                    std::vector<ColumnFamilyDescriptor> families,
                    const std::vector<LevelMove>& moves) {
  for (ColumnFamilyDescriptor& family : families) {
    family.options.disable_auto_compactions = true;
  }
  for (const LevelMove& move : moves) {
    families[move.family].options =
        OptionsForMove(families[move.family].options, move.level);
    if (move.level == 0) options.max_subcompactions = 1;
  }
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  Status s = DB::Open(options, name, families, &handles, &db);
  if (!s.ok()) return s;
  for (const LevelMove& move : moves) {
    if (move.asks_files &&
        !HasDeeperFile(db.get(), handles[move.family], move.deepest_kept)) {
      continue;
    }
    CompactRangeOptions range;
    range.change_level = true;
    range.target_level = move.level;
    range.max_subcompactions = move.level == 0 ? 1 : 0;
    range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    s = db->CompactRange(range, handles[move.family], nullptr, nullptr);
    if (!s.ok()) break;
  }
  for (ColumnFamilyHandle* handle : handles) {
    const Status freed = db->DestroyColumnFamilyHandle(handle);
    if (s.ok()) s = freed;
  }
  const Status closed = db->Close();
  return s.ok() ? closed : s;
}

}  // namespace

Status OptionChangeMigration(const std::string& dbname, const Options& old_opts,
                             const Options& new_opts) {
  return OptionChangeMigration(dbname, old_opts,
                               {{kDefaultColumnFamilyName, old_opts}}, new_opts,
                               {{kDefaultColumnFamilyName, new_opts}});
}

Status OptionChangeMigration(
    const std::string& dbname, const DBOptions& old_db_opts,
    const std::vector<ColumnFamilyDescriptor>& old_cf_descs,
    const DBOptions& /*new_db_opts*/,
    const std::vector<ColumnFamilyDescriptor>& new_cf_descs) {
  std::map<std::string, const ColumnFamilyOptions*> wanted;
  for (const ColumnFamilyDescriptor& family : new_cf_descs) {
    wanted[family.name] = &family.options;
  }
  if (new_cf_descs.size() != old_cf_descs.size() ||
      wanted.size() != new_cf_descs.size()) {
    return Status::InvalidArgument(
        "the old and the new list name different column families");
  }
  std::vector<LevelMove> moves;
  for (size_t i = 0; i < old_cf_descs.size(); ++i) {
    const auto found = wanted.find(old_cf_descs[i].name);
    if (found == wanted.end()) {
      return Status::InvalidArgument("a column family has no new options",
                                     old_cf_descs[i].name);
    }
    LevelMove move{.family = i};
    if (NeedsMove(old_cf_descs[i].options, *found->second, &move)) {
      moves.push_back(move);
    }
  }
  if (moves.empty()) return Status::OK();
  return MoveFamilies(dbname, old_db_opts, old_cf_descs, moves);
}

}  // namespace ROCKSDB_NAMESPACE

// Commands that move data between files and levels: compact, reduce_levels,
// change_compaction_style.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/metadata.h"
#include "tools/ldb/at_rest_command.h"
#include "tools/ldb/manifest_rewrite.h"
#include "tools/ldb/progress.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What a compaction is doing, as one line of progress.
std::function<std::string(uint64_t)> CompactionText(DB* db) {
  return [db](uint64_t seconds) {
    uint64_t running = 0;
    uint64_t pending = 0;
    db->GetAggregatedIntProperty(DB::Properties::kNumRunningCompactions,
                                 &running);
    db->GetAggregatedIntProperty(
        DB::Properties::kEstimatePendingCompactionBytes, &pending);
    return "compacting: " + std::to_string(seconds) + " s, " +
           std::to_string(running) + " running, about " +
           std::to_string(pending >> 20) + " MB pending";
  };
}

class CompactCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (HasOption(ARG_FROM)) from_ = KeyOf(Option(ARG_FROM));
    if (HasOption(ARG_TO)) to_ = KeyOf(Option(ARG_TO));
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    Slice from;
    Slice to;
    if (from_.has_value()) from = *from_;
    if (to_.has_value()) to = *to_;
    // Such a range holds no keys. The command succeeds with --ttl, too.
    if (from_.has_value() && to_.has_value() &&
        GetCfHandle()->GetComparator()->CompareWithoutTimestamp(from, false, to,
                                                                false) > 0) {
      return Succeed("");
    }
    CompactRangeOptions range;
    range.bottommost_level_compaction =
        BottommostLevelCompaction::kForceOptimized;
    const ProgressBeside progress(CompactionText(db_.get()));
    const Status s = db_->CompactRange(range, GetCfHandle(),
                                       from_.has_value() ? &from : nullptr,
                                       to_.has_value() ? &to : nullptr);
    if (!s.ok()) return Fail("Compaction failed", s);
    Succeed("");
  }

 private:
  std::optional<std::string> from_;
  std::optional<std::string> to_;
};

// One more than the deepest level with a file.
int LevelsInUse(DB* db, ColumnFamilyHandle* family) {
  ColumnFamilyMetaData metadata;
  db->GetColumnFamilyMetaData(family, &metadata);
  int used = 0;
  for (const LevelMetaData& level : metadata.levels) {
    if (!level.files.empty()) used = level.level + 1;
  }
  return used;
}

class ReduceLevelsCommand : public AtRestCommand {
 public:
  using AtRestCommand::AtRestCommand;
  void Parse() override {
    IntOption("new_levels", &new_levels_);
    if (exec_state_.IsFailed() || new_levels_ <= 0) {
      // What is no number is as good as none.
      Fail(" Use --new_levels to specify a new level number\n");
    } else if (new_levels_ == 1) {
      Fail("Invalid number of levels.\n");
    }
  }

 protected:
  // With dynamic levels the data would go back to the last one. That cannot be
  // changed once the database is open, so the manifest is asked before whether
  // there is anything to do; logs add files to level 0 alone.
  void Adapt(ColumnFamilyOptions* options) override {
    int old_levels = 0;
    const Status s = CountLevelsInUse(options_.env, db_path_,
                                      column_family_name_, &old_levels);
    // What is wrong with the manifest is told by the open.
    if (!s.ok() || old_levels <= new_levels_ || column_families_.size() > 1) {
      return;
    }
    options->level_compaction_dynamic_level_bytes = false;
  }
  void Work() override {
    if (cf_handles_.size() > 1) {
      return Fail("Invalid argument: Column families not opened: " +
                  OtherFamily());
    }
    const int old_levels = LevelsInUse(db_.get(), GetCfHandle());
    if (HasFlag("print_old_levels")) {
      PrintLine("The old number of levels in use is " +
                std::to_string(old_levels));
    }
    if (old_levels <= new_levels_) return;
    PrintLine("Compacting the db...");
    CompactRangeOptions range;
    range.change_level = true;
    range.target_level = new_levels_ - 1;
    range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    Status s;
    {
      const ProgressBeside progress(CompactionText(db_.get()));
      s = db_->CompactRange(range, GetCfHandle(), nullptr, nullptr);
    }
    if (!s.ok()) Fail(s.ToString());
  }

 private:
  std::string OtherFamily() const {
    for (const auto& [name, handle] : cf_handles_) {
      if (name != kDefaultColumnFamilyName) return name;
    }
    return "";
  }

  int new_levels_ = -1;
};

class ChangeStyleCommand : public AtRestCommand {
 public:
  using AtRestCommand::AtRestCommand;
  void Parse() override {
    const auto complain = [this](const char* which) {
      Fail(std::string("Use --") + which + "_compaction_style to specify " +
           which +
           " compaction style. Check ldb help for proper compaction style "
           "value.\n");
    };
    int old_style = -1;
    int new_style = -1;
    IntOption("old_compaction_style", &old_style);
    IntOption("new_compaction_style", &new_style);
    if (old_style != kCompactionStyleLevel &&
        old_style != kCompactionStyleUniversal) {
      return complain("old");
    }
    if (new_style != kCompactionStyleLevel &&
        new_style != kCompactionStyleUniversal) {
      return complain("new");
    }
    if (old_style == new_style) {
      return Fail(
          "Old compaction style is the same as new compaction style. Nothing "
          "to do.\n");
    }
    if (old_style == kCompactionStyleUniversal) {
      Fail(
          "Convert from universal compaction to level compaction. Nothing to "
          "do.\n");
    }
  }

 protected:
  // All of it is to be one file of level 0, whatever its size.
  void Adapt(ColumnFamilyOptions* options) override {
    constexpr uint64_t kAny = uint64_t{1} << 62;
    options->target_file_size_base = kAny;
    options->target_file_size_multiplier = 1;
    options->max_compaction_bytes = kAny;
  }
  void Work() override {
    PrintLine("files per level before compaction: " + FilesPerLevel());
    CompactRangeOptions range;
    range.change_level = true;
    range.target_level = 0;
    range.max_subcompactions = 1;
    range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    Status s;
    {
      const ProgressBeside progress(CompactionText(db_.get()));
      s = db_->CompactRange(range, GetCfHandle(), nullptr, nullptr);
    }
    if (!s.ok()) return Fail("Compaction failed", s);
    PrintLine("files per level after compaction: " + FilesPerLevel());
    CheckOneFile();
  }

 private:
  std::string FilesPerLevel() {
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(GetCfHandle(), &metadata);
    std::string text;
    for (const LevelMetaData& level : metadata.levels) {
      if (!text.empty()) text += ',';
      text += std::to_string(level.files.size());
    }
    return text;
  }
  void CheckOneFile() {
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(GetCfHandle(), &metadata);
    for (const LevelMetaData& level : metadata.levels) {
      if (level.level == 0 ? level.files.size() <= 1 : level.files.empty()) {
        continue;
      }
      return Fail("Number of db files at level " + std::to_string(level.level) +
                  " after compaction is " + std::to_string(level.files.size()) +
                  ", not " + (level.level == 0 ? "1\n" : "0\n"));
    }
  }
};

}  // namespace

const std::vector<CommandRow>& CompactCommands() {
  static const std::vector<CommandRow> kRows = {
      {"compact",
       Opens::kForWriting,
       "[--from=<key>] [--to=<key>] [--ttl] [--hex] [--key_hex]",
       "Compacts the files of a range down to the last level.",
       {"ttl", "hex", "key_hex", "value_hex", "from", "to"},
       &MakeCommand<CompactCommand>},
      {"reduce_levels",
       Opens::kForWriting,
       "--new_levels=<n> [--print_old_levels]",
       "Compacts the default family so that it needs no more than so many "
       "levels.",
       {"new_levels", "print_old_levels"},
       &MakeCommand<ReduceLevelsCommand>},
      {"change_compaction_style",
       Opens::kForWriting,
       "--old_compaction_style=<0 level, 1 universal> "
       "--new_compaction_style=<0 level, 1 universal>",
       "Makes the files of a family fit another compaction style: one file of "
       "level 0 for universal compaction.",
       {"old_compaction_style", "new_compaction_style"},
       &MakeCommand<ChangeStyleCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE

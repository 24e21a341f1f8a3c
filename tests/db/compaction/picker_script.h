// A picker, a tree and options, all from text.
//
// Options are words: "universal", "fifo", "none", "dynamic", or NAME:VALUE,
// where a name is one of the short ones below or that of an option of a column
// family, or of universal or FIFO compaction; "old:N" says that entries with
// sequences above N are too young for the last level, "parts:N" that the
// database lets N threads share a compaction, "paths:N,N" how much each path
// holds, "lead:N" that it is off-peak time, in which files are rewritten N
// seconds before they are due.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "rocksdb/convenience.h"
#include "tests/db/compaction/level_text.h"

namespace ROCKSDB_NAMESPACE {

struct PickerOptions {
  ColumnFamilyOptions family = SmallLevelOptions();
  std::map<int, InternalKey> cursors;
  SequenceNumber snapshot = 0;
  SequenceNumber old = kMaxSequenceNumber;
  uint32_t parts = 1;
  uint64_t lead_seconds = 0;
};

class PickerOptionsParser {
 public:
  PickerOptions Parse(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const size_t colon = word.find(':');
      if (colon == std::string::npos) {
        Word(word);
      } else {
        Setting(word.substr(0, colon), word.substr(colon + 1));
      }
    }
    return std::move(p_);
  }

 private:
  void Word(const std::string& word) {
    if (word == "universal" || word == "fifo") {
      p_.family.compaction_style =
          word == "fifo" ? kCompactionStyleFIFO : kCompactionStyleUniversal;
      p_.family.write_buffer_size = 10;
    } else if (word == "none") {
      p_.family.compaction_style = kCompactionStyleNone;
    } else if (word == "dynamic") {
      p_.family.level_compaction_dynamic_level_bytes = true;
    } else if (word == "bottomcodec") {
      p_.family.bottommost_compression = kZlibCompression;
    } else {
      ADD_FAILURE() << word;
    }
  }
  void Setting(const std::string& name, const std::string& value) {
    if (name == "snapshot") {
      p_.snapshot = std::stoull(value);
    } else if (name == "old") {
      p_.old = std::stoull(value);
    } else if (name == "parts") {
      p_.parts = static_cast<uint32_t>(std::stoul(value));
    } else if (name == "lead") {
      p_.lead_seconds = std::stoull(value);
    } else if (name == "paths") {
      std::istringstream sizes(value);
      for (std::string size; std::getline(sizes, size, ',');) {
        p_.family.cf_paths.emplace_back("", std::stoull(size));
      }
    } else if (name == "cursor") {
      p_.cursors[1] = InternalKey(value, kMaxSequenceNumber, kTypeValue);
    } else {
      Option(name, value);
    }
  }
  void Option(const std::string& name, const std::string& value) {
    static const std::unordered_map<std::string, std::string> kShort = {
        {"levels", "num_levels"},
        {"trigger", "level0_file_num_compaction_trigger"},
        {"slowdown", "level0_slowdown_writes_trigger"},
        {"stop", "level0_stop_writes_trigger"},
        {"maxbytes", "max_compaction_bytes"},
        {"pri", "compaction_pri"},
        {"periodic", "periodic_compaction_seconds"},
        {"codecs", "compression_per_level"},
        {"delay", "bottommost_file_compaction_delay"},
        {"multipliers", "max_bytes_for_level_multiplier_additional"},
        {"collects", "enable_blob_garbage_collection"},
        {"cutoff", "blob_garbage_collection_age_cutoff"},
        {"force", "blob_garbage_collection_force_threshold"},
        {"lasttemp", "last_level_temperature"},
        {"temp", "default_write_temperature"},
        {"reads", "read_triggered_compaction_threshold"},
        {"amp", "universal.max_size_amplification_percent"},
        {"ratio", "universal.size_ratio"},
        {"minwidth", "universal.min_merge_width"},
        {"maxwidth", "universal.max_merge_width"},
        {"limit", "universal.max_read_amp"},
        {"style", "universal.stop_style"},
        {"move", "universal.allow_trivial_move"},
        {"incremental", "universal.incremental"},
        {"compressed", "universal.compression_size_percent"},
        {"maxfiles", "fifo.max_table_files_size"},
        {"maxdata", "fifo.max_data_files_size"},
        {"merge", "fifo.allow_compaction"},
        {"even", "fifo.use_kv_ratio_compaction"},
        {"warm", "fifo.age_for_warm"},
        {"ages", "fifo.file_temperature_age_thresholds"},
        {"behind", "cf_allow_ingest_behind"},
    };
    const auto found = kShort.find(name);
    std::string full = found == kShort.end() ? name : found->second;
    for (const char* part : {"universal", "fifo"}) {
      if (full.starts_with(std::string(part) + ".")) {
        full = "compaction_options_" + full;
      }
    }
    ColumnFamilyOptions changed;
    const Status s = GetColumnFamilyOptionsFromMap(ConfigOptions(), p_.family,
                                                   {{full, value}}, &changed);
    EXPECT_TRUE(s.ok()) << s.ToString();
    p_.family = changed;
  }

  PickerOptions p_;
};

// Picks, each of which is left running before the next.
class ScriptedPicker {
 public:
  ScriptedPicker(const std::string& options, const std::string& levels)
      : parsed_(PickerOptionsParser().Parse(options)),
        tree_(levels, parsed_.family),
        picker_(NewCompactionPicker(tree_.cf)) {
    if (parsed_.snapshot > 0) {
      tree_.version->mutable_storage()->NoteOldestSnapshot(
          parsed_.snapshot, *tree_.options, LevelText::kNow);
    }
    tree_.Score(parsed_.lead_seconds);
    input_.version = tree_.version;
    input_.cf = &tree_.cf;
    input_.options = tree_.options;
    input_.cursors = &parsed_.cursors;
    input_.last_level_up_to = parsed_.old;
    input_.max_subcompactions = parsed_.parts;
  }
  ~ScriptedPicker() {
    for (const auto& c : running_) picker_->Unregister(c.get());
  }

  CompactionPicker* operator->() { return picker_.get(); }
  const CompactionPicker::Input& input() const { return input_; }
  const VersionStorage& storage() const { return tree_.version->storage(); }

  std::string Start(std::unique_ptr<Compaction> c) {
    const std::string text = TextOf(c.get());
    if (c == nullptr) return text;
    c->MarkInputs(true);
    picker_->Register(c.get());
    running_.push_back(std::move(c));
    tree_.Score(parsed_.lead_seconds);
    return text;
  }
  const Compaction& last() const { return *running_.back(); }
  // The latest has failed, or found that there is nothing to do.
  void EndLast() {
    running_.back()->MarkInputs(false);
    picker_->Unregister(running_.back().get());
    running_.pop_back();
    tree_.Score(parsed_.lead_seconds);
  }

 private:
  PickerOptions parsed_;
  LevelText tree_;
  std::unique_ptr<CompactionPicker> picker_;
  CompactionPicker::Input input_;
  std::vector<std::unique_ptr<Compaction>> running_;
};

}  // namespace ROCKSDB_NAMESPACE

// Cases about the files of a version, in text.
//
//   version OPTIONS           a version, and questions about it
//   TREE                      as in edit_text.h; "unchecked TREE": as it is
//   > QUESTION ..             one line of answers each
//
//   edits levels:N            versions, each made of the one before by an edit
//   base TREE                 the first one; none: an empty one
//   EDIT                      as in edit_text.h; one line of answers each
//
//   epochs first:N            gives epochs to files that lack them
//   TREE
//
// OPTIONS are those of picker_script.h. QUESTIONs: targets (the base level, and
// how many bytes each level may hold), scores, pending (bytes), rewrites (which
// files want it, and the blob file that is forced out), freed:NUMBER (does that
// file want it since no snapshot needs its versions?), order (of the files),
// live (bytes), largest (sequence), blobs (bytes, and garbage), cutoff:SHARE
// (of the blob files; the first that stays), overlaps:LEVEL:FIRST-LAST (keys
// may be absent; "grow:" where level 0 grows), bottommost:LEVEL:FIRST-LAST, of
// which the oldest input in level 0 may follow. These change something first:
// busy:N,N (they are being compacted), snapshot:N (is the oldest), now:N
// (seconds), set:NAME:VALUE (an option).
//
// An edit answers with the files of the version that it makes, or with its
// error. All edits at once are to make the same of the base as one after the
// other: where they do not, another line says what they make.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/version/size_estimate.h"
#include "db/version/version_builder.h"
#include "db/version/version_storage.h"
#include "tests/db/compaction/picker_script.h"
#include "tests/db/version/edit_text.h"

namespace ROCKSDB_NAMESPACE {

inline std::string NumbersText(const std::vector<FileRef>& files) {
  std::string text;
  for (const FileRef& file : files) {
    text += (text.empty() ? "" : " ") + std::to_string(file->number);
  }
  return text.empty() ? "none" : text;
}

// "L0 7 6; L1 3; B9=1062 links 0; B10=1062 garbage 4/400 links 2"
inline std::string TextOfVersion(const VersionStorage& storage) {
  std::string text;
  uint64_t blob_bytes = 0, garbage_bytes = 0;
  for (int level = 0; level < storage.level_count(); ++level) {
    if (storage.FileCount(level) == 0) continue;
    text += (text.empty() ? "L" : "; L") + std::to_string(level) + " " +
            NumbersText(storage.files(level));
  }
  for (const BlobFileState& blob : storage.blobs()) {
    text += (text.empty() ? "B" : "; B") + std::to_string(blob.number()) + "=" +
            std::to_string(blob.file->size_bytes());
    if (blob.garbage_count > 0 || blob.garbage_bytes > 0) {
      text += " garbage " + std::to_string(blob.garbage_count) + "/" +
              std::to_string(blob.garbage_bytes);
    }
    text += " links " + std::to_string(blob.linked_table_count);
    blob_bytes += blob.file->size_bytes();
    garbage_bytes += blob.garbage_bytes;
    EXPECT_EQ(storage.FindBlob(blob.number()), &blob);
  }
  EXPECT_EQ(storage.FindBlob(UINT64_MAX), nullptr);
  EXPECT_EQ(storage.BlobBytes(), blob_bytes);
  EXPECT_EQ(storage.BlobGarbageBytes(), garbage_bytes);
  return text.empty() ? "empty" : text;
}

// One version, and what it answers.
class VersionScript {
 public:
  VersionScript(const std::string& options, const std::string& tree)
      : parsed_(PickerOptionsParser().Parse(options)),
        storage_(&order_, parsed_.family.num_levels) {
    std::string text = tree;
    const std::string unchecked = "unchecked";
    const bool is_checked = !text.starts_with(unchecked);
    if (!is_checked) text = text.substr(unchecked.size());
    ParsedLevels levels = ParseTree(text, parsed_.family.num_levels);
    built_ = storage_.Build(std::move(levels.tables), is_checked,
                            std::move(levels.blobs));
    if (built_.ok()) Score();
  }

  std::string Answer(const std::string& line) {
    if (!built_.ok()) return built_.ToString();
    std::istringstream words(line);
    std::string text;
    for (std::string word; words >> word;) {
      const size_t colon = word.find(':');
      const std::string name = word.substr(0, colon);
      const std::string value =
          colon == std::string::npos ? "" : word.substr(colon + 1);
      if (Change(name, value)) continue;
      if (!text.empty()) text += "  ";
      text += Question(name, value);
    }
    return text;
  }

 private:
  void Score() {
    storage_.ComputeScores(ImmutableCFOptions(parsed_.family),
                           MutableCFOptions(parsed_.family), now_);
  }
  FileRef Find(uint64_t number) const {
    for (int level = 0; level < storage_.level_count(); ++level) {
      for (const FileRef& file : storage_.files(level)) {
        if (file->number == number) return file;
      }
    }
    ADD_FAILURE() << "where is " << number << "?";
    return std::make_shared<FileMeta>();
  }
  bool Change(const std::string& name, const std::string& value) {
    if (name == "busy") {
      for (const uint64_t number : NumbersOfText(value)) {
        Find(number)->being_compacted = true;
      }
    } else if (name == "now") {
      now_ = std::stoull(value);
    } else if (name == "snapshot") {
      storage_.NoteOldestSnapshot(std::stoull(value),
                                  MutableCFOptions(parsed_.family), now_);
    } else if (name == "set") {
      const size_t colon = value.find(':');
      const Status s = GetColumnFamilyOptionsFromMap(
          ConfigOptions(), parsed_.family,
          {{value.substr(0, colon), value.substr(colon + 1)}}, &parsed_.family);
      EXPECT_TRUE(s.ok()) << s.ToString();
    } else {
      return false;
    }
    Score();
    return true;
  }

  std::string Question(const std::string& name, const std::string& value) {
    if (name == "targets") return Targets();
    if (name == "scores") return Scores();
    if (name == "pending") {
      return std::to_string(storage_.PendingCompactionBytes());
    }
    if (name == "rewrites") return Rewrites();
    if (name == "freed") {
      return storage_.IsFreedBySnapshots(Find(std::stoull(value))) ? "yes"
                                                                   : "no";
    }
    if (name == "order") return TextOfVersion(storage_);
    if (name == "largest") return std::to_string(storage_.LargestSequence());
    if (name == "live") return std::to_string(EstimateLiveTableBytes(storage_));
    if (name == "blobs") {
      return std::to_string(storage_.BlobBytes()) + " bytes, " +
             std::to_string(storage_.BlobGarbageBytes()) + " garbage";
    }
    if (name == "cutoff") {
      const uint64_t cutoff = storage_.BlobCutoff(std::stod(value));
      return cutoff == UINT64_MAX ? "all" : std::to_string(cutoff);
    }
    if (name == "overlaps") return Overlaps(value, kNoGrowth);
    if (name == "grow") return Overlaps(value, kGrowth);
    if (name == "bottommost") return Bottommost(value);
    ADD_FAILURE() << "what is " << name << "?";
    return "";
  }
  std::string Targets() const {
    std::string text = "base " + std::to_string(storage_.base_level());
    for (int level = 0; level < storage_.level_count(); ++level) {
      const uint64_t bytes = storage_.TargetBytes(level);
      if (bytes == UINT64_MAX) continue;
      text += " L" + std::to_string(level) + "=" + std::to_string(bytes);
    }
    return text;
  }
  std::string Scores() const {
    std::string text;
    for (const LevelScore& score : storage_.scores()) {
      char number[32];
      std::snprintf(number, sizeof(number), "%.4g", score.score);
      text += (text.empty() ? "L" : " L") + std::to_string(score.level) + "=" +
              number;
    }
    return text.empty() ? "none" : text;
  }
  std::string Rewrites() const {
    std::string text;
    for (const auto& [level, file] : storage_.FilesToRewrite()) {
      text += (text.empty() ? "" : " ") + std::to_string(file->number);
      if (storage_.IsFreedBySnapshots(file)) text += "(freed)";
    }
    if (text.empty()) text = "none";
    if (storage_.forced_blob_file() != 0) {
      text += " for blob " + std::to_string(storage_.forced_blob_file());
    }
    return text;
  }

  static constexpr auto kNoGrowth = VersionStorage::Level0Growth::kNone;
  static constexpr auto kGrowth = VersionStorage::Level0Growth::kTransitive;

  // "1:b-d", "1:b-", "1:-"
  struct LevelRange {
    explicit LevelRange(const std::string& text) {
      size_t at = 0;
      level = static_cast<int>(NumberAt(text, &at));
      const size_t dash = text.find('-', at);
      first = text.substr(at + 1, dash - at - 1);
      last = text.substr(dash + 1);
    }
    int level;
    std::string first, last;
  };
  std::string Overlaps(const std::string& text,
                       VersionStorage::Level0Growth growth) const {
    const LevelRange range(text);
    const Slice first(range.first), last(range.last);
    const VersionStorage::KeyRange keys{range.first.empty() ? nullptr : &first,
                                        range.last.empty() ? nullptr : &last};
    const std::vector<FileRef> files =
        storage_.Overlapping(range.level, keys, growth);
    if (keys.begin != nullptr && keys.end != nullptr) {
      EXPECT_EQ(storage_.HasOverlap(range.level, first, last), !files.empty());
    }
    return NumbersText(files);
  }
  // "1:b-d" or "0:b-d,7": of level 0 file 7 is the oldest that goes along.
  std::string Bottommost(const std::string& text) const {
    const size_t comma = text.find(',');
    const LevelRange range(text.substr(0, comma));
    FileRef oldest;
    if (comma != std::string::npos) {
      oldest = Find(std::stoull(text.substr(comma + 1)));
    }
    return storage_.IsBottommostFor(range.level, range.first, range.last,
                                    oldest.get())
               ? "yes"
               : "no";
  }

  PickerOptions parsed_;
  const InternalKeyComparator order_{BytewiseComparator()};
  VersionStorage storage_;
  Status built_;
  uint64_t now_ = kLevelTextNow;
};

// The version that edits make of `from`, null being an empty one.
inline Status ApplyEdits(const VersionStorage* from,
                         const std::vector<VersionEdit>& edits, int level_count,
                         std::unique_ptr<VersionStorage>* result) {
  static const InternalKeyComparator order(BytewiseComparator());
  VersionBuilder builder(from);
  for (const VersionEdit& edit : edits) {
    if (Status s = builder.Apply(edit); !s.ok()) return s;
  }
  std::vector<std::vector<FileRef>> levels;
  Status s = builder.Finish(level_count, &levels);
  if (!s.ok()) return s;
  BlobFileList blobs = builder.FinishBlobs(levels);
  auto storage = std::make_unique<VersionStorage>(&order, level_count);
  s = storage->Build(std::move(levels), /*check_consistency=*/true,
                     std::move(blobs));
  if (s.ok()) *result = std::move(storage);
  return s;
}

// A version, and those that edits make of it.
class EditScript {
 public:
  explicit EditScript(int level_count) : level_count_(level_count) {}

  void SetBase(const std::string& tree) {
    ParsedLevels levels = ParseTree(tree, level_count_);
    base_ = std::make_unique<VersionStorage>(&order_, level_count_);
    const Status s =
        base_->Build(std::move(levels.tables),
                     /*check_consistency=*/true, std::move(levels.blobs));
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  // "" as long as all goes well.
  std::string Step(const VersionEdit& edit) {
    edits_.push_back(edit);
    const VersionStorage* const from = now_ ? now_.get() : base_.get();
    std::unique_ptr<VersionStorage> next;
    const Status s = ApplyEdits(from, {edit}, level_count_, &next);
    if (s.ok()) now_ = std::move(next);
    is_broken_ = !s.ok();
    last_ = s.ok() ? TextOfVersion(*now_) : s.ToString();
    return last_;
  }
  bool is_broken() const { return is_broken_; }
  // What all edits make of the base at once, where that is something else.
  std::string AtOnce() const {
    std::unique_ptr<VersionStorage> all;
    const Status s = ApplyEdits(base_.get(), edits_, level_count_, &all);
    const std::string text = s.ok() ? TextOfVersion(*all) : s.ToString();
    return text == last_ ? "" : "at once: " + text + "\n";
  }

 private:
  const int level_count_;
  const InternalKeyComparator order_{BytewiseComparator()};
  std::unique_ptr<VersionStorage> base_;  // null: empty
  std::unique_ptr<VersionStorage> now_;   // null: the base
  std::vector<VersionEdit> edits_;
  std::string last_;
  bool is_broken_ = false;
};

inline std::string RunEditSteps(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EditScript script(static_cast<int>(command.Number("levels", 4)));
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    if (line.starts_with("base ")) {
      script.SetBase(line.substr(5));
      continue;
    }
    EXPECT_FALSE(script.is_broken()) << line << " behind an error";
    text += script.Step(ParseEdit(line)) + "\n";
  }
  return text + script.AtOnce();
}

inline std::string RunEpochs(const ScriptCase& c) {
  const ScriptWords command(c.command);
  constexpr int kLevels = 5;
  auto levels = ParseTree(c.body, kLevels).tables;
  const uint64_t next =
      AssignMissingEpochs(&levels, command.Number("first", kReservedEpoch));
  std::string text;
  for (const auto& files : levels) {
    for (const FileRef& file : files) {
      text += std::to_string(file->number) + "=" +
              std::to_string(file->epoch_number) + " ";
    }
  }
  // Once more: all have one by now.
  EXPECT_EQ(AssignMissingEpochs(&levels, next), next);
  return text + "next " + std::to_string(next) + "\n";
}

inline std::string RunVersionCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  if (verb == "edits") return RunEditSteps(c);
  if (verb == "epochs") return RunEpochs(c);
  EXPECT_EQ(verb, "version");
  const std::vector<std::string> lines = LinesOf(c.body);
  if (lines.empty()) {
    ADD_FAILURE() << "no tree";
    return "";
  }
  VersionScript script(
      space == std::string::npos ? "" : c.command.substr(space + 1), lines[0]);
  std::string text;
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_TRUE(lines[i].starts_with("> ")) << lines[i];
    text += script.Answer(lines[i].substr(2)) + "\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE

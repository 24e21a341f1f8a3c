#include "db/manifest/best_efforts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "rocksdb/db.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

BestEfforts::BestEfforts(FilesThere there) : there_(std::move(there)) {
  INVARIANT(there_.table != nullptr && there_.blob != nullptr);
  families_[0].name = kDefaultColumnFamilyName;
}

Status BestEfforts::ReadSteps(FileSystem* fs, const std::string& path) {
  INVARIANT(steps_.empty());
  std::vector<VersionEdit> group;
  const auto take = [&](VersionEdit edit) {
    const bool is_last =
        !edit.remaining_in_group.has_value() || *edit.remaining_in_group == 0;
    group.push_back(std::move(edit));
    if (!is_last) return Status::OK();
    if (std::count_if(group.begin(), group.end(), [](const VersionEdit& one) {
          return !one.new_files.empty();
        }) > 1) {
      groups_.push_back(steps_.size());
    }
    steps_.push_back(std::exchange(group, {}));
    return Status::OK();
  };
  uint64_t end_bytes = 0;
  Status s = ReadManifestEdits(fs, path, UINT64_MAX, &end_bytes, take);
  // A group that is not whole did not happen.
  return s;
}

Status BestEfforts::Run(FileSystem* fs, const std::string& path,
                        uint64_t number, ManifestReplay* replay) {
  INVARIANT(replay != nullptr);
  Status s = ReadSteps(fs, path);
  if (!s.ok()) return s;
  for (size_t i = 0; i < steps_.size(); ++i) {
    std::set<uint32_t> touched;
    for (const VersionEdit& edit : steps_[i]) {
      if (s = Follow(edit, i); !s.ok()) return s;
      if (!edit.IsWalEdit()) touched.insert(edit.column_family);
    }
    for (const uint32_t id : touched) JudgeFamily(i + 1, id);
  }
  for (const auto& [id, family] : families_) {
    if (family.has_begun) continue;
    return Status::Corruption(
        path, "tells of no state of column family '" + family.name + "'");
  }
  while (UndoTornGroups()) continue;
  FindLeftOut();
  replay->Begin(number);
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const VersionEdit& edit : steps_[i]) {
      s = replay->Take(Trim(edit, i));
      if (!s.ok()) return s;
    }
  }
  return replay->End(path);
}

// Whether a table that the edit adds is missing, and not in the family's state.
bool BestEfforts::IsTorn(const VersionEdit& edit, size_t step) const {
  const auto found = families_.find(edit.column_family);
  if (found == families_.end()) return false;
  const Point point = found->second.last();
  return std::any_of(edit.new_files.begin(), edit.new_files.end(),
                     [&](const VersionEdit::NewFile& entry) {
                       return missing_.count(entry.file->number) > 0 &&
                              (step >= point.steps ||
                               point.state.LeavesOut(entry.level, *entry.file));
                     });
}

// False: there was none.
bool BestEfforts::UndoTornGroups() {
  bool has_changed = false;
  for (auto step = groups_.rbegin(); step != groups_.rend(); ++step) {
    const std::vector<VersionEdit>& group = steps_[*step];
    if (std::none_of(group.begin(), group.end(), [&](const VersionEdit& edit) {
          return IsTorn(edit, *step);
        })) {
      continue;
    }
    for (const VersionEdit& edit : group) {
      const auto found = families_.find(edit.column_family);
      if (edit.new_files.empty() || found == families_.end()) continue;
      std::vector<Point>& points = found->second.points;
      while (!points.empty() && points.back().steps > *step) {
        points.pop_back();
        has_changed = true;
      }
    }
  }
  return has_changed;
}

// Follows the families once more, up to their last steps.
void BestEfforts::FindLeftOut() {
  std::map<uint32_t, SurvivingFiles> found;
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const VersionEdit& edit : steps_[i]) {
      const auto family = families_.find(edit.column_family);
      if (edit.IsWalEdit() || family == families_.end()) continue;
      if (i >= family->second.last().steps) continue;
      found[edit.column_family].Apply(edit, i, missing_);
    }
  }
  for (auto& [id, family] : families_) {
    has_lost_family_ = has_lost_family_ || family.points.empty();
    const SurvivingFiles& files = found[id];
    family.left_out_tables = files.TablesLeftOut(family.last().state);
    family.left_out_blobs = files.BlobsLeftOut();
  }
}

Status BestEfforts::Follow(const VersionEdit& edit, size_t step) {
  if (edit.IsWalEdit()) return Status::OK();
  const uint32_t id = edit.column_family;
  if (edit.column_family_added) {
    families_[id].name = *edit.column_family_added;
  }
  const auto found = families_.find(id);
  // The replay says what is wrong.
  if (found == families_.end()) return Status::OK();
  Family& family = found->second;
  if (edit.column_family_dropped) {
    families_.erase(found);
    return Status::OK();
  }
  if (edit.log_number) family.has_begun = true;
  if (Status s = LookFor(edit, family.name); !s.ok()) return s;
  family.files.Apply(edit, step, missing_);
  return Status::OK();
}

Status BestEfforts::LookFor(const VersionEdit& edit,
                            const std::string& family) {
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    const uint64_t number = entry.file->number;
    if (!looked_for_.insert(number).second) continue;
    const Status s = there_.table(family, *entry.file);
    if (!s.ok() && !s.IsNotFound()) return s;
    if (!s.ok()) missing_.insert(number);
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    if (!looked_for_.insert(blob.number).second) continue;
    const Status s = there_.blob(family, blob);
    if (!s.ok() && !s.IsNotFound()) return s;
    if (!s.ok()) missing_.insert(blob.number);
  }
  return Status::OK();
}

// Steps that do not touch a family leave it as it is.
void BestEfforts::JudgeFamily(size_t step_count, uint32_t id) {
  const auto found = families_.find(id);
  if (found == families_.end() || !found->second.has_begun) return;
  Family& family = found->second;
  const std::optional<SurvivingFiles::State> state = family.files.Judge();
  if (!state || state->reaches < family.last().state.reaches) return;
  family.points.push_back({.steps = step_count, .state = *state});
}

// What of an edit counts: counters always, the rest up to the family's cut.
VersionEdit BestEfforts::Trim(VersionEdit edit, size_t step) {
  edit.remaining_in_group.reset();
  const auto found = families_.find(edit.column_family);
  if (edit.IsWalEdit() || found == families_.end()) return edit;
  const Family& family = found->second;
  if (step >= family.last().steps) {
    has_lost_something_ = has_lost_something_ || edit.ChangesFiles();
    edit.new_files.clear();
    edit.deleted_files.clear();
    edit.blob_additions.clear();
    edit.blob_garbage.clear();
    edit.compaction_cursors.clear();
    // The family is cut off at an older state, and the logs may hold what came
    // after it: its log number stays. A family left empty needs no log.
    if (!family.points.empty()) edit.log_number.reset();
    if (edit.log_number) edit.log_number = kNoLog;
    return edit;
  }
  const size_t before = edit.new_files.size() + edit.blob_additions.size();
  const auto is_left_out = [](const std::set<uint64_t>& set, uint64_t number) {
    return set.count(number) > 0;
  };
  std::erase_if(edit.new_files, [&](const VersionEdit::NewFile& entry) {
    return is_left_out(family.left_out_tables, entry.file->number);
  });
  std::erase_if(edit.blob_additions, [&](const BlobFileAddition& blob) {
    return is_left_out(family.left_out_blobs, blob.number);
  });
  std::erase_if(edit.blob_garbage, [&](const BlobFileGarbage& garbage) {
    return is_left_out(family.left_out_blobs, garbage.number);
  });
  if (edit.new_files.size() + edit.blob_additions.size() < before) {
    has_lost_something_ = true;
  }
  return edit;
}

}  // namespace ROCKSDB_NAMESPACE

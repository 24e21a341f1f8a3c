#include "db/version/best_efforts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rocksdb/db.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Newer tables of level 0 are greater (db-format.md 5.7).
auto AgeOf(const FileMeta& file) {
  return std::make_tuple(file.epoch_number, file.largest_sequence,
                         file.smallest_sequence, file.number);
}

}  // namespace

BestEfforts::BestEfforts(FilesThere there) : there_(std::move(there)) {
  INVARIANT(there_.table != nullptr && there_.blob != nullptr);
  families_[0].name = kDefaultColumnFamilyName;
}

Status BestEfforts::ReadSteps(FileSystem* fs, const std::string& path) {
  INVARIANT(steps_.empty());
  std::vector<VersionEdit> group;
  Status s = ReadManifestEdits(fs, path, [&](VersionEdit edit) {
    if (edit.remaining_in_group) grouped_.insert(edit.column_family);
    const bool is_last =
        !edit.remaining_in_group.has_value() || *edit.remaining_in_group == 0;
    group.push_back(std::move(edit));
    if (is_last) steps_.push_back(std::exchange(group, {}));
    return Status::OK();
  });
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
    JudgeFamilies(i + 1, touched);
    JudgeGroup(i + 1);
  }
  for (auto& [id, family] : families_) {
    if (grouped_.count(id) > 0) family.good_steps = group_good_steps_;
    if (family.good_steps > 0) continue;
    return Status::Corruption(
        path, "files of column family '" + family.name +
                  "' are missing in every state that it tells of");
  }
  replay->Begin(number);
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const VersionEdit& edit : steps_[i]) {
      s = replay->Take(Trim(edit, i));
      if (!s.ok()) return s;
    }
  }
  return replay->End(path);
}

Status BestEfforts::Follow(const VersionEdit& edit, size_t step) {
  if (edit.IsWalEdit()) return Status::OK();
  const uint32_t id = edit.column_family;
  if (edit.column_family_added) {
    families_[id] = Family();
    families_[id].name = *edit.column_family_added;
  }
  if (edit.column_family_dropped) {
    families_.erase(id);
    return Status::OK();
  }
  const auto found = families_.find(id);
  // The replay says what is wrong.
  if (found == families_.end()) return Status::OK();
  if (edit.log_number) found->second.has_begun = true;
  return FollowFiles(edit, step, &found->second);
}

Status BestEfforts::FollowFiles(const VersionEdit& edit, size_t step,
                                Family* family) {
  for (const auto& [level, number] : edit.deleted_files) {
    family->tables.erase(number);
    family->missing_tables.erase(number);
  }
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    const uint64_t number = entry.file->number;
    family->tables[number] = {entry.level, entry.file, step};
    const Status s = there_.table(family->name, *entry.file);
    if (!s.ok() && !s.IsNotFound()) return s;
    if (!s.ok()) family->missing_tables.insert(number);
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    const Status s = there_.blob(family->name, blob);
    if (!s.ok() && !s.IsNotFound()) return s;
    if (s.ok()) continue;
    family->missing_blobs[blob.number] = {.step = step,
                                          .live_count = blob.total_count};
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    const auto found = family->missing_blobs.find(garbage.number);
    if (found == family->missing_blobs.end()) continue;
    // More garbage than blobs: the replay says so.
    uint64_t& live_count = found->second.live_count;
    live_count -= std::min(live_count, garbage.garbage_count);
  }
  DropUnneededBlobs(family);
  return Status::OK();
}

// A blob file goes when no table is linked to it or an older one, or it is all
// garbage and no table is linked to it: its file may have been deleted then.
void BestEfforts::DropUnneededBlobs(Family* family) {
  if (family->missing_blobs.empty()) return;
  std::set<uint64_t> linked;
  for (const auto& [number, table] : family->tables) {
    if (table.file->oldest_blob_file == 0) continue;
    linked.insert(table.file->oldest_blob_file);
  }
  const uint64_t oldest = linked.empty() ? UINT64_MAX : *linked.begin();
  std::erase_if(family->missing_blobs, [&](const auto& entry) {
    const auto& [number, blob] = entry;
    return number < oldest ||
           (blob.live_count == 0 && linked.count(number) == 0);
  });
}

// Those that are missing, and those that may refer to a missing blob file: they
// came with it or after it, and are linked to none that is newer.
std::set<uint64_t> BestEfforts::SpoiltTables(const Family& family) {
  std::set<uint64_t> result = family.missing_tables;
  if (family.missing_blobs.empty()) return result;
  for (const auto& [number, table] : family.tables) {
    const uint64_t oldest = table.file->oldest_blob_file;
    if (oldest == 0) continue;
    for (const auto& [missing, blob] : family.missing_blobs) {
      if (oldest <= missing && blob.step <= table.step) result.insert(number);
    }
  }
  return result;
}

// All of level 0, and none that is not among them is newer.
bool BestEfforts::AreNewest(const Family& family,
                            const std::set<uint64_t>& tables) {
  const FileMeta* oldest = nullptr;
  for (const uint64_t number : tables) {
    const Table& table = family.tables.at(number);
    if (table.level != 0) return false;
    if (oldest == nullptr || AgeOf(*table.file) < AgeOf(*oldest)) {
      oldest = table.file.get();
    }
  }
  return oldest == nullptr ||
         std::none_of(family.tables.begin(), family.tables.end(),
                      [&](const auto& entry) {
                        const Table& table = entry.second;
                        return table.level == 0 &&
                               tables.count(entry.first) == 0 &&
                               AgeOf(*table.file) > AgeOf(*oldest);
                      });
}

void BestEfforts::JudgeFamilies(size_t step_count,
                                const std::set<uint32_t>& touched) {
  for (auto& [id, family] : families_) {
    if (!family.has_begun || grouped_.count(id) > 0) continue;
    // What a step does not touch is as good as it was, or as bad.
    if (touched.count(id) == 0 && family.good_steps + 1 != step_count) continue;
    std::set<uint64_t> spoilt = SpoiltTables(family);
    if (!AreNewest(family, spoilt)) continue;
    family.good_steps = step_count;
    family.left_out_tables = std::move(spoilt);
    family.left_out_blobs.clear();
    for (const auto& [number, blob] : family.missing_blobs) {
      family.left_out_blobs.insert(number);
    }
  }
}

void BestEfforts::JudgeGroup(size_t step_count) {
  const bool is_whole = std::all_of(
      families_.begin(), families_.end(), [this](const auto& entry) {
        const Family& family = entry.second;
        return grouped_.count(entry.first) == 0 ||
               (family.has_begun && family.missing_tables.empty() &&
                family.missing_blobs.empty());
      });
  if (is_whole) group_good_steps_ = step_count;
}

// What of an edit counts: counters always, the rest up to the family's cut.
VersionEdit BestEfforts::Trim(VersionEdit edit, size_t step) {
  edit.remaining_in_group.reset();
  const auto found = families_.find(edit.column_family);
  if (edit.IsWalEdit() || found == families_.end()) return edit;
  const Family& family = found->second;
  if (step >= family.good_steps) {
    has_lost_something_ = has_lost_something_ || edit.ChangesFiles();
    edit.new_files.clear();
    edit.deleted_files.clear();
    edit.blob_additions.clear();
    edit.blob_garbage.clear();
    edit.compaction_cursors.clear();
    edit.log_number.reset();
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

#include "db/version/version_builder.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status Misfit(const char* what, uint64_t number, const char* where, int level) {
  assert(what != nullptr);
  assert(where != nullptr);
  return Status::Corruption(std::string("edit ") + what + " file " +
                            std::to_string(number) + where +
                            std::to_string(level));
}

}  // namespace

VersionBuilder::VersionBuilder(const VersionStorage* base) : base_(base) {
  if (base_ == nullptr) return;
  for (const BlobFileState& blob : base_->blobs()) {
    blobs_.emplace(blob.number(), blob);
  }
  for (int level = 0; !blobs_.empty() && level < base_->level_count();
       ++level) {
    for (const FileRef& file : base_->files(level)) Link(*file);
  }
}

void VersionBuilder::Link(const FileMeta& table) {
  if (table.oldest_blob_file != 0) ++links_[table.oldest_blob_file];
}

void VersionBuilder::Unlink(const FileMeta& table) {
  const auto link = links_.find(table.oldest_blob_file);
  if (link != links_.end() && --link->second == 0) links_.erase(link);
}

// What no table may refer to after an edit is gone for good, though a later
// edit may bring a table that is linked to an older blob file: versions were
// made of fewer edits than are applied at once here, and without the file.
void VersionBuilder::DropUnlinkedBlobs() {
  const uint64_t oldest = links_.empty() ? UINT64_MAX : links_.begin()->first;
  blobs_.erase(blobs_.begin(), blobs_.lower_bound(oldest));
}

const VersionBuilder::BaseFile* VersionBuilder::FindInBase(uint64_t number) {
  if (base_ == nullptr) return nullptr;
  if (!is_base_indexed_) {
    is_base_indexed_ = true;
    base_files_.reserve(base_->FileCount());
    for (int level = 0; level < base_->level_count(); ++level) {
      for (const FileRef& file : base_->files(level)) {
        const bool is_new =
            base_files_.emplace(file->number, BaseFile{level, file}).second;
        INVARIANT(is_new);
      }
    }
  }
  const auto found = base_files_.find(number);
  return found == base_files_.end() ? nullptr : &found->second;
}

Status VersionBuilder::Delete(int level, uint64_t number) {
  const auto added = added_.find(number);
  if (added != added_.end()) {
    if (added->second.level != level) {
      return Misfit("deletes", number, " which is not at level ", level);
    }
    Unlink(*added->second.file);
    added_.erase(added);
    return Status::OK();
  }
  const BaseFile* file = FindInBase(number);
  if (file == nullptr || file->level != level ||
      !removed_.insert(number).second) {
    return Misfit("deletes", number, " which is not at level ", level);
  }
  Unlink(*file->file);
  return Status::OK();
}

Status VersionBuilder::Add(const VersionEdit::NewFile& entry) {
  INVARIANT(entry.file != nullptr);
  INVARIANT(entry.level >= 0);
  const uint64_t number = entry.file->number;
  const auto added = added_.find(number);
  if (added != added_.end()) {
    return Misfit("adds", number, " which is already at level ",
                  added->second.level);
  }
  const BaseFile* file = FindInBase(number);
  if (file == nullptr) {
    added_.emplace(number, entry);
    Link(*entry.file);
    return Status::OK();
  }
  if (removed_.count(number) == 0) {
    return Misfit("adds", number, " which is already at level ", file->level);
  }
  // A number is given out once, so this is the same file elsewhere.
  INVARIANT(file->file->size_bytes == entry.file->size_bytes);
  added_.emplace(number, VersionEdit::NewFile{entry.level, file->file});
  Link(*file->file);
  return Status::OK();
}

Status VersionBuilder::AddBlobFile(const BlobFileAddition& addition) {
  BlobFileState blob;
  blob.file = std::make_shared<BlobFile>(addition);
  if (!blobs_.emplace(addition.number, std::move(blob)).second) {
    return Status::Corruption("edit adds blob file " +
                              std::to_string(addition.number) + " again");
  }
  return Status::OK();
}

Status VersionBuilder::AddGarbage(const BlobFileGarbage& garbage) {
  const auto found = blobs_.find(garbage.number);
  if (found == blobs_.end()) {
    return Status::Corruption("edit says that there is garbage in blob file " +
                              std::to_string(garbage.number) +
                              ", which is not there");
  }
  BlobFileState& blob = found->second;
  const BlobFileAddition& total = blob.file->record;
  INVARIANT(blob.garbage_count <= total.total_count);
  INVARIANT(blob.garbage_bytes <= total.total_bytes);
  if (garbage.garbage_count > total.total_count - blob.garbage_count ||
      garbage.garbage_bytes > total.total_bytes - blob.garbage_bytes) {
    return Status::Corruption(
        "edit says that there is more garbage in blob "
        "file " +
        std::to_string(garbage.number) + " than it has blobs");
  }
  blob.garbage_count += garbage.garbage_count;
  blob.garbage_bytes += garbage.garbage_bytes;
  return Status::OK();
}

void VersionBuilder::LimitGarbage(VersionEdit* edit) const {
  INVARIANT(edit != nullptr);
  for (BlobFileGarbage& garbage : edit->blob_garbage) {
    const auto found = blobs_.find(garbage.number);
    // A file of this edit has been counted by whoever wrote it.
    if (found == blobs_.end()) continue;
    const BlobFileState& blob = found->second;
    garbage.garbage_bytes =
        std::min(garbage.garbage_bytes,
                 blob.file->record.total_bytes - blob.garbage_bytes);
  }
}

Status VersionBuilder::Apply(const VersionEdit& edit) {
  for (const auto& [level, number] : edit.deleted_files) {
    if (Status s = Delete(level, number); !s.ok()) return s;
  }
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    if (Status s = Add(entry); !s.ok()) return s;
  }
  for (const BlobFileAddition& addition : edit.blob_additions) {
    if (Status s = AddBlobFile(addition); !s.ok()) return s;
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    if (Status s = AddGarbage(garbage); !s.ok()) return s;
  }
  DropUnlinkedBlobs();
  return Status::OK();
}

// A table is linked to its oldest blob file alone, but may refer to all that
// are younger: so these stay as long as any table is linked to an older one.
BlobFileList VersionBuilder::FinishBlobs(
    const std::vector<std::vector<FileRef>>& levels) const {
  BlobFileList list;
  if (blobs_.empty()) return list;
  std::map<uint64_t, size_t> links;
  for (const auto& level : levels) {
    for (const FileRef& file : level) {
      if (file->oldest_blob_file != 0) ++links[file->oldest_blob_file];
    }
  }
  if (links.empty()) return list;
  const uint64_t oldest = links.begin()->first;
  for (const auto& [number, blob] : blobs_) {
    const auto linked = links.find(number);
    const size_t count = linked == links.end() ? 0 : linked->second;
    if (number < oldest || (count == 0 && blob.IsAllGarbage())) continue;
    list.push_back(blob);
    list.back().linked_table_count = count;
  }
  return list;
}

Status VersionBuilder::Finish(int level_count,
                              std::vector<std::vector<FileRef>>* levels) const {
  INVARIANT(levels != nullptr);
  INVARIANT(level_count >= 1);
  INVARIANT(base_ == nullptr || base_->level_count() <= level_count);
  for (const auto& [number, entry] : added_) {
    if (entry.level < level_count) continue;
    return Status::InvalidArgument("db has more levels than options.num_levels",
                                   "num_levels=" + std::to_string(level_count) +
                                       ", and level " +
                                       std::to_string(entry.level) +
                                       " has file " + std::to_string(number));
  }
  levels->assign(level_count, {});
  size_t kept = 0;
  for (int level = 0; base_ != nullptr && level < base_->level_count();
       ++level) {
    for (const FileRef& file : base_->files(level)) {
      if (!removed_.empty() && removed_.count(file->number) != 0) continue;
      (*levels)[level].push_back(file);
      ++kept;
    }
  }
  INVARIANT(base_ == nullptr || kept + removed_.size() == base_->FileCount());
  for (const auto& [number, entry] : added_) {
    (*levels)[entry.level].push_back(entry.file);
  }
  return Status::OK();
}

namespace {

// Level 0 by age from sequences alone: oldest first.
bool IsOlderBySequence(const FileRef& a, const FileRef& b) {
  if (a->largest_sequence != b->largest_sequence) {
    return a->largest_sequence < b->largest_sequence;
  }
  if (a->smallest_sequence != b->smallest_sequence) {
    return a->smallest_sequence < b->smallest_sequence;
  }
  return a->number < b->number;
}

}  // namespace

uint64_t AssignMissingEpochs(std::vector<std::vector<FileRef>>* levels,
                             uint64_t first) {
  INVARIANT(levels != nullptr && !levels->empty());
  INVARIANT(first != kUnknownEpoch);
  uint64_t largest = 0;
  bool is_complete = true;
  for (const auto& level : *levels) {
    for (const FileRef& file : level) {
      largest = std::max(largest, file->epoch_number);
      is_complete = is_complete && file->epoch_number != kUnknownEpoch;
    }
  }
  if (is_complete) return std::max(first, largest + 1);
  uint64_t next = first;
  for (size_t level = levels->size(); level-- > 1;) {
    if ((*levels)[level].empty()) continue;
    for (const FileRef& file : (*levels)[level]) file->epoch_number = next;
    ++next;
  }
  std::vector<FileRef> oldest_first = levels->front();
  std::sort(oldest_first.begin(), oldest_first.end(), IsOlderBySequence);
  for (const FileRef& file : oldest_first) file->epoch_number = next++;
  INVARIANT(next > first);
  return next;
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/manifest/surviving_files.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

SurvivingFiles::Age SurvivingFiles::AgeOf(const FileMeta& file) {
  return {file.epoch_number, file.largest_sequence, file.smallest_sequence,
          file.number};
}

void SurvivingFiles::Apply(const VersionEdit& edit, size_t step,
                           const std::unordered_set<uint64_t>& missing) {
  INVARIANT(step >= step_);
  if (step != step_) added_now_.clear();
  step_ = step;
  for (const auto& [level, number] : edit.deleted_files) RemoveTable(number);
  for (const BlobFileAddition& blob : edit.blob_additions) {
    if (missing.count(blob.number) > 0) AddBlob(blob, step);
  }
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    AddTable(entry, step, missing.count(entry.file->number) > 0);
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    const auto found = missing_blobs_.find(garbage.number);
    if (found == missing_blobs_.end()) continue;
    // More garbage than blobs: the replay says so.
    uint64_t& live_count = found->second.live_count;
    live_count -= std::min(live_count, garbage.garbage_count);
    maybe_garbage_.push_back(garbage.number);
  }
  for (const uint64_t number : maybe_garbage_) DropIfGarbage(number);
  maybe_garbage_.clear();
  DropUnneededBlobs();
}

void SurvivingFiles::AddTable(const VersionEdit::NewFile& entry, size_t step,
                              bool is_missing) {
  const FileMeta& file = *entry.file;
  RemoveTable(file.number);
  Table& table = tables_[file.number];
  table = {.level = entry.level,
           .file = entry.file,
           .step = step,
           .is_missing = is_missing};
  newest_ = std::max(newest_, file.largest_sequence);
  if (file.oldest_blob_file != 0) ++links_[file.oldest_blob_file];
  FindMissingBlob(file.number, &table);
  Count(table);
  added_now_.push_back(file.number);
}

void SurvivingFiles::RemoveTable(uint64_t number) {
  const auto found = tables_.find(number);
  if (found == tables_.end()) return;
  Discount(found->second);
  const uint64_t oldest = found->second.file->oldest_blob_file;
  tables_.erase(found);
  if (oldest == 0) return;
  const auto link = links_.find(oldest);
  INVARIANT(link != links_.end() && link->second > 0);
  if (--link->second > 0) return;
  links_.erase(link);
  maybe_garbage_.push_back(oldest);
}

void SurvivingFiles::Count(const Table& table) {
  const Age age = AgeOf(*table.file);
  const uint64_t number = table.file->number;
  if (table.level == 0) {
    level0_.emplace(age, number);
    if (table.is_spoilt()) spoilt_level0_.emplace(age, number);
    return;
  }
  deeper_sequences_.insert(table.file->largest_sequence);
  spoilt_deeper_count_ += table.is_spoilt();
}

void SurvivingFiles::Discount(const Table& table) {
  const Age age = AgeOf(*table.file);
  if (table.level == 0) {
    level0_.erase(age);
    spoilt_level0_.erase(age);
    return;
  }
  deeper_sequences_.erase(deeper_sequences_.find(table.file->largest_sequence));
  spoilt_deeper_count_ -= table.is_spoilt();
}

// A table may refer to the blob files that came with it or before it, down to
// the one that it is linked to. The newest of those that are missing is the
// likeliest to stay so.
void SurvivingFiles::FindMissingBlob(uint64_t number, Table* table) {
  INVARIANT(table != nullptr);
  table->missing_blob = 0;
  const uint64_t oldest = table->file->oldest_blob_file;
  if (oldest == 0) return;
  for (auto it = missing_blobs_.rbegin();
       it != missing_blobs_.rend() && it->first >= oldest; ++it) {
    if (it->second.step > table->step) continue;
    table->missing_blob = it->first;
    it->second.spoils.push_back(number);
    return;
  }
}

// Tables of other edits of the same step may refer to it, too.
void SurvivingFiles::AddBlob(const BlobFileAddition& blob, size_t step) {
  missing_blobs_[blob.number] = {
      .step = step, .live_count = blob.total_count, .spoils = {}};
  for (const uint64_t number : added_now_) {
    const auto found = tables_.find(number);
    if (found == tables_.end() || found->second.missing_blob != 0) continue;
    Discount(found->second);
    FindMissingBlob(number, &found->second);
    Count(found->second);
  }
}

// A blob file goes when no table is linked to it or an older one, or it is all
// garbage and no table is linked to it: its file may have been deleted then.
void SurvivingFiles::DropUnneededBlobs() {
  const uint64_t oldest = links_.empty() ? UINT64_MAX : links_.begin()->first;
  const auto needed = missing_blobs_.lower_bound(oldest);
  // No table that there is refers to one of them.
  missing_blobs_.erase(missing_blobs_.begin(), needed);
}

void SurvivingFiles::DropIfGarbage(uint64_t number) {
  const auto found = missing_blobs_.find(number);
  if (found == missing_blobs_.end() || found->second.live_count > 0 ||
      links_.count(number) > 0) {
    return;
  }
  const std::vector<uint64_t> spoilt = std::move(found->second.spoils);
  missing_blobs_.erase(found);
  for (const uint64_t table_number : spoilt) {
    const auto table = tables_.find(table_number);
    if (table == tables_.end() || table->second.missing_blob != number) {
      continue;
    }
    Discount(table->second);
    FindMissingBlob(table_number, &table->second);
    Count(table->second);
  }
}

std::optional<SurvivingFiles::State> SurvivingFiles::Judge() const {
  if (spoilt_deeper_count_ > 0) return std::nullopt;
  if (spoilt_level0_.empty()) return State{.reaches = newest_};
  const auto& [age, number] = *spoilt_level0_.begin();
  const SequenceNumber first = tables_.at(number).file->smallest_sequence;
  // What is kept must be older than what is not.
  if (!deeper_sequences_.empty() && *deeper_sequences_.rbegin() >= first) {
    return std::nullopt;
  }
  return State{.reaches = first == 0 ? 0 : first - 1, .left_out_from = age};
}

std::set<uint64_t> SurvivingFiles::TablesLeftOut(const State& state) const {
  std::set<uint64_t> result;
  if (!state.left_out_from) return result;
  for (auto it = level0_.lower_bound(*state.left_out_from); it != level0_.end();
       ++it) {
    result.insert(it->second);
  }
  return result;
}

std::set<uint64_t> SurvivingFiles::BlobsLeftOut() const {
  std::set<uint64_t> result;
  for (const auto& [number, blob] : missing_blobs_) result.insert(number);
  return result;
}

}  // namespace ROCKSDB_NAMESPACE

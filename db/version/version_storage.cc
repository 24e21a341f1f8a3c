#include "db/version/version_storage.h"

#include <algorithm>
#include <set>

#include "db/version/style_scores.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Newest first (db-format.md 5.7).
bool IsNewer(const FileRef& a, const FileRef& b) {
  if (a->epoch_number != b->epoch_number) {
    return a->epoch_number > b->epoch_number;
  }
  if (a->largest_sequence != b->largest_sequence) {
    return a->largest_sequence > b->largest_sequence;
  }
  if (a->smallest_sequence != b->smallest_sequence) {
    return a->smallest_sequence > b->smallest_sequence;
  }
  return a->number > b->number;
}

bool OverlapsRange(const InternalKeyComparator& order, const FileMeta& file,
                   const VersionStorage::KeyRange& range) {
  if (range.end != nullptr &&
      order.CompareUserKeys(file.smallest.user_key(), *range.end) > 0) {
    return false;
  }
  if (range.begin == nullptr) return true;
  const int after =
      order.CompareUserKeys(file.largest.user_key(), *range.begin);
  // A sentinel ends before its user key.
  return after > 0 || (after == 0 && !file.largest.IsTombstoneSentinel());
}

// The lists come as the level before had them, then what is new: mostly sorted.
template <class Before>
void SortTail(std::vector<FileRef>* files, const Before& before) {
  INVARIANT(files != nullptr);
  const auto tail = std::is_sorted_until(files->begin(), files->end(), before);
  std::sort(tail, files->end(), before);
  std::inplace_merge(files->begin(), tail, files->end(), before);
  assert(std::is_sorted(files->begin(), files->end(), before));
}

}  // namespace

VersionStorage::VersionStorage(const InternalKeyComparator* order,
                               int level_count)
    : order_(order),
      level_count_(level_count),
      levels_(level_count),
      level_bytes_(level_count, 0),
      needs_(level_count) {
  INVARIANT(order != nullptr);
  INVARIANT(level_count >= 1);
}

Status VersionStorage::Build(std::vector<std::vector<FileRef>> levels,
                             bool check_consistency, BlobFileList blobs) {
  INVARIANT(levels.size() == static_cast<size_t>(level_count_));
  INVARIANT(FileCount() == 0);
  INVARIANT(blobs_.empty());
  blobs_ = std::move(blobs);
  level0_ = std::move(levels[0]);
  SortTail(&level0_, IsNewer);
  if (check_consistency) {
    if (Status s = CheckLevel0(); !s.ok()) return s;
  }
  for (int i = 1; i < level_count_; ++i) {
    SortTail(&levels[i], [this](const FileRef& a, const FileRef& b) {
      return order_->Compare(a->smallest, b->smallest) < 0;
    });
    Status s = LevelFiles::Build(std::move(levels[i]), *order_,
                                 check_consistency, &levels_[i]);
    if (!s.ok()) {
      return Status::CopyAppendMessage(s, " in ", "level " + std::to_string(i));
    }
  }
  if constexpr (kDeepChecks) {
    std::set<uint64_t> numbers;
    for (int i = 0; i < level_count_; ++i) {
      for (const FileRef& file : files(i)) {
        INVARIANT(numbers.insert(file->number).second);
      }
    }
  }
  for (int i = 0; i < level_count_; ++i) {
    for (const FileRef& file : files(i)) {
      level_bytes_[i] += file->size_bytes;
      largest_sequence_ = std::max(largest_sequence_, file->largest_sequence);
    }
    if (!files(i).empty()) last_non_empty_ = i;
  }
  needs_.stall_count = static_cast<int>(level0_.size());
  return check_consistency ? CheckBlobs() : Status::OK();
}

// Every table's oldest blob file is there, and not all of it is garbage.
Status VersionStorage::CheckBlobs() const {
  if constexpr (kDeepChecks) {
    for (size_t i = 1; i < blobs_.size(); ++i) {
      INVARIANT(blobs_[i - 1].number() < blobs_[i].number());
    }
  }
  for (int level = 0; level < level_count_; ++level) {
    for (const FileRef& file : files(level)) {
      if (file->oldest_blob_file == 0) continue;
      const BlobFileState* blob = FindBlob(file->oldest_blob_file);
      if (blob != nullptr && !blob->IsAllGarbage()) continue;
      return Status::Corruption(
          "table " + std::to_string(file->number) + " refers to blob file " +
              std::to_string(file->oldest_blob_file),
          blob == nullptr ? "which is not there" : "which is all garbage");
    }
  }
  return Status::OK();
}

uint64_t VersionStorage::BlobBytes() const {
  uint64_t bytes = 0;
  for (const BlobFileState& blob : blobs_) bytes += blob.file->size_bytes();
  return bytes;
}

uint64_t VersionStorage::BlobGarbageBytes() const {
  uint64_t bytes = 0;
  for (const BlobFileState& blob : blobs_) bytes += blob.garbage_bytes;
  return bytes;
}

uint64_t VersionStorage::BlobCutoff(double age_cutoff) const {
  const auto count = static_cast<size_t>(std::clamp(age_cutoff, 0.0, 1.0) *
                                         static_cast<double>(blobs_.size()));
  if (count == 0) return 0;
  assert(count <= blobs_.size());
  return count < blobs_.size() ? blobs_[count].number() : UINT64_MAX;
}

// Which of two files of one epoch is newer is not known, so that they must not
// hold the same keys.
Status VersionStorage::CheckLevel0() const {
  for (size_t i = 0; i < level0_.size(); ++i) {
    const FileMeta& newer = *level0_[i];
    if (newer.epoch_number == kUnknownEpoch) continue;
    for (size_t j = i + 1; j < level0_.size(); ++j) {
      const FileMeta& older = *level0_[j];
      if (older.epoch_number != newer.epoch_number) break;
      if (order_->Compare(newer.largest, older.smallest) < 0) continue;
      if (order_->Compare(older.largest, newer.smallest) < 0) continue;
      return Status::Corruption(
          "level 0 files of one epoch overlap",
          std::to_string(newer.number) + ", " + std::to_string(older.number));
    }
  }
  return Status::OK();
}

const LevelFiles& VersionStorage::level(int level) const {
  assert(level >= 1 && level < level_count_);
  return levels_[level];
}

const std::vector<FileRef>& VersionStorage::files(int level) const {
  assert(level >= 0 && level < level_count_);
  return level == 0 ? level0_ : levels_[level].files();
}

size_t VersionStorage::FileCount() const {
  size_t count = 0;
  for (int i = 0; i < level_count_; ++i) count += files(i).size();
  return count;
}

uint64_t VersionStorage::TotalBytes() const {
  uint64_t bytes = 0;
  for (uint64_t level : level_bytes_) bytes += level;
  return bytes;
}

bool VersionStorage::ContainsFile(int level, uint64_t number) const {
  if (level < 0 || level >= level_count_) return false;
  return std::any_of(
      files(level).begin(), files(level).end(),
      [number](const FileRef& file) { return file->number == number; });
}

std::vector<FileRef> VersionStorage::Overlapping(int level,
                                                 const KeyRange& range,
                                                 Level0Growth growth) const {
  if (level == 0 && growth == Level0Growth::kTransitive) {
    return GrowInLevel0(range);
  }
  std::vector<FileRef> result;
  const std::vector<FileRef>& all = files(level);
  for (size_t i = level == 0 ? 0 : FirstIn(level, range); i < all.size(); ++i) {
    if (OverlapsRange(*order_, *all[i], range)) {
      result.push_back(all[i]);
    } else if (level > 0 && BeginsAfter(*all[i], range)) {
      break;
    }
  }
  return result;
}

// Each file that joins may widen the range, and so let others join.
std::vector<FileRef> VersionStorage::GrowInLevel0(const KeyRange& range) const {
  std::string begin = range.begin != nullptr ? range.begin->ToString() : "";
  std::string end = range.end != nullptr ? range.end->ToString() : "";
  assert(range.begin == nullptr || range.end == nullptr ||
         order_->CompareUserKeys(*range.begin, *range.end) <= 0);
  std::vector<bool> is_taken(level0_.size(), false);
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t i = 0; i < level0_.size(); ++i) {
      const Slice b(begin), e(end);
      const KeyRange wide{range.begin != nullptr ? &b : nullptr,
                          range.end != nullptr ? &e : nullptr};
      if (is_taken[i] || !OverlapsRange(*order_, *level0_[i], wide)) continue;
      is_taken[i] = true;
      grew = true;
      const Slice low = level0_[i]->smallest.user_key();
      const Slice high = level0_[i]->largest.user_key();
      if (wide.begin != nullptr && order_->CompareUserKeys(low, b) < 0) {
        begin = low.ToString();
      }
      if (wide.end != nullptr && order_->CompareUserKeys(high, e) > 0) {
        end = high.ToString();
      }
    }
  }
  std::vector<FileRef> result;
  for (size_t i = 0; i < level0_.size(); ++i) {
    if (is_taken[i]) result.push_back(level0_[i]);
  }
  return result;
}

// The index of the first file of a level >= 1 that may reach into the range.
size_t VersionStorage::FirstIn(int level, const KeyRange& range) const {
  assert(level >= 1 && level < level_count_);
  if (range.begin == nullptr) return 0;
  const InternalKey first =
      BeforeAllVersions(*range.begin, order_->timestamp_size());
  return levels_[level].FirstEndingAtOrAfter(first.Encode());
}

bool VersionStorage::BeginsAfter(const FileMeta& file,
                                 const KeyRange& range) const {
  return range.end != nullptr &&
         order_->CompareUserKeys(file.smallest.user_key(), *range.end) > 0;
}

bool VersionStorage::HasOverlap(int level, const Slice& begin_user_key,
                                const Slice& end_user_key) const {
  const KeyRange range{&begin_user_key, &end_user_key};
  const std::vector<FileRef>& all = files(level);
  for (size_t i = level == 0 ? 0 : FirstIn(level, range); i < all.size(); ++i) {
    if (OverlapsRange(*order_, *all[i], range)) return true;
    if (level > 0 && BeginsAfter(*all[i], range)) return false;
  }
  return false;
}

bool VersionStorage::IsBottommostFor(
    int output_level, const Slice& begin_user_key, const Slice& end_user_key,
    const FileMeta* oldest_level0_input) const {
  INVARIANT(output_level >= 0 && output_level < level_count_);
  if (output_level == 0) {
    const bool is_oldest = oldest_level0_input != nullptr && !level0_.empty() &&
                           level0_.back().get() == oldest_level0_input;
    if (!is_oldest) return false;
  }
  for (int level = output_level + 1; level < level_count_; ++level) {
    if (HasOverlap(level, begin_user_key, end_user_key)) return false;
  }
  return true;
}

void VersionStorage::ComputeScores(const ImmutableCFOptions& cf,
                                   const MutableCFOptions& options,
                                   ScoreTime time) {
  ScoresOf(cf.compaction_style).Judge({*this, cf, options, time}, &needs_);
}

bool VersionStorage::WantsMergeForReads(const MutableCFOptions& options,
                                        int level, const FileMeta& file) const {
  const double threshold = options.read_triggered_compaction_threshold;
  assert(threshold >= 0);
  if (threshold == 0) return false;
  INVARIANT(level <= last_non_empty_);
  const bool is_in_oldest_run =
      level == last_non_empty_ && (level > 0 || &file == level0_.back().get());
  return !is_in_oldest_run &&
         static_cast<double>(file.sampled_reads.load()) >
             threshold * static_cast<double>(file.size_bytes);
}

// The deletions of a file that has no older data below it, and that outlived
// the snapshots which needed them, are waste: the file is rewritten once.
void VersionStorage::NoteOldestSnapshot(SequenceNumber oldest_snapshot,
                                        const MutableCFOptions& options,
                                        uint64_t now_seconds) {
  oldest_snapshot_ = std::max(oldest_snapshot_, oldest_snapshot);
  bottommost_ready_.clear();
  // With timestamps, deletions stay as long as somebody may read as of the
  // time before them, whatever the snapshots.
  if (last_non_empty_ == 0 || order_->timestamp_size() != 0) return;
  const auto is_ready = [&](const FileMeta& file) {
    const bool has_waste =
        file.largest_sequence != 0 && file.deletion_count.load() > 1;
    const bool is_young =
        options.bottommost_file_compaction_delay > 0 &&
        file.file_creation_time + options.bottommost_file_compaction_delay >
            now_seconds;
    return has_waste && !is_young && file.largest_sequence < oldest_snapshot_;
  };
  for (int level = 1; level <= last_non_empty_; ++level) {
    for (const FileRef& file : files(level)) {
      if (is_ready(*file) &&
          IsBottommostFor(level, file->smallest.user_key(),
                          file->largest.user_key(), nullptr)) {
        bottommost_ready_.emplace_back(level, file);
      }
    }
  }
}

bool VersionStorage::IsFreedBySnapshots(const FileRef& file) const {
  INVARIANT(file != nullptr);
  return std::any_of(
      bottommost_ready_.begin(), bottommost_ready_.end(),
      [&file](const auto& entry) { return entry.second == file; });
}

std::string VersionStorage::DebugString() const {
  std::string text;
  for (int level = 0; level < level_count_; ++level) {
    text += "level " + std::to_string(level) + ":";
    for (const FileRef& file : files(level)) {
      text += " " + std::to_string(file->number) + "(" +
              std::to_string(file->size_bytes) + ")[" +
              file->smallest.DebugString(true) + " .. " +
              file->largest.DebugString(true) + "]";
    }
    text += "\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE

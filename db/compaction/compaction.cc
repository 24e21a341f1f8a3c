#include "db/compaction/compaction.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

size_t Compaction::InputFileCount() const {
  size_t count = 0;
  for (const CompactionInputLevel& input : inputs) count += input.files.size();
  return count;
}

uint64_t Compaction::InputBytes() const {
  uint64_t bytes = 0;
  for (const CompactionInputLevel& input : inputs) {
    for (const FileRef& file : input.files) bytes += file->size_bytes;
  }
  return bytes;
}

bool Compaction::IsTrimmed(const Slice& timestamp) const {
  if (trim_ts.empty()) return false;
  const Comparator& order = *version->storage().order().user_comparator();
  return order.CompareTimestamp(timestamp, trim_ts) > 0;
}

uint64_t Compaction::ReadBytes() const {
  uint64_t bytes = 0;
  for (const CompactionInputLevel& input : inputs) {
    for (const FileRef& file : input.files) {
      if (Reads(*file)) bytes += file->size_bytes;
    }
  }
  return bytes;
}

std::vector<CompactionInputLevel> Compaction::ReadInputs() const {
  assert(std::is_sorted(unread.begin(), unread.end()));
  std::vector<CompactionInputLevel> levels = inputs;
  if (unread.empty()) return levels;
  for (CompactionInputLevel& level : levels) {
    std::erase_if(level.files,
                  [this](const FileRef& file) { return !Reads(*file); });
    if (level.level == 0) continue;
    const Status s =
        LevelFiles::Build(level.files, version->storage().order(),
                          /*check_consistency=*/false, &level.sorted);
    INVARIANT(s.ok());  // What is not checked is not refused.
  }
  std::erase_if(levels, [](const CompactionInputLevel& level) {
    return level.files.empty();
  });
  // The file of the tombstone is always read.
  INVARIANT(!levels.empty());
  return levels;
}

void Compaction::KeyRange(std::string* begin, std::string* end) const {
  INVARIANT(begin != nullptr);
  INVARIANT(end != nullptr);
  INVARIANT(InputFileCount() > 0);
  const InternalKeyComparator& order = version->storage().order();
  Slice low, high;
  bool is_first = true;
  for (const CompactionInputLevel& input : inputs) {
    for (const FileRef& file : input.files) {
      const Slice from = file->smallest.user_key();
      const Slice to = file->largest.user_key();
      if (is_first || order.CompareUserKeys(from, low) < 0) low = from;
      if (is_first || order.CompareUserKeys(to, high) > 0) high = to;
      is_first = false;
    }
  }
  assert(order.CompareUserKeys(low, high) <= 0);
  *begin = low.ToString();
  *end = high.ToString();
}

void Compaction::OverrideBlobCollection(BlobGarbageCollectionPolicy policy,
                                        double age_cutoff) {
  INVARIANT(version != nullptr);
  INVARIANT(options != nullptr);
  using Policy = BlobGarbageCollectionPolicy;
  const bool collects =
      policy == Policy::kForce || (policy == Policy::kUseDefault &&
                                   options->enable_blob_garbage_collection);
  const bool is_given = age_cutoff >= 0 && age_cutoff <= 1;
  relocates_blobs_below =
      collects ? version->storage().BlobCutoff(
                     is_given ? age_cutoff
                              : options->blob_garbage_collection_age_cutoff)
               : 0;
  // A moved file would keep its references.
  if (policy == Policy::kForce && relocates_blobs_below > 0) {
    is_trivial_move = false;
  }
}

void Compaction::MarkInputs(bool being_compacted) const {
  for (const CompactionInputLevel& input : inputs) {
    for (const FileRef& file : input.files) {
      // Two compactions of one file would write its keys twice.
      INVARIANT(file->being_compacted != being_compacted);
      file->being_compacted = being_compacted;
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE

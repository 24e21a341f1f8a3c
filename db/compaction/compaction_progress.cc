#include "db/compaction/compaction_progress.h"

#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CompactionProgress::CompactionProgress(const Compaction* compaction,
                                       const Comparator* order,
                                       Statistics* statistics)
    : compaction_(compaction), order_(order), statistics_(statistics) {
  INVARIANT(compaction_ != nullptr);
  INVARIANT(order_ != nullptr);
}

// The bytes of the inputs, unread ones apart, whose largest key is in
// (`after`, `last`].
uint64_t CompactionProgress::InputBytes(const std::optional<Slice>& after,
                                        const Slice& last) const {
  assert(!after || order_->Compare(*after, last) <= 0);
  uint64_t passed = 0;
  for (const CompactionInputLevel& input : compaction_->inputs) {
    for (const FileRef& file : input.files) {
      if (!compaction_->Reads(*file)) continue;
      const Slice end = file->largest.user_key();
      const bool is_new = !after || order_->Compare(*after, end) < 0;
      if (is_new && order_->Compare(end, last) <= 0) passed += file->size_bytes;
    }
  }
  return passed;
}

void CompactionProgress::TakeOver(const Slice& last, uint64_t written_bytes) {
  read_bytes_.fetch_add(InputBytes(std::nullopt, last));
  written_bytes_.fetch_add(written_bytes);
}

void CompactionProgress::Advance(const std::optional<Slice>& after,
                                 const Slice& last, uint64_t written_bytes) {
  const uint64_t passed = InputBytes(after, last);
  read_bytes_.fetch_add(passed);
  written_bytes_.fetch_add(written_bytes);
  RecordTick(statistics_, COMPACT_READ_BYTES, passed);
  RecordTick(statistics_, COMPACT_WRITE_BYTES, written_bytes);
}

void CompactionProgress::Finish(uint64_t read_bytes, uint64_t written_bytes) {
  const uint64_t read = read_bytes_.exchange(read_bytes);
  const uint64_t written = written_bytes_.exchange(written_bytes);
  INVARIANT(read <= read_bytes);
  INVARIANT(written <= written_bytes);
  RecordTick(statistics_, COMPACT_READ_BYTES, read_bytes - read);
  RecordTick(statistics_, COMPACT_WRITE_BYTES, written_bytes - written);
}

}  // namespace ROCKSDB_NAMESPACE

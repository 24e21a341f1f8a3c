#include "db/flush/mempurge.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_flow.h"
#include "db/family/column_family.h"
#include "db/flush/sealed_input.h"
#include "db/semantics/compaction_iterator.h"
#include "memtable/memtable.h"
#include "options/cf_options.h"
#include "util/invariant.h"
#include "util/key/entry_limit.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// About this many entries of each memtable are looked at closely.
constexpr uint64_t kSampleCount = 196;

// Does one of its range tombstones hide what has that sequence?
bool IsDeleted(const MemTable& memtable, const Slice& user_key,
               SequenceNumber sequence) {
  return memtable.tombstones().IsAny() &&
         memtable.tombstones().Newest(user_key, kMaxSequenceNumber) > sequence;
}

// Which keys newer memtables write anew.
class NewerVersions {
 public:
  NewerVersions(const InternalKeyComparator& order,
                const MemTable* const* begin, const MemTable* const* end)
      : order_(order), memtables_(begin, end) {
    for (const MemTable* memtable : memtables_) {
      iterators_.push_back(memtable->NewIterator());
    }
  }

  bool Hide(const Slice& user_key) {
    const InternalKey from(user_key, kMaxSequenceNumber, kValueTypeForSeek);
    for (size_t i = 0; i < memtables_.size(); ++i) {
      InternalIterator& it = *iterators_[i];
      it.Seek(from.Encode());
      if (it.Valid() &&
          order_.EqualUserKeys(ExtractUserKey(it.key()), user_key)) {
        return true;
      }
      if (IsDeleted(*memtables_[i], user_key, /*sequence=*/0)) return true;
    }
    return false;
  }

 private:
  const InternalKeyComparator& order_;
  const std::vector<const MemTable*> memtables_;
  std::vector<std::unique_ptr<InternalIterator>> iterators_;
};

// Walks over one memtable and looks closely at one entry in so many, at a
// place of each such run that chance picks: data may come in a rhythm.
uint64_t EstimateUsefulBytesOf(const InternalKeyComparator& order,
                               const MemTable& memtable, NewerVersions* newer) {
  const uint64_t count =
      memtable.entry_count() - memtable.counts().range_deletes();
  const uint64_t run = std::max<uint64_t>(count / kSampleCount, 1);
  Random64 random(memtable.id() + 1);
  uint64_t sample = random.Uniform(run);
  uint64_t sampled_bytes = 0, useful_bytes = 0, index = 0;
  std::string before;
  const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++index) {
    const Slice user_key = ExtractUserKey(it->key());
    if (index == sample) {
      const uint64_t bytes = it->key().size() + it->value().size();
      sampled_bytes += bytes;
      const bool is_newest =
          index == 0 || !order.EqualUserKeys(before, user_key);
      const bool is_deleted =
          IsDeleted(memtable, user_key, ExtractSequence(it->key()));
      if (is_newest && !is_deleted && !newer->Hide(user_key)) {
        useful_bytes += bytes;
      }
      sample = (index / run + 1) * run + random.Uniform(run);
    }
    if (index + 1 == sample) before.assign(user_key.data(), user_key.size());
  }
  if (sampled_bytes == 0) return 0;
  return static_cast<uint64_t>(
      static_cast<double>(memtable.counts().data_bytes()) *
      (static_cast<double>(useful_bytes) / static_cast<double>(sampled_bytes)));
}

Status NotWorthIt(const char* why) { return Status::Aborted("mempurge", why); }

// Copies what is left to the target. Aborted: that became full, or nothing is
// left.
Status CopySurvivors(const MempurgeRequest& request, const SealedInput& input,
                     const SnapshotStripes& stripes,
                     CompactionIterator* entries) {
  MemTable& target = *request.target;
  MemTable::Delta delta;
  EntryTree::Hint hint;
  Status s;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    const Slice key = entries->key();
    // A merge may make such a value.
    if (IsEntryTooLarge(key.size(), entries->value().size())) [[unlikely]] {
      return NotWorthIt("an entry is too large");
    }
    s = target.Add({.sequence = ExtractSequence(key),
                    .type = ExtractType(key),
                    .key = ExtractUserKey(key),
                    .value = entries->value(),
                    .hint = &hint},
                   &delta);
    if (!s.ok()) return s;
    if (target.ShouldFlush()) return NotWorthIt("too much is left");
  }
  if (!entries->status().ok()) return entries->status();
  for (const RangeTombstone& tombstone :
       SurvivingTombstones(*request.job, input, stripes)) {
    s = target.Add({.sequence = tombstone.sequence,
                    .type = kTypeRangeDeletion,
                    .key = tombstone.begin,
                    .value = tombstone.end},
                   &delta);
    if (!s.ok()) return s;
  }
  if (target.ShouldFlush()) return NotWorthIt("too much is left");
  if (delta.entries == 0) return NotWorthIt("nothing is left");
  target.Count(delta);
  return s;
}

}  // namespace

uint64_t EstimateUsefulBytes(const InternalKeyComparator& order,
                             const SealedMemTables& memtables) {
  uint64_t bytes = 0;
  const MemTable* const* const end = memtables.data() + memtables.size();
  for (size_t i = 0; i < memtables.size(); ++i) {
    NewerVersions newer(order, memtables.data() + i + 1, end);
    bytes += EstimateUsefulBytesOf(order, *memtables[i], &newer);
  }
  return bytes;
}

Status Mempurge(const MempurgeRequest& request) {
  INVARIANT(request.job != nullptr && request.options != nullptr);
  INVARIANT(request.target != nullptr && !request.memtables.empty());
  const JobContext& job = *request.job;
  const double threshold = request.options->experimental_mempurge_threshold;
  if (threshold <= static_cast<double>(request.memtables.size())) {
    const uint64_t useful =
        EstimateUsefulBytes(job.cfd->order(), request.memtables);
    if (static_cast<double>(useful) >=
        threshold * static_cast<double>(request.options->write_buffer_size)) {
      return NotWorthIt("too much is useful");
    }
  }
  const SealedInput input = GatherSealed(*job.cfd, request.memtables);
  const SnapshotStripes stripes(job.snapshots.sequences);
  if (Status s = VerifyTombstones(request.memtables); !s.ok()) return s;
  std::unique_ptr<CompactionFilter> filter;
  Status s =
      MakeFlushFilter(*job.cfd, TableFileCreationReason::kFlush, &filter);
  if (!s.ok()) return s;
  BlobFlow blob_flow;
  CompactionIteratorRequest reads =
      SurvivorsOf(job, input, stripes, filter.get());
  reads.input.blob_flow = &blob_flow;
  CompactionIterator entries(reads);
  s = WithoutExceptions(
      [&] { return CopySurvivors(request, input, stripes, &entries); });
  return s.ok() ? CheckReadCount(job, input, entries.stats()) : s;
}

}  // namespace ROCKSDB_NAMESPACE

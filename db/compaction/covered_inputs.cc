#include "db/compaction/covered_inputs.h"

#include <algorithm>

#include "db/family/column_family.h"
#include "db/semantics/snapshot_stripes.h"
#include "monitoring/io_activity.h"
#include "rocksdb/info_log.h"
#include "rocksdb/table_properties.h"
#include "table/table_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct CoverInput {
  int level = 0;
  FileRef file;
};

std::vector<CoverInput> InputsOf(const Compaction& c) {
  std::vector<CoverInput> all;
  for (const CompactionInputLevel& input : c.inputs) {
    for (const FileRef& file : input.files) all.push_back({input.level, file});
  }
  return all;
}

// A filter's factory is told of the properties of all inputs, and a filter
// would be asked of older versions than before. Where keys have timestamps, a
// tombstone deletes what is older by them, too.
bool ReadsAll(const JobContext& job, const Compaction& c) {
  const ImmutableCFOptions& cf = job.cfd->ioptions();
  return c.copies_input || cf.compaction_filter != nullptr ||
         cf.compaction_filter_factory != nullptr ||
         job.cfd->order().timestamp_size() != 0;
}

// True if the file has the bounds of a file with just one range tombstone.
// Other files may have such bounds, too.
bool LooksLikeOneTombstone(const FileMeta& file) {
  if (file.has_properties.load() &&
      (file.entry_count.load() != 1 || file.range_deletion_count.load() != 1)) {
    return false;
  }
  return file.smallest.type() == kTypeRangeDeletion &&
         file.largest.IsTombstoneSentinel() &&
         file.smallest_sequence == file.largest_sequence;
}

// Is every user key of the file in [begin, end)?
bool IsWithin(const FileMeta& file, const RangeTombstone& range,
              const InternalKeyComparator& order) {
  if (order.CompareUserKeys(range.begin, file.smallest.user_key()) > 0) {
    return false;
  }
  const int to_end = order.CompareUserKeys(file.largest.user_key(), range.end);
  return to_end < 0 || (to_end == 0 && file.largest.IsTombstoneSentinel());
}

// Why the data are the same without `file`, all of whose keys are in the range
// of `tombstone`, and all of whose sequences are smaller and in its stripe:
// - No reader sees an entry of it: who sees any of that stripe sees all that
//   is older than it, and the newest of it, so the tombstone too.
// - It takes nothing from any reader that the tombstone leaves. What its
//   versions and tombstones hide is older than they are and in their range. In
//   their stripe the tombstone hides that, too; those who see an older stripe
//   do not see the file.
// - The tombstone stays as long as it would: whether there is something for it
//   to delete is asked of deeper levels, not of the inputs.
// A blob file must be told of each reference that goes.
bool IsCovered(const FileMeta& file, const RangeTombstone& tombstone,
               const SnapshotStripes& stripes,
               const InternalKeyComparator& order) {
  if (file.smallest_sequence > file.largest_sequence) return false;
  return file.largest_sequence < tombstone.sequence &&
         stripes.Of(file.smallest_sequence) == stripes.Of(tombstone.sequence) &&
         file.oldest_blob_file == 0 && IsWithin(file, tombstone, order);
}

class CoverSearch {
 public:
  CoverSearch(const JobContext& job, const Compaction& c)
      : order_(job.cfd->order()),
        stripes_(job.snapshots.sequences),
        tables_(job.cfd->tables()),
        inputs_(InputsOf(c)),
        bulk_(CompactionReadPolicy(*job.db, *job.mutable_db,
                                   job.read_file_options)) {
    INVARIANT(!inputs_.empty());
    bulk_.io_class = c.start_level() == 0 ? IoClass::kLevel0 : IoClass::kDeep;
    read_.verify_checksums = true;
    read_.fill_cache = false;
    read_.rate_limiter_priority = Env::IO_LOW;
    request_.mutable_cf = c.options.get();
    request_.table.read_options = &read_;
    request_.bulk = &bulk_;
  }

  std::vector<uint64_t> Covered() {
    std::vector<uint64_t> numbers;
    for (const CoverInput& input : inputs_) {
      if (LooksLikeOneTombstone(*input.file)) AddCoveredBy(input, &numbers);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

 private:
  // What the bounds of `newer` say is believed only once it has been read: the
  // file is one that must be read in any case, and the others are deleted.
  void AddCoveredBy(const CoverInput& newer, std::vector<uint64_t>* numbers) {
    INVARIANT(numbers != nullptr);
    const RangeTombstone bounds{newer.file->smallest.user_key(),
                                newer.file->largest.user_key(),
                                newer.file->largest_sequence};
    std::vector<const FileMeta*> covered;
    for (const CoverInput& input : inputs_) {
      const FileMeta& file = *input.file;
      if (IsCovered(file, bounds, stripes_, order_)) covered.push_back(&file);
    }
    if (covered.empty()) return;
    std::shared_ptr<const TableReader> reader;  // owns what `only` points to
    RangeTombstone only;
    if (!ReadOnly(newer, &reader, &only)) return;
    for (const FileMeta* file : covered) {
      if (IsCovered(*file, only, stripes_, order_)) {
        numbers->push_back(file->number);
      }
    }
  }

  // The one tombstone that is all the file holds. False: it holds others, or
  // cannot be read.
  bool ReadOnly(const CoverInput& input,
                std::shared_ptr<const TableReader>* reader,
                RangeTombstone* only) {
    INVARIANT(reader != nullptr && only != nullptr);
    request_.file = input.file.get();
    request_.level = input.level;
    if (!tables_->FindForBulk(request_, reader).ok()) return false;
    const std::shared_ptr<const TableProperties> p = (*reader)->properties();
    if (p->num_entries != 1 || p->num_range_deletions != 1) return false;
    const auto all = (*reader)->range_tombstones();
    if (all->size() != 1 || all->at(0).sequences.size() != 1) return false;
    *only = all->at(0).tombstone(0);
    return true;
  }

  const InternalKeyComparator& order_;
  const SnapshotStripes stripes_;
  const TableCache* const tables_;
  const std::vector<CoverInput> inputs_;
  ReadOptions read_;
  BulkReadPolicy bulk_;
  TableCache::IteratorRequest request_;
};

}  // namespace

void LeaveOutCovered(const JobContext& job, Compaction* compaction) {
  job.mutex->AssertHeld();
  INVARIANT(compaction != nullptr && compaction->unread.empty());
  INVARIANT(!compaction->is_trivial_move && !compaction->drops_inputs);
  if (ReadsAll(job, *compaction)) return;
  const std::vector<CoverInput> inputs = InputsOf(*compaction);
  const bool may_be =
      std::any_of(inputs.begin(), inputs.end(), [](const CoverInput& input) {
        return LooksLikeOneTombstone(*input.file);
      });
  if (!may_be || inputs.size() == 1) return;
  std::vector<uint64_t> numbers;
  {
    MutexUnlock unlock(job.mutex);
    const IoActivityScope activity(Env::IOActivity::kCompaction);
    numbers = CoverSearch(job, *compaction).Covered();
  }
  if (numbers.empty()) return;
  compaction->unread = std::move(numbers);
  Info(job.db->logger,
       "[%s] [JOB %d] %zu of %zu files, %llu bytes, are not read: a range "
       "tombstone deletes all that they hold",
       job.cfd->name().c_str(), job.job_id, compaction->unread.size(),
       inputs.size(),
       static_cast<unsigned long long>(compaction->InputBytes() -
                                       compaction->ReadBytes()));
}

}  // namespace ROCKSDB_NAMESPACE

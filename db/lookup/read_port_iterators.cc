// ReadPort: cursors.
#include <optional>

#include "db/files/obsolete_files.h"
#include "db/lookup/read_port.h"
#include "db/lookup/read_writers.h"
#include "db/manifest/version_set.h"
#include "db/read/family_iterators.h"
#include "db/read/history_iterator.h"
#include "db/read/read_timestamp.h"
#include "db/read/tracked_iterator.h"
#include "db/read/user_iterator.h"
#include "db/registry/family_handle.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What cursors over several families must have in common.
Status CheckFamilies(const std::vector<ColumnFamilyHandle*>& families) {
  if (families.empty()) {
    return Status::InvalidArgument("no column family was given");
  }
  for (ColumnFamilyHandle* family : families) {
    if (family == nullptr) {
      return Status::InvalidArgument("column family handle is null");
    }
    if (family->GetComparator() != families.front()->GetComparator()) {
      return Status::InvalidArgument(
          "the column families have different comparators");
    }
  }
  return Status::OK();
}

// May a tombstone come into memory that no write brings? Not where writes are
// visible before they are there, where keys may still come that are older than
// it, and where the newest version of a key is not what was written last.
bool TakesDeadRanges(const ImmutableDBOptions& db, const SuperVersion& state) {
  const ImmutableCFOptions& options = state.cfd->ioptions();
  return state.options->min_tombstones_for_range_conversion > 0 &&
         !db.unordered_write && !options.cf_allow_ingest_behind &&
         !options.inplace_update_support &&
         state.cfd->order().timestamp_size() == 0;
}

}  // namespace

// Holds the family as long as the iterator lives.
class ReadPort::FamilyHost final : public IteratorHost {
 public:
  FamilyHost(ReadPort* port, ColumnFamilyRef cfd, CleanUp clean_up,
             const Duties& duties)
      : IteratorHost(duties),
        port_(port),
        cfd_(std::move(cfd)),
        clean_up_(clean_up) {
    INVARIANT(port_ != nullptr && cfd_ != nullptr);
  }

  void Release(SuperVersion* state) override {
    port_->GiveBack(state, clean_up_);
  }
  SuperVersion* Acquire(SequenceNumber* snapshot) override {
    SuperVersion* const state = cfd_->TryAcquireReferenced();
    *snapshot = port_->versions_->LastSequence();
    return state;
  }
  SequenceNumber Newest(uint64_t* super_version_number) override {
    // In this order: what was written before is then in that super version.
    const SequenceNumber sequence = port_->versions_->LastSequence();
    *super_version_number = cfd_->super_version_number();
    return sequence;
  }
  void FlushSoon(const SuperVersion& state) override {
    // Else it is sealed already.
    if (state.number != cfd_->super_version_number()) return;
    if (state.mem->MarkFlushScheduled()) {
      port_->context_.writers->FlushSoon(cfd_->id(), state.mem.get());
    }
  }
  void HideRange(const SuperVersion& state,
                 const RangeTombstone& dead) override {
    port_->context_.writers->HideRange(cfd_.get(), state, dead);
  }

 private:
  ReadPort* const port_;
  const ColumnFamilyRef cfd_;
  const CleanUp clean_up_;
};

Status ReadPort::CheckIterator(const ReadOptions& options) const {
  if (Status s = CheckRead(options); !s.ok()) return s;
  if (options.read_tier == kPersistedTier) {
    return Status::NotSupported(
        "ReadTier::kPersistedData is not yet supported in iterators.",
        "read_tier = kPersistedTier");
  }
  return Status::OK();
}

std::unique_ptr<Iterator> ReadPort::MakeIterator(const ReadOptions& options,
                                                 ColumnFamilyHandle* family,
                                                 const Snapshot* snapshot) {
  INVARIANT(family != nullptr);
  const ColumnFamilyRef cfd = FamilyRefOf(family);
  const TrackedCall tracked(cfd->tracked_work(), ThreadStatus::OP_DBITERATOR);
  SuperVersion* const state = cfd->TryAcquireReferenced();
  if (state == nullptr) return nullptr;
  UserIteratorRequest request;
  request.super_version = state;
  request.options = options;
  if (options.io_activity == Env::IOActivity::kUnknown) {
    request.options.io_activity = Env::IOActivity::kDBIterator;
  }
  if (db_.prefix_seek_opt_in_only && !options.auto_prefix_mode &&
      !options.prefix_same_as_start) {
    request.options.total_order_seek = true;
  }
  request.snapshot = snapshot != nullptr ? snapshot->GetSequenceNumber()
                                         : versions_->LastSequence();
  request.clock = db_.clock;
  request.seek_trace = SeekTrace(context_.tracer, cfd->id());
  request.key_text = KeyTextOf(db_.allow_data_in_errors);
  request.has_snapshots = !follows();
  const bool writes = context_.writers != nullptr;
  request.host = std::make_unique<FamilyHost>(
      this, cfd,
      options.background_purge_on_iterator_cleanup ? CleanUp::kInBackground
                                                   : CleanUp::kHere,
      IteratorHost::Duties{
          .renews = true,
          .flushes = writes,
          .takes_dead_ranges = writes && TakesDeadRanges(db_, *state)});
  RecordTick(db_.stats, NO_ITERATOR_CREATED);
  return TrackIterator(cfd->tracked_work(),
                       options.iter_start_ts != nullptr
                           ? NewHistoryIterator(std::move(request))
                           : NewUserIterator(std::move(request)));
}

Iterator* ReadPort::NewIterator(const ReadOptions& options,
                                ColumnFamilyHandle* family) {
  Status s = CheckHandle(family);
  if (s.ok()) s = CheckIterator(options);
  if (s.ok()) s = CheckReadTimestamp(options, *FamilyOf(family));
  if (!s.ok()) return NewErrorIterator(s);
  std::unique_ptr<Iterator> made =
      MakeIterator(options, family, options.snapshot);
  INVARIANT(made != nullptr);
  return made.release();
}

Status ReadPort::NewIterators(const ReadOptions& options,
                              const std::vector<ColumnFamilyHandle*>& families,
                              std::vector<Iterator*>* iterators) {
  if (iterators == nullptr) return Status::InvalidArgument("iterators is null");
  iterators->clear();
  if (Status s = CheckIterator(options); !s.ok()) return s;
  for (ColumnFamilyHandle* family : families) {
    Status s = CheckHandle(family);
    if (s.ok()) s = CheckReadTimestamp(options, *FamilyOf(family));
    if (!s.ok()) return s;
  }
  std::optional<MutexLock> still;
  if (follows()) still.emplace(context_.follow_mutex);
  // One sequence for all of them, older than any state that is read.
  const Snapshot* own = options.snapshot == nullptr ? GetSnapshot() : nullptr;
  const Snapshot* snapshot = own != nullptr ? own : options.snapshot;
  for (ColumnFamilyHandle* family : families) {
    iterators->push_back(MakeIterator(options, family, snapshot).release());
  }
  assert(iterators->size() == families.size());
  // The iterators keep what they need; the snapshot only fixed the moment.
  if (own != nullptr) ReleaseSnapshot(own);
  return Status::OK();
}

Status ReadPort::MakeFamilyCursors(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families, FamilyCursors* result) {
  assert(result->cursors.empty());
  Status s = CheckFamilies(families);
  std::vector<Iterator*> iterators;
  if (s.ok()) s = NewIterators(options, families, &iterators);
  if (!s.ok()) return s;
  result->order = families.front()->GetComparator();
  if (options.iter_start_ts != nullptr) result->stops = Stops::kVersions;
  result->stay_in_prefix = options.prefix_same_as_start;
  for (size_t i = 0; i < families.size(); ++i) {
    result->cursors.push_back(
        {families[i], std::unique_ptr<Iterator>(iterators[i])});
  }
  // The caller's handles may go before the cursors do.
  std::vector<std::shared_ptr<ColumnFamilyHandle>> own;
  for (ColumnFamilyHandle* family : families) {
    own.push_back(std::make_shared<ColumnFamilyHandleImpl>(
        context_.owner, FamilyRefOf(family), /*on_release=*/nullptr));
  }
  result->renew = [this, options, own = std::move(own)](
                      const Snapshot* snapshot, std::vector<Iterator*>* made) {
    ReadOptions read = options;
    read.snapshot = snapshot;
    std::vector<ColumnFamilyHandle*> handles;
    for (const auto& handle : own) handles.push_back(handle.get());
    return NewIterators(read, handles, made);
  };
  return s;
}

std::unique_ptr<Iterator> ReadPort::NewCoalescingIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  FamilyCursors cursors;
  Status s = MakeFamilyCursors(options, families, &cursors);
  if (!s.ok()) return std::unique_ptr<Iterator>(NewErrorIterator(s));
  return MakeCoalescingIterator(std::move(cursors));
}

std::unique_ptr<AttributeGroupIterator> ReadPort::NewAttributeGroupIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  FamilyCursors cursors;
  Status s = MakeFamilyCursors(options, families, &cursors);
  if (!s.ok()) return NewAttributeGroupErrorIterator(s);
  return MakeAttributeGroupIterator(std::move(cursors));
}

}  // namespace ROCKSDB_NAMESPACE

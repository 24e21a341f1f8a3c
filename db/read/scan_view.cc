#include "db/read/scan_view.h"

#include <utility>

#include "db/family/column_family.h"
#include "db/read/read_timestamp.h"
#include "db/read/scan_source.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ScanView::ScanView(UserIteratorRequest request) : request_(std::move(request)) {
  INVARIANT(request_.super_version != nullptr);
  INVARIANT(request_.host != nullptr);
  ReadOptions& read = request_.options;
  if (read.timestamp != nullptr) {
    timestamp_bytes_ = read.timestamp->ToString();
    timestamp_ = timestamp_bytes_;
    read.timestamp = &timestamp_;
  }
  if (read.iter_start_ts != nullptr) {
    oldest_bytes_ = read.iter_start_ts->ToString();
    oldest_ = oldest_bytes_;
    read.iter_start_ts = &oldest_;
  }
  if (!host().duties().renews) {
    read.tailing = read.auto_refresh_iterator_with_snapshot = false;
  }
  has_snapshot_ = read.snapshot != nullptr;
  // Tables of an application's own factory read this; what of ours a seek may
  // pass over is said by the seek.
  read.total_order_seek = true;
  Build(request_.snapshot);
}

ScanView::~ScanView() {
  RecordTick(statistics_, NO_ITERATOR_DELETED);
  Drop();
}

void ScanView::Build(SequenceNumber snapshot) {
  INVARIANT(state().cfd != nullptr);
  INVARIANT(state().options != nullptr);
  statistics_ = state().cfd->statistics();
  status_ = CheckHistory(options(), state());
  Status s = rules_.Begin(state(), options(), state().cfd->order(), snapshot);
  if (s.ok() && status_.ok()) s = OpenSource(snapshot);
  if (status_.ok()) status_ = std::move(s);
}

Status ScanView::OpenSource(SequenceNumber snapshot) {
  ScanSource source;
  Status s = NewScanSource({.options = &options(),
                            .state = &state(),
                            .snapshot = snapshot,
                            .has_tombstones = rules_.has_tombstones()},
                           &source);
  if (s.ok()) source_.Open(std::move(source));
  return s;
}

void ScanView::Drop() {
  INVARIANT(request_.super_version != nullptr);
  source_.Close();
  prepared_.Forget();
  rules_.End();
  host().Release(request_.super_version);
}

// Goes over to `next`, of which one reference passes over.
void ScanView::Rebuild(SuperVersion* next, SequenceNumber snapshot) {
  INVARIANT(next != nullptr);
  Drop();
  request_.super_version = next;
  Build(snapshot);
}

Status ScanView::DamagedKey() const {
  return Status::Corruption("scan met a malformed internal key",
                            InternalKeyText(source_.key(), key_text()));
}

void ScanView::Prepare(const MultiScanArgs& args) {
  INVARIANT(status_.ok());
  prepared_.Prepare(args,
                    {.order = &rules_.order(),
                     .is_async = options().async_io,
                     .statistics = statistics_,
                     .clock = clock()},
                    source_.stream());
}

Status ScanView::CheckRefresh(const Snapshot* snapshot) const {
  if (!host().duties().renews) {
    return Status::NotSupported("Refresh() of this iterator");
  }
  if (snapshot != nullptr && !request_.has_snapshots) {
    return Status::NotSupported("Refresh() to a snapshot");
  }
  return Status::OK();
}

// The state to go over to, of which one reference passes over, and a sequence
// up to which all is in it: the newest, or this one where it is the last of a
// family that is gone. Null: a newer one is gone, too.
SuperVersion* ScanView::Present(SequenceNumber* newest) {
  SuperVersion* const present = host().Acquire(newest);
  if (present != nullptr) return present;
  uint64_t last_state = 0;
  *newest = host().Newest(&last_state);
  INVARIANT(state().number <= last_state);
  return last_state == state().number ? request_.super_version->Ref() : nullptr;
}

Status ScanView::Refresh(const Snapshot* snapshot) {
  SequenceNumber newest = 0;
  SuperVersion* const present = Present(&newest);
  if (present != nullptr) {
    has_snapshot_ = snapshot != nullptr;
    Rebuild(present, has_snapshot_ ? snapshot->GetSequenceNumber() : newest);
    return Status::OK();
  }
  if (snapshot != nullptr &&
      snapshot->GetSequenceNumber() != rules_.snapshot()) {
    return Status::ColumnFamilyDropped(
        "Refresh() to a snapshot after the last handle is gone");
  }
  Rebuild(request_.super_version->Ref(), rules_.snapshot());
  return Status::OK();
}

ScanView::Change ScanView::CatchUp() {
  uint64_t newest_state = 0;
  const SequenceNumber newest = host().Newest(&newest_state);
  if (newest_state == state().number && newest == rules_.snapshot()) {
    return Change::kNone;
  }
  // The memtable may show what is new by itself, but for range tombstones.
  if (newest_state == state().number && state().mem->HasLiveCursors() &&
      !state().mem->tombstones().IsAny() && !rules_.has_tombstones()) {
    rules_.SeeUpTo(newest);
    return Change::kMoment;
  }
  SequenceNumber snapshot = 0;
  SuperVersion* const present = Present(&snapshot);
  if (present == nullptr) return Change::kNone;
  Rebuild(present, snapshot);
  return Change::kState;
}

// Lets go of files that only this iterator still holds, if there are any.
ScanView::Change ScanView::FollowFiles() {
  uint64_t newest_state = 0;
  (void)host().Newest(&newest_state);
  if (!has_snapshot_ || newest_state == state().number) return Change::kNone;
  SequenceNumber unused = 0;
  SuperVersion* const present = host().Acquire(&unused);
  if (present == nullptr) return Change::kNone;
  Rebuild(present, rules_.snapshot());
  return Change::kState;
}

}  // namespace ROCKSDB_NAMESPACE

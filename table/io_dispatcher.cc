#include "rocksdb/io_dispatcher.h"

#include <utility>

#include "table/scan_job.h"
#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Jobs are begun at once, with what room there is for all.
class SharedRoomDispatcher final : public IODispatcher {
 public:
  explicit SharedRoomDispatcher(const IODispatcherOptions& options)
      : statistics_(options.statistics),
        room_(
            std::make_shared<PrefetchRoom>(options.max_prefetch_memory_bytes)) {
  }

  Status SubmitJob(const std::shared_ptr<IOJob>& job,
                   std::shared_ptr<ReadSet>* read_set) override {
    if (job == nullptr || read_set == nullptr || job->table == nullptr) {
      return Status::InvalidArgument("a job that no scan made");
    }
    Statistics* const statistics = statistics_ != nullptr
                                       ? statistics_
                                       : job->table->parts->file.statistics;
    *read_set = ReadSetInternal::Begin(*job, statistics, room_);
    return Status::OK();
  }

 private:
  Statistics* const statistics_;  // null: that of the table
  const std::shared_ptr<PrefetchRoom> room_;
};

}  // namespace

IOJob::IOJob() = default;
IOJob::~IOJob() = default;

IODispatcher* NewIODispatcher(const IODispatcherOptions& options) {
  return std::make_unique<SharedRoomDispatcher>(options).release();
}

IODispatcher* NewIODispatcher() {
  return NewIODispatcher(IODispatcherOptions());
}

struct TrackingIODispatcher::Rep {
  std::unique_ptr<IODispatcher> inner;
  mutable Mutex mutex;
  std::vector<std::shared_ptr<ReadSet>> read_sets;  // under the mutex, mostly

  uint64_t Sum(uint64_t (ReadSet::*count)() const) const {
    MutexLock lock(&mutex);
    uint64_t sum = 0;
    for (const auto& one : read_sets) sum += ((*one).*count)();
    return sum;
  }
};

TrackingIODispatcher::TrackingIODispatcher()
    : TrackingIODispatcher(NewIODispatcher()) {}

TrackingIODispatcher::TrackingIODispatcher(IODispatcher* impl)
    : rep_(std::make_unique<Rep>()) {
  INVARIANT(impl != nullptr);
  rep_->inner.reset(impl);
}

TrackingIODispatcher::~TrackingIODispatcher() = default;

Status TrackingIODispatcher::SubmitJob(const std::shared_ptr<IOJob>& job,
                                       std::shared_ptr<ReadSet>* read_set) {
  Status s = rep_->inner->SubmitJob(job, read_set);
  if (!s.ok() || *read_set == nullptr) return s;
  MutexLock lock(&rep_->mutex);
  rep_->read_sets.push_back(*read_set);
  return s;
}

const std::vector<std::shared_ptr<ReadSet>>& TrackingIODispatcher::GetReadSets()
    const {
  return rep_->read_sets;
}

uint64_t TrackingIODispatcher::GetTotalSyncReads() const {
  return rep_->Sum(&ReadSet::GetNumSyncReads);
}
uint64_t TrackingIODispatcher::GetTotalAsyncReads() const {
  return rep_->Sum(&ReadSet::GetNumAsyncReads);
}
uint64_t TrackingIODispatcher::GetTotalCacheHits() const {
  return rep_->Sum(&ReadSet::GetNumCacheHits);
}
uint64_t TrackingIODispatcher::GetTotalIOOperations() const {
  return GetTotalSyncReads() + GetTotalAsyncReads();
}

void TrackingIODispatcher::ClearReadSets() {
  MutexLock lock(&rep_->mutex);
  rep_->read_sets.clear();
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/outputs/background_sync.h"

#include "monitoring/iostats_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status SyncTimed(WritableFileWriter* writer, const ImmutableDBOptions& db,
                 uint32_t histogram) {
  const bool is_timed = ShouldMeasureTime(db.stats);
  const uint64_t start = is_timed ? db.clock->NowMicros() : 0;
  Status s = writer->Sync(db.use_fsync);
  if (is_timed) {
    RecordTimeToHistogram(db.stats, histogram, MicrosSince(db.clock, start));
  }
  return s;
}

}  // namespace

BackgroundSync::BackgroundSync(WritableFileWriter* writer,
                               const JobContext& job, uint32_t histogram)
    : helpers_(IoHelpers::Get()) {
  INVARIANT(writer != nullptr && job.db != nullptr);
  const ImmutableDBOptions* db = job.db;
  helpers_->Run([this, writer, db, histogram] {
    status_ = SyncTimed(writer, *db, histogram);
    // release: pairs with the acquire in Wait().
    is_done_.store(true, std::memory_order_release);
    is_done_.notify_one();
  });
}

BackgroundSync::~BackgroundSync() {
  IgnoreError(Wait(), "whoever wants to know has asked");
}

Status BackgroundSync::Wait() {
  // What a sync costs the job is its wait.
  IOSTATS_TIMER_GUARD(fsync_nanos);
  is_done_.wait(false, std::memory_order_acquire);
  INVARIANT(is_done_.load());
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE

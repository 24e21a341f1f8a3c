#include "db/jobs/table_opener.h"

#include <algorithm>
#include <map>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/job_errors.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/tables/table_cache.h"
#include "env/job_threads.h"
#include "monitoring/io_activity.h"
#include "rocksdb/env.h"
#include "util/invariant.h"
#include "util/parallel_for.h"

namespace ROCKSDB_NAMESPACE {

TableOpener::~TableOpener() { INVARIANT(!is_pending_); }

// Where the table cache is bounded as many are opened as by an open that waits
// for it.
void TableOpener::Start(std::vector<LiveTable> tables, JobErrors* errors) {
  context_.mutex->AssertHeld();
  INVARIANT(!is_pending_ && items_.empty());
  errors_ = errors;
  std::map<const ColumnFamilyData*, size_t> opened;
  for (LiveTable& table : tables) {
    Item item{.table = std::move(table)};
    const ColumnFamilyData* const cfd = item.table.cfd.get();
    item.is_opened = item.table.cfd->tables()->pins_readers() ||
                     opened[cfd]++ < kFilesOpenedWhenCacheIsBounded;
    if (item.is_opened || context_.db->paranoid_checks) {
      items_.push_back(std::move(item));
    }
  }
  if (items_.empty()) return;
  is_pending_ = true;
  Env* const env = context_.db->env;
  env->IncBackgroundThreadsIfNeeded(1, Env::Priority::HIGH);
  env->Schedule(&TableOpener::Entry, this, Env::Priority::HIGH, this);
}

void TableOpener::Cancel() {
  const int taken_back =
      context_.db->env->UnSchedule(this, Env::Priority::HIGH);
  if (taken_back == 0) return;
  MutexLock lock(context_.mutex);
  is_pending_ = false;
  items_.clear();
  context_.changes->Note();
}

void TableOpener::Await() const {
  context_.mutex->AssertHeld();
  while (is_pending_) context_.changes->Await();
}

void TableOpener::Entry(void* self) {
  INVARIANT(self != nullptr);
  static_cast<TableOpener*>(self)->Run();
}

void TableOpener::Run() {
  {
    MutexLock lock(context_.mutex);
    context_.scheduler->Enter();
  }
  Status s;
  {
    const JobThreads::Membership membership(context_.threads);
    s = OpenAll();
  }
  MutexLock lock(context_.mutex);
  if (!s.ok()) {
    ROCKSDB_NAMESPACE::Error(context_.db->logger,
                             "opening tables in the background: %s",
                             s.ToString().c_str());
    if (errors_ != nullptr) {
      errors_->OnBackgroundError(s, BackgroundErrorReason::kAsyncFileOpen);
    }
  }
  is_pending_ = false;
  context_.scheduler->Leave();
}

Status TableOpener::OpenAll() {
  std::vector<Item> items = std::exchange(items_, {});
  Mutex mutex;
  Status first;  // guarded by `mutex`
  const auto threads =
      static_cast<size_t>(std::max(1, context_.db->max_file_opening_threads));
  ParallelFor(threads, items.size(), [&](size_t i) {
    const Item item = std::move(items[i]);
    // Nobody reads a table any more that only this job knows.
    if (context_.stop->IsShuttingDown() || item.table.file.use_count() == 1) {
      return;
    }
    const Status s = Open(item);
    if (s.ok()) return;
    MutexLock lock(&mutex);
    if (first.ok()) first = s;
  });
  return first;
}

Status TableOpener::Open(const Item& item) const {
  const IoActivityScope activity(Env::IOActivity::kDBOpen);
  const LiveTable& table = item.table;
  const TableCache& tables = *table.cfd->tables();
  if (!item.is_opened) return tables.CheckPresence(*table.file);
  return AsOfLiveTable(
      tables.LoadFigures(table.file.get(), table.level, *table.options,
                         ReadOptions(), TableCache::Metadata::kWhenFirstRead));
}

}  // namespace ROCKSDB_NAMESPACE

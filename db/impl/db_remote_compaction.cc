// DBImpl: being the process that compacts for another one.
#include "db/family/family_registry.h"
#include "db/impl/db_impl.h"
#include "db/jobs/remote_worker.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::CompactForPrimary(const RemoteCompactionRequest& request,
                               const std::string& directory,
                               const OpenAndCompactOptions& options,
                               RemoteCompactionResult* result) {
  INVARIANT(mode_ == Mode::kCompactor && opened_);
  RemoteWorker::Context context{.db = &base_.options, .mutex = &base_.mutex};
  {
    MutexLock lock(&base_.mutex);
    context.families = families_.get();
    context.versions = versions_.get();
    context.jobs = jobs_.get();
  }
  RemoteWorker(context).Compact(request, directory, options, result);
}

}  // namespace ROCKSDB_NAMESPACE

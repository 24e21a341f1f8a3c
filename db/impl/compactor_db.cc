#include "db/impl/compactor_db.h"

#include "db/impl/open_request.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/remote_worker.h"
#include "db/lookup/read_port.h"
#include "db/observe/observatory.h"
#include "db/registry/sequence_ages.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CompactorDB::CompactorDB(const DBOptions& sanitized, const OpenRequest& request)
    : UnwritableDB(sanitized, request) {}

CompactorDB::~CompactorDB() { Leave(); }

Status CompactorDB::MakeParts() {
  if (Status s = MakePartsFor({}); !s.ok()) return s;
  ages_ = std::make_unique<SequenceAges>(
      &base_.options, &base_.mutex, families_->registry(), versions_.get());
  MutexLock lock(&base_.mutex);
  contexts_ = std::make_unique<JobContexts>(
      JobContexts::Context{.db = &base_.options,
                           .db_name = base_.name,
                           .session_id = base_.session_id,
                           .file_options = base_.file_options,
                           .mutex = &base_.mutex,
                           .options = &base_.current,
                           .versions = versions_.get(),
                           .io_governor = base_.io_governor.get(),
                           .obsolete = files_->obsolete(),
                           .scheduler = background_->scheduler(),
                           .snapshots = &reads_->snapshots(),
                           .stop = &base_.stop,
                           .ages = ages_.get()});
  return Status::OK();
}

// It keeps no history of its statistics.
Status CompactorDB::BeginWork() {
  observatory_->Start(*base_.current.Get());
  return Status::OK();
}

void CompactorDB::CompactForPrimary(const RemoteCompactionRequest& request,
                                    const std::string& directory,
                                    const OpenAndCompactOptions& options,
                                    RemoteCompactionResult* result) {
  INVARIANT(opened_);
  RemoteWorker worker({.db = &base_.options,
                       .mutex = &base_.mutex,
                       .families = families_->registry(),
                       .versions = versions_.get(),
                       .jobs = contexts_.get()});
  worker.Compact(request, directory, options, result);
}

}  // namespace ROCKSDB_NAMESPACE

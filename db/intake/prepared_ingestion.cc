// Ingestion in two steps. A handle holds the jobs of the first one. And what
// can be known of a file before either.
#include <algorithm>
#include <utility>

#include "db/family/column_family.h"
#include "db/ingest/ingest_job.h"
#include "db/ingest/prepared_file_info.h"
#include "db/intake/ingestion.h"
#include "db/jobs/job_contexts.h"
#include "db/registry/family_registry.h"
#include "db/tables/external_table.h"

namespace ROCKSDB_NAMESPACE {

// Whoever destroys it undoes its jobs, unless they were taken.
class Ingestion::Prepared final : public FileIngestionHandle {
 public:
  Prepared(const Ingestion* maker, Jobs jobs)
      : maker_(maker), jobs_(std::move(jobs)) {}

  Status Abort() override {
    jobs_.clear();
    return Status::OK();
  }

  // Moves the jobs behind those of `all`, which are of other families.
  Status HandOver(const Ingestion* taker, Jobs* all) {
    if (taker != maker_) {
      return Status::InvalidArgument("ingestion handle of another database");
    }
    if (jobs_.empty()) {
      return Status::InvalidArgument("ingestion handle that was aborted");
    }
    for (auto& job : jobs_) {
      const bool is_twice = std::any_of(
          all->begin(), all->end(),
          [&](const auto& other) { return other->cfd() == job->cfd(); });
      if (is_twice) {
        return Status::InvalidArgument(
            "ingestion handles have duplicate column families",
            job->cfd()->name());
      }
      all->push_back(std::move(job));
    }
    jobs_.clear();
    return Status::OK();
  }

 private:
  const Ingestion* const maker_;
  Jobs jobs_;
};

Status Ingestion::PrepareHandle(const std::vector<IngestExternalFileArg>& args,
                                Handle* handle) {
  if (handle == nullptr) {
    return Status::InvalidArgument("ingestion handle is null");
  }
  Jobs jobs;
  Status s = Prepare(args, &jobs);
  if (s.ok()) *handle = std::make_unique<Prepared>(this, std::move(jobs));
  return s;
}

Status Ingestion::Learn(const std::string& path,
                        std::shared_ptr<const PreparedFileInfo>* result) {
  std::vector<ColumnFamilyRef> families;
  ExternalTableRequest open;
  open.db = context_.db;
  open.path = path;
  {
    MutexLock lock(context_.mutex);
    families = context_.families->Hold();
    const FamilyRef first = context_.families->begin()->second;
    open.file_options = context_.jobs->Make(first.get()).read_file_options;
  }
  Status s;
  std::vector<const Comparator*> tried;
  for (const ColumnFamilyRef& cfd : families) {
    const Comparator* order = cfd->order().user_comparator();
    if (std::find(tried.begin(), tried.end(), order) != tried.end()) continue;
    tried.push_back(order);
    open.cf = &cfd->ioptions();
    const std::shared_ptr<const MutableCFOptions> options = cfd->options();
    open.mutable_cf = options.get();
    auto info = std::make_shared<PreparedFileInfo>();
    std::unique_ptr<TableReader> reader;
    s = OpenExternalTable(open, &reader, &info->meta.size_bytes);
    if (s.IsInvalidArgument()) continue;  // It is in another order.
    if (s.ok()) s = DescribeTable(*reader, cfd->order(), &info->meta);
    if (!s.ok()) return Status::CopyAppendMessage(s, "; ", path);
    info->properties = reader->properties();
    *result = std::move(info);
    return s;
  }
  return s;
}

Status Ingestion::CommitHandles(const std::vector<Handle>& handles) {
  if (handles.empty()) {
    return Status::InvalidArgument("ingestion handle list is empty");
  }
  Jobs jobs;
  for (const Handle& handle : handles) {
    auto* const prepared = dynamic_cast<Prepared*>(handle.get());
    if (prepared == nullptr) {
      return Status::InvalidArgument("ingestion handle is null or foreign");
    }
    if (Status s = prepared->HandOver(this, &jobs); !s.ok()) return s;
  }
  return Commit(jobs);
}

}  // namespace ROCKSDB_NAMESPACE

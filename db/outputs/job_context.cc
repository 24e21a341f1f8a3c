#include "db/outputs/job_context.h"

#include "file/page_cache_room.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void UsePageCache(PageCacheRoom* room, JobContext* job) {
  INVARIANT(room != nullptr && job != nullptr);
  job->page_cache = room;
  job->leaves_page_cache = room->is_short();
}

void DiscardFile(const JobContext& job, const std::string& path,
                 uint64_t size_bytes) {
  INVARIANT(job.delete_file != nullptr);
  const Status s = job.delete_file(path, size_bytes);
  if (s.ok() || s.IsNotFound() || s.IsPathNotFound()) return;
  Warn(job.db->logger, "%s stays until the next open: %s", path.c_str(),
       s.ToString().c_str());
}

}  // namespace ROCKSDB_NAMESPACE

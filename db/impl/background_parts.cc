#include "db/impl/background_parts.h"

#include "db/impl/foundation.h"
#include "file/io_governor.h"

namespace ROCKSDB_NAMESPACE {

BackgroundParts::BackgroundParts(Foundation* base, const Jobs& jobs)
    : scheduler_({.env = base->options.env,
                  .mutex = &base->mutex,
                  .changes = &base->changes,
                  .stop = &base->stop,
                  .errors = &base->errors,
                  .manual = &manual_,
                  .writes = jobs.writes,
                  .work = jobs.work,
                  .threads = base->io_governor->job_threads()}),
      opener_({.db = &base->options,
               .mutex = &base->mutex,
               .changes = &base->changes,
               .stop = &base->stop,
               .scheduler = &scheduler_,
               .threads = base->io_governor->job_threads()}) {
  scheduler_.SetLimits(*base->current.Get());
}

}  // namespace ROCKSDB_NAMESPACE

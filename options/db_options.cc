#include "options/db_options.h"

#include "options/change.h"
#include "options/db_rows.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

ImmutableDBOptions::ImmutableDBOptions(const DBOptions& options)
    : DBOptions(options),
      fs(env->GetFileSystem().get()),
      clock(env->GetSystemClock().get()),
      logger(info_log.get()),
      stats(statistics.get()) {}

Status ChangeDBOptions(
    const DBOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    DBOptions* result, std::vector<std::string>* changed_names) {
  return ChangeOptions(DBOptionStruct(), current, changes, result,
                       changed_names);
}

}  // namespace ROCKSDB_NAMESPACE

#include "options/db_options.h"

#include "options/change.h"
#include "options/db_rows.h"
#include "options/file_access.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileAccess WithoutAsking(FileAccess access) {
  return access == FileAccess::kAuto ? FileAccess::kUncached : access;
}

}  // namespace

ImmutableDBOptions::ImmutableDBOptions(const DBOptions& options)
    : DBOptions(options),
      read_access(WithoutAsking(CompactionReadAccess(options))),
      write_access(WithoutAsking(CompactionWriteAccess(options))),
      fs(env->GetFileSystem().get()),
      clock(env->GetSystemClock().get()),
      logger(info_log.get()),
      stats(statistics.get()) {}

ImmutableDBOptions::ImmutableDBOptions(const MutableDBOptions& now)
    : ImmutableDBOptions(static_cast<const DBOptions&>(now)) {
  read_access = now.read_access;
  write_access = now.write_access;
}

MutableDBOptions::MutableDBOptions(const DBOptions& options)
    : DBOptions(options),
      read_access(WithoutAsking(CompactionReadAccess(options))),
      write_access(WithoutAsking(CompactionWriteAccess(options))) {}

Status ChangeDBOptions(
    const DBOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    DBOptions* result, std::vector<std::string>* changed_names) {
  // RocksDB tells fixed options and those of families by the same words.
  for (const auto& [name, value] : changes) {
    const OptionRow* row = DBOptionStruct().Find(name);
    if (row != nullptr && row->IsDynamic()) continue;
    if (row == nullptr && DBOptionStruct().IsDeprecated(name)) continue;
    return Status::NotFound("Unrecognized option: " + name,
                            row != nullptr ? "it cannot be changed while open"
                                           : "no DBOptions has it");
  }
  return ChangeOptions(DBOptionStruct(), current, changes, result,
                       changed_names);
}

}  // namespace ROCKSDB_NAMESPACE

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
    :
#define FIXED(member, ...) member(options.member),
#define DYNAMIC(member, ...)
#include "options/db_rows.def"
      fs(env->GetFileSystem().get()),
      clock(env->GetSystemClock().get()),
      logger(info_log.get()),
      stats(statistics.get()) {
}

ImmutableDBOptions::ImmutableDBOptions(const ImmutableDBOptions& fixed,
                                       const MutableDBOptions& now)
    : ImmutableDBOptions(fixed) {
  asked_access_ = {.read = now.read_access, .write = now.write_access};
}

MutableDBOptions::MutableDBOptions(const DBOptions& options)
    :
#define FIXED(member, ...)
#define DYNAMIC(member, ...) member(options.member),
#include "options/db_rows.def"
      wanted_read_access(CompactionReadAccess(options)),
      wanted_write_access(CompactionWriteAccess(options)),
      read_access(WithoutAsking(wanted_read_access)),
      write_access(WithoutAsking(wanted_write_access)) {
}

DBOptions BuildDBOptions(const ImmutableDBOptions& fixed,
                         const MutableDBOptions& now) {
  DBOptions all;
#define FIXED(member, ...) all.member = fixed.member;
#define DYNAMIC(member, ...) all.member = now.member;
#include "options/db_rows.def"
  return all;
}

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

#include "rocksdb/utilities/info_log_finder.h"

#include "file/filename.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

Status GetInfoLogList(DB* db, std::vector<std::string>* info_log_list) {
  if (db == nullptr) return Status::InvalidArgument("DB is null");
  if (info_log_list == nullptr) {
    return Status::InvalidArgument("info_log_list is null");
  }
  std::string directory;
  std::vector<std::string> names;
  const Status s =
      GetInfoLogFiles(db->GetFileSystem(), db->GetDBOptions().db_log_dir,
                      db->GetName(), &directory, &names);
  info_log_list->insert(info_log_list->end(), names.begin(), names.end());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

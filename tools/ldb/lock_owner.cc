#include "tools/ldb/lock_owner.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "file/filename.h"

namespace ROCKSDB_NAMESPACE {

int OwnerOfLock(const std::string& db_path) {
  struct stat info {};
  if (stat(LockFileName(db_path).c_str(), &info) != 0) return 0;
  char wanted[64];
  std::snprintf(wanted, sizeof(wanted), "%02x:%02x:%lu", major(info.st_dev),
                minor(info.st_dev), static_cast<unsigned long>(info.st_ino));
  // 1: POSIX  ADVISORY  WRITE 4711 08:01:131074 0 EOF
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, how, what, file;
    int process = 0;
    if (words >> number >> kind >> how >> what >> process >> file &&
        file == wanted) {
      return process;
    }
  }
  return 0;
}

}  // namespace ROCKSDB_NAMESPACE

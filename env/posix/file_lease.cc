#include "env/posix/file_lease.h"

#include <fcntl.h>
#include <signal.h>

#include "env/posix/posix_io.h"

namespace ROCKSDB_NAMESPACE {

#ifdef F_SETLEASE

bool IsOpenNowhere(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  // If the file is opened meanwhile, the kernel sends a signal. SIGURG is
  // ignored unless somebody asks for it; SIGIO, the default, would end the
  // process.
  if (fcntl(file.get(), F_SETSIG, SIGURG) != 0) return false;
  if (fcntl(file.get(), F_SETLEASE, F_WRLCK) != 0) return false;
  return fcntl(file.get(), F_SETLEASE, F_UNLCK) == 0;
}

#else

bool IsOpenNowhere(const std::string& /*path*/) { return false; }

#endif

}  // namespace ROCKSDB_NAMESPACE
